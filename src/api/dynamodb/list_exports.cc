#include "api/dynamodb/operations.h"
#include "api/dynamodb/transfer_list.h"
#include "transfer/transfers.h"

namespace waybill::api::dynamodb {
namespace {

void write_summary(json::Writer& out, const transfer::Export& job) {
  out.begin_object().key("ExportArn").string(job.arn());
  out.key("ExportStatus").string(transfer::name_of(job.state));
  out.key("ExportType").string("FULL_EXPORT").end_object();
}

}  // namespace

void list_exports(Call call, const json::Value& body) {
  const auto exports = call.services().transfers->exports();
  call.answer(list_transfers(body, {"MaxResults", "maxResults", "ExportSummaries"}, exports, write_summary));
}

}  // namespace waybill::api::dynamodb
