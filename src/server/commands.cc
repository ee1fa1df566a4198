#include "server/commands.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "server/usage_commands.h"

namespace waybill::server {
namespace {

Result<std::string> text_member(const json::Value& request, std::string_view name) {
  const auto value = request.find(name);
  if (!value || !value->is_string()) {
    return invalid("the command needs a " + std::string(name));
  }
  return std::string(value->string());
}

uint32_t number_member(const json::Value& request, std::string_view name) {
  const auto value = request.find(name);
  const bool is_number = value && value->type() == json::Type::number;
  return static_cast<uint32_t>(is_number ? std::max<int64_t>(value->integer().value_or(0), 0) : 0);
}

// {"folder":…,"keep":…} -> {"number":…,"bytes":…,"new_bytes":…,"files":…}
Result<std::string> back_up(store::Store& store, const json::Value& request, control::Progress& progress) {
  WAYBILL_TRY_ASSIGN(const auto folder, text_member(request, "folder"));
  WAYBILL_TRY_ASSIGN(const auto made, store.back_up(folder, number_member(request, "keep"),
                                                    [&](uint64_t done, uint64_t total) {
                                                      return progress.report({"copying", done, total});
                                                    }));
  std::string text;
  json::Writer out(text);
  out.begin_object().key("number").integer(made.number);
  out.key("bytes").integer(static_cast<int64_t>(made.bytes));
  out.key("new_bytes").integer(static_cast<int64_t>(made.new_bytes));
  out.key("files").integer(static_cast<int64_t>(made.files)).end_object();
  return text;
}

}  // namespace

control::Handlers make_commands(store::Store& store, const Clock& clock) {
  control::Handlers handlers;
  handlers.emplace("backup", [&store](const json::Value& request, control::Progress& progress) {
    return back_up(store, request, progress);
  });
  handlers.emplace("usage", [&store, &clock](const json::Value& request, control::Progress& /*progress*/) {
    return measured_usage(store, clock, request);
  });
  handlers.emplace("minutes", [&store, &clock](const json::Value& request, control::Progress& /*progress*/) {
    return usage_by_minute(store, clock, request);
  });
  return handlers;
}

}  // namespace waybill::server
