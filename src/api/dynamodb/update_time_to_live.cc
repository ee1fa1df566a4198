#include <utility>

#include "api/dynamodb/fields.h"
#include "api/dynamodb/operations.h"
#include "api/dynamodb/table_lookup.h"

namespace waybill::api::dynamodb {
namespace {

constexpr std::size_t attribute_name_length_max = 255;

struct Request {
  std::string table;
  std::string attribute;
  bool enabled = false;
};

Result<Request> parse(const json::Value& body) {
  Reading reading;
  const Fields fields(body, reading);
  const auto given_name = fields.string("TableName");
  const auto specification = fields.structure("TimeToLiveSpecification", "TimeToLiveSpecification");
  const auto attribute = specification ? specification->string("AttributeName") : std::nullopt;
  const auto enabled = specification ? specification->boolean("Enabled") : std::nullopt;
  WAYBILL_TRY(reading.status());
  WAYBILL_TRY_ASSIGN(const auto name, existing_table_name(given_name));
  Constraints constraints;
  constraints.not_null("timeToLiveSpecification", specification);
  if (specification) {
    constraints.not_null("timeToLiveSpecification.attributeName", attribute);
    constraints.length_min("timeToLiveSpecification.attributeName", attribute, 1);
    constraints.length_max("timeToLiveSpecification.attributeName", attribute, attribute_name_length_max);
    constraints.not_null("timeToLiveSpecification.enabled", enabled);
  }
  WAYBILL_TRY(constraints.status());
  return Request{std::string(name), std::string(*attribute), *enabled};
}

Result<table::Table> decide(const Request& request, table::Table table, int64_t now_ms) {
  auto& ttl = table.ttl;
  if (request.enabled && ttl.attribute == request.attribute) {
    return invalid("TimeToLive is already enabled");
  }
  if (!request.enabled && !ttl.enabled()) {
    return invalid("TimeToLive is already disabled");
  }
  if (ttl.enabled() && ttl.attribute != request.attribute) {
    return invalid("TimeToLive is active on a different AttributeName: current AttributeName is " +
                   ttl.attribute);
  }
  ttl = table::TimeToLive();
  ttl.changed_at_ms = now_ms;
  if (request.enabled) {
    ttl.attribute = request.attribute;
    ttl.backfilling = true;
  }
  return table;
}

std::string render(const Request& request) {
  std::string text;
  json::Writer out(text);
  out.begin_object().key("TimeToLiveSpecification").begin_object();
  out.key("Enabled").boolean(request.enabled);
  out.key("AttributeName").string(request.attribute);
  out.end_object().end_object();
  return text;
}

}  // namespace

void update_time_to_live(Call call, const json::Value& body) {
  const auto request = parse(body);
  if (!request) {
    call.fail(request.error());
    return;
  }
  auto& store = call.store();
  if (const auto admitted = store.may_know(request->table); !admitted) {
    call.fail(admitted.error());
    return;
  }
  if (!store.find_table(request->table)) {
    call.fail(table_not_found(request->table));
    return;
  }
  const auto now_ms = call.services().clock.wall_ms();
  store.change_table(
      request->table,
      [request = *request, now_ms](const table::Table& current) { return decide(request, current, now_ms); },
      answer_with(std::move(call),
                  [request = *request](const Services&, const table::Table&) { return render(request); }));
}

}  // namespace waybill::api::dynamodb
