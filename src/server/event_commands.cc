#include "server/event_commands.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/iso_time.h"
#include "control/message.h"

namespace waybill::server {

namespace {

std::optional<std::string> optional_text(const json::Value& request, std::string_view name) {
  const auto value = request.find(name);
  return value && value->is_string() ? std::optional<std::string>(value->string()) : std::nullopt;
}

// The contract that is asked for, or all that publish.
std::vector<std::string> contracts_in(const json::Value& request, const rules::Contracts& contracts) {
  if (auto wanted = optional_text(request, "contract")) {
    return {*std::move(wanted)};
  }
  std::vector<std::string> names;
  for (const auto& deployed : contracts.all()) {
    if (!deployed->contract.publish.empty()) {
      names.push_back(deployed->contract.name);
    }
  }
  return names;
}

Result<std::string> list_parked(const rules::Contracts& contracts, const Publishing& publishing,
                                const json::Value& request) {
  std::string text;
  json::Writer out(text);
  out.begin_object().key("events").begin_array();
  for (const auto& contract : contracts_in(request, contracts)) {
    WAYBILL_TRY_ASSIGN(const auto events, publishing.parked(contract));
    for (const auto& event : events) {
      out.begin_object().key("contract").string(contract).key("number").string(event.key.seq);
      out.key("record").string(event.key.record).key("type").string(event.type);
      out.key("at").string(iso_time(event.at_ms)).key("why").string(event.why).end_object();
    }
  }
  out.end_array().end_object();
  return text;
}

Result<std::string> tell_again(Publishing& publishing, const json::Value& request) {
  WAYBILL_TRY_ASSIGN(const auto contract, control::text_member(request, "contract"));
  WAYBILL_TRY_ASSIGN(const std::size_t count,
                     publishing.tell_again(contract, optional_text(request, "number")));
  return "{\"count\":" + std::to_string(count) + "}";
}

}  // namespace

void add_event_commands(const rules::Contracts& contracts, Publishing& publishing,
                        control::Handlers& handlers) {
  handlers.emplace("event-parked",
                   [&contracts, &publishing](const json::Value& request, control::Progress& /*progress*/) {
                     return list_parked(contracts, publishing, request);
                   });
  handlers.emplace("event-retry", [&publishing](const json::Value& request, control::Progress& /*progress*/) {
    return tell_again(publishing, request);
  });
}

}  // namespace waybill::server
