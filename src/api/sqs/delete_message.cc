#include <utility>

#include "api/sqs/operations.h"
#include "api/sqs/parameters.h"
#include "api/sqs/settling.h"

namespace waybill::api::sqs {
namespace {

Result<SettlementRequest> parse(const Call& call, const json::Value& body) {
  Reading reading;
  const Fields fields(body, reading);
  const auto url = fields.string("QueueUrl");
  const auto handle = fields.string("ReceiptHandle");
  WAYBILL_TRY(reading.status());
  SettlementRequest request;
  WAYBILL_TRY_ASSIGN(request.queue, find_queue(call, url));
  WAYBILL_TRY_ASSIGN(request.settlement.receipt, read_receipt(handle));
  request.handle = *handle;
  return request;
}

}  // namespace

void delete_message(Call call, const json::Value& body) {
  auto request = parse(call, body);
  if (!request) {
    call.fail(request.error());
    return;
  }
  settle_one(std::move(call), *std::move(request), deletion_outcome);
}

}  // namespace waybill::api::sqs
