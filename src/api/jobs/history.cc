#include "job/history.h"

#include "api/jobs/cursor.h"
#include "api/jobs/journal_json.h"
#include "api/jobs/operations.h"
#include "api/jobs/page.h"

namespace waybill::api::jobs {
namespace {

Result<http::Response> answer(const Call& call, const Query& query) {
  WAYBILL_TRY(query.check_names({"limit", "cursor", "order"}));
  const auto binding = binding_of(call, query);
  job::HistoryRequest request;
  request.subject = call.subject();
  request.id = call.target().id;
  WAYBILL_TRY_ASSIGN(request.order, read_order(query, job::Order::oldest));
  WAYBILL_TRY_ASSIGN(const auto limit, query.integer("limit", 1, job::list_limit_max, 100));
  request.limit = static_cast<std::size_t>(limit);
  WAYBILL_TRY_ASSIGN(request.cursor, parse_cursor(query.find("cursor").value_or(""), binding));
  WAYBILL_TRY_ASSIGN(const auto page, job::history(call.jobs(), request));
  return page_response(
      page, binding, [](std::string& out, item::ItemView row) { append_journal_row(out, row, WithId::no); });
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

const Operation history{
    "history",
    "GET",
    Path::Shape::record,
    "history",
    run,
    Needs::nothing,
    {"What happened to a record, also to one that is gone: who, when, from where to where, and why.",
     R"({"$ref":"#/components/parameters/Limit"},{"$ref":"#/components/parameters/Cursor"},)"
     R"({"$ref":"#/components/parameters/Order"})",
     "", "200",
     R"({"type":"object","required":["items"],"properties":{"items":{"type":"array","items":{"$ref":)"
     R"("#/components/schemas/Happening"}},"next":{"$ref":"#/components/schemas/Cursor"}}})"}};

}  // namespace waybill::api::jobs
