#include "job/list.h"

#include <algorithm>

#include "api/jobs/cursor.h"
#include "api/jobs/operations.h"
#include "api/jobs/page.h"
#include "api/jobs/record_json.h"

namespace waybill::api::jobs {
namespace {

constexpr std::string_view own_parameters[] = {"limit", "cursor", "order", "index", "tag", "match"};

Result<job::TagMatch> read_match(const Query& query) {
  const auto text = query.find("match").value_or("any");
  if (text != "any" && text != "all") {
    return Error{ErrorKind::malformed, "match must be any or all", "match"};
  }
  return text == "all" ? job::TagMatch::all : job::TagMatch::any;
}

Result<job::ListRequest> parse(const Call& call, const Query& query, std::string_view binding) {
  job::ListRequest request;
  request.subject = call.subject();
  request.reach = call.reach();
  request.index = query.find("index").value_or("");
  request.tags = query.all("tag");
  WAYBILL_TRY_ASSIGN(request.match, read_match(query));
  WAYBILL_TRY_ASSIGN(request.order, read_order(query, job::Order::newest));
  WAYBILL_TRY_ASSIGN(const auto limit, query.integer("limit", 1, job::list_limit_max, 100));
  request.limit = static_cast<std::size_t>(limit);
  WAYBILL_TRY_ASSIGN(request.cursor, parse_cursor(query.find("cursor").value_or(""), binding));
  for (const auto& [name, value] : query.parameters()) {
    if (std::ranges::find(own_parameters, name) == std::end(own_parameters)) {
      request.fields[name] = value;
    }
  }
  return request;
}

Result<http::Response> answer(const Call& call, const Query& query) {
  const auto binding = binding_of(call, query);
  WAYBILL_TRY_ASSIGN(const auto request, parse(call, query, binding));
  WAYBILL_TRY_ASSIGN(const auto page, job::list(call.jobs(), request));
  const auto& subject = call.subject();
  return page_response(page, binding, [&](std::string& out, item::ItemView record) {
    append_record(out, *subject.contract, *subject.kind, record);
  });
}

void run(Call call, const Input& input) {
  auto response = answer(call, input.query);
  if (!response) {
    call.fail(response.error());
    return;
  }
  call.answer(*std::move(response));
}

}  // namespace

const Operation list{
    "list",
    "GET",
    Path::Shape::records,
    "",
    run,
    Needs::nothing,
    {"Records by an index, by the table's own key, or by tags. Give the fields that the key is made of as "
     "parameters.",
     R"({"$ref":"#/components/parameters/Limit"},{"$ref":"#/components/parameters/Cursor"},)"
     R"({"$ref":"#/components/parameters/Order"},{"$ref":"#/components/parameters/Index"},)"
     R"({"$ref":"#/components/parameters/Tag"},{"$ref":"#/components/parameters/Match"},)"
     R"({"$ref":"#/components/parameters/Fields"})",
     "", "200",
     R"({"type":"object","required":["items"],"properties":{"items":{"type":"array","items":{"$ref":)"
     R"("#/components/schemas/@.partial"}},"next":{"$ref":"#/components/schemas/Cursor"}}})"}};

}  // namespace waybill::api::jobs
