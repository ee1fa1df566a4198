#include <utility>

#include "api/sqs/operations.h"
#include "api/sqs/parameters.h"
#include "api/sqs/settling.h"

namespace waybill::api::sqs {
namespace {

constexpr ListForm changed_form{"Successful", "ChangeMessageVisibilityBatchResultEntry"};

Result<store::Settlement> read_settlement(const queue::Queue& queue, const Fields& entry) {
  store::Settlement settlement;
  WAYBILL_TRY_ASSIGN(settlement.visibility_ms, read_visibility(queue, entry.integer("VisibilityTimeout")));
  WAYBILL_TRY_ASSIGN(settlement.receipt, read_receipt(entry.string("ReceiptHandle")));
  return settlement;
}

void add_entry(SettlementBatch& batch, const Fields& entry) {
  auto settlement = read_settlement(*batch.queue, entry);
  if (!settlement) {
    batch.failures.push_back({id_of(entry), std::move(settlement).error()});
    return;
  }
  batch.entries.push_back({id_of(entry), std::string(entry.string("ReceiptHandle").value_or(""))});
  batch.settlements.push_back(*std::move(settlement));
}

Result<SettlementBatch> parse(const Call& call, const json::Value& body) {
  Reading reading;
  const Fields fields(body, reading);
  const auto url = fields.string("QueueUrl");
  WAYBILL_TRY(reading.status());
  SettlementBatch batch;
  WAYBILL_TRY_ASSIGN(batch.queue, find_queue(call, url));
  WAYBILL_TRY_ASSIGN(const auto entries, read_batch(fields, "ChangeMessageVisibilityBatchRequestEntry"));
  for (const auto& entry : entries) {
    add_entry(batch, entry);
  }
  WAYBILL_TRY(reading.status());
  return batch;
}

}  // namespace

void change_message_visibility_batch(Call call, const json::Value& body) {
  auto batch = parse(call, body);
  if (!batch) {
    call.fail(batch.error());
    return;
  }
  settle_batch(std::move(call), *std::move(batch), changed_form, change_outcome);
}

}  // namespace waybill::api::sqs
