#include "api/dynamodb/fields.h"
#include "api/dynamodb/operations.h"
#include "api/dynamodb/table_description.h"
#include "api/dynamodb/transfer_description.h"
#include "transfer/transfers.h"

namespace waybill::api::dynamodb {
namespace {

constexpr int64_t listed_max = 25;

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

Result<std::string> list(const Services& services, const json::Value& body) {
  Reading reading;
  const Fields fields(body, reading);
  const auto table_arn = fields.string("TableArn");
  const auto limit = fields.integer("PageSize");
  const auto after = fields.string("NextToken");
  WAYBILL_TRY(reading.status());
  Constraints constraints;
  constraints.value_min("pageSize", limit, 1);
  constraints.value_max("pageSize", limit, listed_max);
  WAYBILL_TRY(constraints.status());
  std::string text;
  json::Writer out(text);
  out.begin_object().key("ImportSummaryList").begin_array();
  int64_t listed = 0;
  std::string last;
  bool more = false;
  for (const auto& job : services.transfers->imports()) {
    if ((table_arn && job->table_arn != *table_arn) || (after && job->id <= *after)) {
      continue;
    }
    if (listed++ == limit.value_or(listed_max)) {
      more = true;
      break;
    }
    last = job->id;
    write_summary(out, *job);
  }
  out.end_array();
  if (more) {
    out.key("NextToken").string(last);
  }
  out.end_object();
  return text;
}

}  // namespace

void list_imports(Call call, const json::Value& body) {
  call.answer(list(call.services(), body));
}

}  // namespace waybill::api::dynamodb
