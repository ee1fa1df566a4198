#include "api/dynamodb/operations.h"
#include "api/dynamodb/table_lookup.h"

namespace waybill::api::dynamodb {
namespace {

std::string render(const table::TimeToLive& ttl) {
  std::string text;
  json::Writer out(text);
  out.begin_object().key("TimeToLiveDescription").begin_object();
  // Expired items are hidden from the moment it is switched on, so it is never merely "ENABLING".
  out.key("TimeToLiveStatus").string(ttl.enabled() ? "ENABLED" : "DISABLED");
  if (ttl.enabled()) {
    out.key("AttributeName").string(ttl.attribute);
  }
  out.end_object().end_object();
  return text;
}

}  // namespace

void describe_time_to_live(Call call, const json::Value& body) {
  const auto table = find_named_table(call.store(), body);
  if (!table) {
    call.fail(table.error());
    return;
  }
  call.answer(render((*table)->ttl));
}

}  // namespace waybill::api::dynamodb
