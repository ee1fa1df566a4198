#pragma once

#include <string>
#include <string_view>

#include "api/dynamodb/call.h"
#include "api/dynamodb/fields.h"

namespace waybill::api::dynamodb {

// How a list of exports or of imports is asked for and answered.
struct TransferListNames {
  std::string_view limit;       // the member that says how many at most …
  std::string_view limit_path;  // … as error texts spell it
  std::string_view list;        // the member that holds them
};

// A page of `jobs`, which come in the order of their ids; write(json::Writer&, job) puts one into words.
template <typename Jobs, typename Write>
Result<std::string> list_transfers(const json::Value& body, const TransferListNames& names, const Jobs& jobs,
                                   Write write) {
  constexpr int64_t listed_max = 25;
  Reading reading;
  const Fields fields(body, reading);
  const auto table_arn = fields.string("TableArn");
  const auto limit = fields.integer(names.limit);
  const auto after = fields.string("NextToken");
  WAYBILL_TRY(reading.status());
  Constraints constraints;
  constraints.value_min(names.limit_path, limit, 1);
  constraints.value_max(names.limit_path, limit, listed_max);
  WAYBILL_TRY(constraints.status());
  std::string text;
  json::Writer out(text);
  out.begin_object().key(names.list).begin_array();
  int64_t listed = 0;
  std::string last;
  bool more = false;
  for (const auto& job : jobs) {
    if ((table_arn && job->table_arn != *table_arn) || (after && job->id <= *after)) {
      continue;
    }
    if (listed++ == limit.value_or(listed_max)) {
      more = true;
      break;
    }
    last = job->id;
    write(out, *job);
  }
  out.end_array();
  if (more) {
    out.key("NextToken").string(last);
  }
  out.end_object();
  return text;
}

}  // namespace waybill::api::dynamodb
