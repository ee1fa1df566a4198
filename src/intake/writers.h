#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/result.h"
#include "intake/digest.h"
#include "intake/patience.h"
#include "intake/server_client.h"

namespace waybill::intake {

// A row that did not become an item.
struct Rejection {
  std::string row;  // "id=7"
  std::string why;
  Digest digest = {};  // of the item that it would have become
};

// One write of a batch.
struct Write {
  std::string request;  // {"PutRequest":{"Item":{…}}} or {"DeleteRequest":{"Key":{…}}}
  std::string row;      // for messages
  Digest digest = {};   // of the item
};

inline constexpr std::size_t writes_per_batch_max = 25;  // BatchWriteItem's own
inline constexpr std::size_t batch_bytes_max = std::size_t{2} << 20;

// Sends batches of writes, several at once, until each is on disk or refused.
//
// A batch that the server refuses is sent again write by write, so that one bad row takes no others with it.
// What fails for reasons that may pass is tried again. Any other failure ends all: submit() and drain() tell
// it.
//
// Thread safety: submit() and drain() are for one thread.
class Writers {
 public:
  // Called in the order in which batches were submitted, one at a time, on any thread: all batches up to this
  // one are done. `rejected`: writes of it that were refused.
  using OnDone = std::function<void(uint64_t batch, std::vector<Rejection> rejected)>;

  struct Options {
    Endpoint endpoint;
    std::string table;
    unsigned in_flight = 4;
  };

  // The clock and the patience outlive it.
  static Result<std::unique_ptr<Writers>> start(const Options& options, const Clock& clock,
                                                const Patience& patience, OnDone on_done);
  ~Writers();
  Writers(const Writers&) = delete;
  Writers& operator=(const Writers&) = delete;

  // Waits while twice as many batches wait as are in flight. No two writes of a batch are about the same
  // item.
  Status submit(std::vector<Write> writes);
  // Until all is done.
  Status drain();

 private:
  struct Batch {
    uint64_t number = 0;
    std::vector<Write> writes;
  };

  Writers(std::string table, const Patience& patience, OnDone on_done);
  void work(ServerClient& client);
  std::optional<Batch> next();
  void settle(uint64_t number, Result<std::vector<Rejection>> outcome);
  Result<std::vector<Rejection>> write(ServerClient& client, const std::vector<Write>& writes) const;
  Status send(ServerClient& client, const std::vector<Write>& writes) const;

  const std::string table_;
  const Patience& patience_;
  const OnDone on_done_;
  std::size_t waiting_max_ = 0;
  std::vector<std::thread> threads_;

  std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  std::deque<Batch> waiting_;
  std::map<uint64_t, std::vector<Rejection>> done_;  // of batches whose turn to be told has not come
  uint64_t submitted_ = 0;
  uint64_t told_ = 0;
  std::optional<Error> failure_;
  bool ending_ = false;
};

}  // namespace waybill::intake
