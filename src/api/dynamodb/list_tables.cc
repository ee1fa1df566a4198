#include "api/dynamodb/fields.h"
#include "api/dynamodb/operations.h"

namespace waybill::api::dynamodb {
namespace {

constexpr int64_t tables_listed_max = 100;

struct Request {
  std::size_t limit = tables_listed_max;
  std::string_view after;
};

Result<Request> parse(const json::Value& body) {
  Reading reading;
  const Fields fields(body, reading);
  const auto limit = fields.integer("Limit");
  const auto after = fields.string("ExclusiveStartTableName");
  WAYBILL_TRY(reading.status());
  Constraints constraints;
  constraints.name_pattern("exclusiveStartTableName", after);
  constraints.length_min("exclusiveStartTableName", after, name_length_min);
  constraints.length_max("exclusiveStartTableName", after, name_length_max);
  constraints.value_min("limit", limit, 1);
  constraints.value_max("limit", limit, tables_listed_max);
  WAYBILL_TRY(constraints.status());
  return Request{static_cast<std::size_t>(limit.value_or(tables_listed_max)), after.value_or("")};
}

std::string render(std::vector<std::string> names, std::size_t limit) {
  const bool more = names.size() > limit;
  names.resize(more ? limit : names.size());
  std::string text;
  json::Writer out(text);
  out.begin_object().key("TableNames").begin_array();
  for (const auto& name : names) {
    out.string(name);
  }
  out.end_array();
  if (more) {
    out.key("LastEvaluatedTableName").string(names.back());
  }
  out.end_object();
  return text;
}

}  // namespace

void list_tables(Call call, const json::Value& body) {
  const auto request = parse(body);
  if (!request) {
    call.fail(request.error());
    return;
  }
  call.answer(render(call.store().list_tables(request->after, request->limit + 1), request->limit));
}

}  // namespace waybill::api::dynamodb
