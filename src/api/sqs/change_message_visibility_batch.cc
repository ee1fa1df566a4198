#include <utility>

#include "api/sqs/operations.h"
#include "api/sqs/settling.h"

namespace waybill::api::sqs {
namespace {

constexpr BatchForm form{"ChangeMessageVisibilityBatchRequestEntry",
                         {"Successful", "ChangeMessageVisibilityBatchResultEntry"}};

Result<store::Settlement> read_settlement(const queue::Queue& queue, const Fields& entry) {
  store::Settlement settlement;
  WAYBILL_TRY_ASSIGN(settlement.visibility_ms, read_visibility(queue, entry.integer("VisibilityTimeout")));
  WAYBILL_TRY_ASSIGN(settlement.receipt, read_receipt(entry.string("ReceiptHandle")));
  return settlement;
}

}  // namespace

void change_message_visibility_batch(Call call, const json::Value& body) {
  settle_batch(std::move(call), body, form, read_settlement, change_outcome);
}

}  // namespace waybill::api::sqs
