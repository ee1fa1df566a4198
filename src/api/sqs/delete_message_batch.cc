#include <utility>

#include "api/sqs/operations.h"
#include "api/sqs/settling.h"

namespace waybill::api::sqs {
namespace {

constexpr BatchForm form{"DeleteMessageBatchRequestEntry", {"Successful", "DeleteMessageBatchResultEntry"}};

Result<store::Settlement> read_settlement(const queue::Queue& /*queue*/, const Fields& entry) {
  store::Settlement settlement;
  WAYBILL_TRY_ASSIGN(settlement.receipt, read_receipt(entry.string("ReceiptHandle")));
  return settlement;
}

}  // namespace

void delete_message_batch(Call call, const json::Value& body) {
  settle_batch(std::move(call), body, form, read_settlement, deletion_outcome);
}

}  // namespace waybill::api::sqs
