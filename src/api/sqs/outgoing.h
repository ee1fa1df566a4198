#pragma once

#include <string>

#include "api/sqs/answer.h"
#include "api/sqs/call.h"
#include "api/sqs/parameters.h"
#include "base/result.h"
#include "queue/draft.h"
#include "store/queues.h"

// A message on its way into a queue, by itself or in a batch.
namespace waybill::api::sqs {

// What the client is told of a message that was sent, besides what the store says.
struct Checksums {
  std::string body;
  std::string attributes;         // "": it has none
  std::string system_attributes;  // ditto
};

struct Outgoing {
  store::NewMessage message;
  Checksums checksums;
};

// Reads the fields of a message. A wrong type goes to the fields' Reading, and is to be looked at before the
// rest; the Result tells of values that cannot be read. The draft's views are those of the request.
Result<queue::Draft> read_draft(const Fields& fields);

// The message that a draft which passed its checks becomes.
Outgoing make_outgoing(Entropy& entropy, const queue::Queue& queue, const queue::Draft& draft,
                       std::string_view sender);

// MessageId, checksums, and SequenceNumber of a FIFO queue.
void write_sent(Answer& answer, const store::SentMessage& sent, const Checksums& checksums, bool is_fifo);

// 20 digits, which sort as the numbers do.
std::string sequence_text(uint64_t sequence);

}  // namespace waybill::api::sqs
