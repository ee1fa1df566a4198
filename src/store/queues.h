#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/unique_function.h"
#include "queue/message.h"
#include "queue/queue.h"
#include "queue/receipt.h"

// The part of the seam that queues are.
namespace waybill::store {

using QueueDone = UniqueFunction<void(Result<queue::QueuePtr>)>;
// Sees the queue as it is and returns what it is to be. Runs on the writer. Return an Error to leave it.
using QueueChange = UniqueFunction<Result<queue::Queue>(const queue::Queue&)>;

struct NewMessage {
  std::string record;               // queue::encode of the message
  std::string id;                   // the message's
  std::string group;                // ditto
  std::string deduplication_id;     // ditto; of a FIFO queue: never empty
  std::optional<int64_t> delay_ms;  // absent: the queue's
};

struct SentMessage {
  std::string id;         // of the earlier one where this one is a duplicate
  uint64_t sequence = 0;  // rises with every message of a queue
};

// One result per message, in order; nothing else can be wrong with one than with the queue as a whole.
using SendDone = UniqueFunction<void(Result<std::vector<SentMessage>>)>;

struct ReceiveRequest {
  std::string queue;
  uint32_t count_max = 1;
  std::optional<int64_t> visibility_ms;  // absent: the queue's
  int64_t wait_ms = 0;                   // for how long to wait for a first message
  // The caller will settle each message within its visibility timeout, and tell nobody of it before that is
  // on disk. So the receive is not written down: after a crash it has not been, and is not counted.
  bool is_tentative = false;
};

// A message that was given out. Its content is read with Queues::read.
struct Delivery {
  queue::Receipt receipt;
  std::shared_ptr<const std::string> record;  // queue::encode of the message, where the store has it at hand
  int64_t sent_ms = 0;
  int64_t first_received_ms = 0;
  uint32_t receive_count = 0;  // this one included, those before a dead-letter queue not
};

using ReceiveDone = UniqueFunction<void(Result<std::vector<Delivery>>)>;

// Ends a wait before its time. Thread-safe; harmless once the receive is answered.
class Wait {
 public:
  virtual ~Wait() = default;
  virtual void cancel() = 0;  // the receive is answered with nothing, and no message is given to it
};

// What is to become of a message that was received; or, where the receipt's token is 0, of one that nobody
// holds: it is deleted.
struct Settlement {
  queue::Receipt receipt;
  std::optional<int64_t> visibility_ms;  // absent: it is done with, and deleted; else: hidden for so long
  bool counts = true;  // of one that is hidden: false where its receive is to be as if it had never been
};

enum class Settled : unsigned char {
  done,
  gone,           // there is no such message any more
  superseded,     // it was received again since: the receipt means nothing any more
  not_in_flight,  // its time has run out. A standard queue deletes it all the same, and then says done
  foreign,        // the receipt is of another queue
};

using SettleDone = UniqueFunction<void(Result<std::vector<Settled>>)>;

struct QueueStats {
  std::string name;
  int64_t visible = 0;
  int64_t in_flight = 0;
  int64_t delayed = 0;
  int64_t oldest_sent_ms = 0;  // of messages that are not delayed; 0: there is none
  // Since the queue was made.
  uint64_t sent = 0;
  uint64_t received = 0;
  uint64_t deleted = 0;
  uint64_t dead_lettered = 0;  // that left for the dead-letter queue
  uint64_t expired = 0;        // that nobody deleted before their retention was over
};

using StatsDone = UniqueFunction<void(std::vector<QueueStats>)>;

struct PeekRequest {
  std::string queue;
  std::string group;  // of this group alone; "": messages without one first, then group by group
  std::string after;  // the place of the last one seen, as an earlier peek gave it; "": the beginning
  std::size_t count_max = 10;
};

enum class MessageState : unsigned char { waiting, in_flight, delayed };

struct Peeked {
  queue::Message message;
  MessageState state = MessageState::waiting;
  int64_t sent_ms = 0;
  int64_t visible_ms = 0;  // of one that is in flight or delayed: when that ends
  uint64_t sequence = 0;
  uint32_t receive_count = 0;
  std::string place;
};

// Moves messages that nobody has received from one queue to others.
struct MoveRequest {
  std::string from;
  std::string to;  // "": each to the queue that gave it up
  std::vector<std::string>
      new_ids;  // one per message that may be moved at most: what it is called from then on
};

struct Moved {
  std::size_t count = 0;
  int64_t left = 0;  // messages in the queue that could be moved now
};

using MoveDone = UniqueFunction<void(Result<Moved>)>;

// Keeps queues and their messages.
//
// A message that was sent is given out until somebody deletes it, its retention is over, or it is moved. It
// is not given out twice within one visibility timeout. Whatever is answered is on disk, but for receives:
// they are written, and a power cut may take back that a message was given out. Tokens are never given twice.
//
// Thread safety and failure: see Store. Error queue_not_found where there is no queue of that name.
class Queues {
 public:
  virtual ~Queues() = default;

  // Whether whoever asks through this object may know of the queue of that name; see RestrictedQueues. Error
  // access_denied where not, whether there is one or not.
  virtual Status may_know(std::string_view name) const;

  virtual queue::QueuePtr find(std::string_view name) const = 0;  // null: there is none
  // Names in order that begin with `prefix`, after `after`.
  virtual std::vector<std::string> names(std::string_view prefix, std::string_view after,
                                         std::size_t limit) const = 0;
  virtual std::vector<queue::QueuePtr> all() const = 0;

  // Error queue_exists where the name is taken.
  virtual void create(queue::Queue queue, QueueDone done) = 0;
  virtual void change(std::string name, QueueChange change, QueueDone done) = 0;
  // With all messages. Waiting receives are answered with queue_not_found.
  virtual void remove(std::string name, QueueDone done) = 0;
  // Deletes all messages. Error purge_in_progress where the last one was less than a minute ago.
  virtual void purge(std::string name, QueueDone done) = 0;

  virtual void send(std::string queue, std::vector<NewMessage> messages, SendDone done) = 0;

  // Returns what ends the wait; null where the request does not wait.
  virtual std::shared_ptr<Wait> receive(ReceiveRequest request, ReceiveDone done) = 0;

  // The content of a message that was given out; nullopt where it was deleted since.
  virtual Result<std::optional<queue::Message>> read(const Delivery& delivery) const = 0;

  // The message that a receipt is of, as it is now, whether the receipt still holds or not; nullopt where
  // there is none of that place any more. Blocks for the disk alone.
  virtual Result<std::optional<Peeked>> look(const queue::Receipt& receipt) const = 0;

  // Each by itself.
  virtual void settle(std::string queue, std::vector<Settlement> settlements, SettleDone done) = 0;

  // Looks without receiving. Blocks for the disk alone.
  virtual Result<std::vector<Peeked>> peek(const PeekRequest& request) const = 0;

  // Of one queue, or of all by name where `name` is empty.
  virtual void stats(std::string name, StatsDone done) = 0;

  virtual void move(MoveRequest request, MoveDone done) = 0;
};

}  // namespace waybill::store
