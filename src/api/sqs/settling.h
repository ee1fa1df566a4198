#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/sqs/batch.h"
#include "api/sqs/call.h"
#include "api/sqs/parameters.h"
#include "base/result.h"
#include "queue/queue.h"
#include "store/queues.h"

// Deleting a message that was received, and changing for how long it is hidden; alone or in a batch.
namespace waybill::api::sqs {

// Error receipt_invalid where the handle is none, parameter_missing where there is none.
Result<queue::Receipt> read_receipt(const std::optional<std::string_view>& handle);

// The milliseconds of a VisibilityTimeout that has to be there.
Result<int64_t> read_visibility(const queue::Queue& queue, const std::optional<int64_t>& seconds);

// What became of a message that was to be deleted, in the words of SQS.
Status deletion_outcome(const queue::Queue& queue, store::Settled settled, std::string_view handle);
// The same of one that was to be hidden for longer or shorter.
Status change_outcome(const queue::Queue& queue, store::Settled settled, std::string_view handle);

using Outcome = Status (*)(const queue::Queue& queue, store::Settled settled, std::string_view handle);

// One message, whose handle has been read.
struct SettlementRequest {
  queue::QueuePtr queue;
  std::string handle;
  store::Settlement settlement;
};

// Settles it, and answers with nothing or with what went wrong.
void settle_one(Call call, SettlementRequest request, Outcome outcome);

// Reads what is to become of the message of one entry.
using ReadSettlement = Result<store::Settlement> (*)(const queue::Queue& queue, const Fields& entry);

// The names of a batch's entries and of the list of those that went well.
struct BatchForm {
  std::string_view entries;
  ListForm results;
};

// The whole of a batch operation.
void settle_batch(Call call, const json::Value& body, const BatchForm& form, ReadSettlement read,
                  Outcome outcome);

}  // namespace waybill::api::sqs
