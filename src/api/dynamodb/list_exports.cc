#include "api/dynamodb/fields.h"
#include "api/dynamodb/operations.h"
#include "api/dynamodb/transfer_description.h"
#include "transfer/transfers.h"

namespace waybill::api::dynamodb {
namespace {

constexpr int64_t listed_max = 25;

Result<std::string> list(const Services& services, const json::Value& body) {
  Reading reading;
  const Fields fields(body, reading);
  const auto table_arn = fields.string("TableArn");
  const auto limit = fields.integer("MaxResults");
  const auto after = fields.string("NextToken");
  WAYBILL_TRY(reading.status());
  Constraints constraints;
  constraints.value_min("maxResults", limit, 1);
  constraints.value_max("maxResults", limit, listed_max);
  WAYBILL_TRY(constraints.status());
  std::string text;
  json::Writer out(text);
  out.begin_object().key("ExportSummaries").begin_array();
  int64_t listed = 0;
  std::string last;
  bool more = false;
  for (const auto& job : services.transfers->exports()) {
    if ((table_arn && job->table_arn != *table_arn) || (after && job->id <= *after)) {
      continue;
    }
    if (listed++ == limit.value_or(listed_max)) {
      more = true;
      break;
    }
    last = job->id;
    out.begin_object().key("ExportArn").string(job->arn());
    out.key("ExportStatus").string(transfer::name_of(job->state));
    out.key("ExportType").string("FULL_EXPORT").end_object();
  }
  out.end_array();
  if (more) {
    out.key("NextToken").string(last);
  }
  out.end_object();
  return text;
}

}  // namespace

void list_exports(Call call, const json::Value& body) {
  call.answer(list(call.services(), body));
}

}  // namespace waybill::api::dynamodb
