#include "api/dynamodb/operations.h"
#include "api/dynamodb/table_description.h"
#include "api/dynamodb/transfer_description.h"
#include "api/dynamodb/transfer_list.h"
#include "transfer/transfers.h"

namespace waybill::api::dynamodb {
namespace {

void write_summary(json::Writer& out, const transfer::Import& job) {
  out.begin_object().key("ImportArn").string(job.arn());
  out.key("ImportStatus").string(transfer::name_of(job.state));
  out.key("TableArn").string(job.table_arn);
  write_bucket_source(out, job);
  out.key("InputFormat").string(job.format);
  write_time(out.key("StartTime"), job.start_ms);
  if (job.end_ms != 0) {
    write_time(out.key("EndTime"), job.end_ms);
  }
  out.end_object();
}

}  // namespace

void list_imports(Call call, const json::Value& body) {
  const auto imports = call.services().transfers->imports();
  call.answer(list_transfers(body, {"PageSize", "pageSize", "ImportSummaryList"}, imports, write_summary));
}

}  // namespace waybill::api::dynamodb
