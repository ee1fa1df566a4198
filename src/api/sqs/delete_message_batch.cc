#include <utility>

#include "api/sqs/operations.h"
#include "api/sqs/parameters.h"
#include "api/sqs/settling.h"

namespace waybill::api::sqs {
namespace {

constexpr ListForm deleted_form{"Successful", "DeleteMessageBatchResultEntry"};

void add_entry(SettlementBatch& batch, const Fields& entry) {
  const auto handle = entry.string("ReceiptHandle");
  auto receipt = read_receipt(handle);
  if (!receipt) {
    batch.failures.push_back({id_of(entry), std::move(receipt).error()});
    return;
  }
  batch.entries.push_back({id_of(entry), std::string(*handle)});
  batch.settlements.push_back({*std::move(receipt), std::nullopt});
}

Result<SettlementBatch> parse(const Call& call, const json::Value& body) {
  Reading reading;
  const Fields fields(body, reading);
  const auto url = fields.string("QueueUrl");
  WAYBILL_TRY(reading.status());
  SettlementBatch batch;
  WAYBILL_TRY_ASSIGN(batch.queue, find_queue(call, url));
  WAYBILL_TRY_ASSIGN(const auto entries, read_batch(fields, "DeleteMessageBatchRequestEntry"));
  for (const auto& entry : entries) {
    add_entry(batch, entry);
  }
  WAYBILL_TRY(reading.status());
  return batch;
}

}  // namespace

void delete_message_batch(Call call, const json::Value& body) {
  auto batch = parse(call, body);
  if (!batch) {
    call.fail(batch.error());
    return;
  }
  settle_batch(std::move(call), *std::move(batch), deleted_form, deletion_outcome);
}

}  // namespace waybill::api::sqs
