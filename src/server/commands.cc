#include "server/commands.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "server/contract_commands.h"
#include "server/event_commands.h"
#include "server/migrate_commands.h"
#include "server/transfer_commands.h"
#include "server/usage_commands.h"

namespace waybill::server {
namespace {

uint32_t number_member(const json::Value& request, std::string_view name) {
  const auto value = request.find(name);
  const bool is_number = value && value->type() == json::Type::number;
  return static_cast<uint32_t>(is_number ? std::max<int64_t>(value->integer().value_or(0), 0) : 0);
}

// {"folder":…,"keep":…} -> {"number":…,"bytes":…,"new_bytes":…,"files":…}
Result<std::string> back_up(store::Store& store, const json::Value& request, control::Progress& progress) {
  WAYBILL_TRY_ASSIGN(const auto folder, control::text_member(request, "folder"));
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

control::Handlers make_commands(const api::dynamodb::Services& services, rules::Contracts& contracts,
                                migration::Migrations& migrations, Publishing& publishing) {
  control::Handlers handlers;
  handlers.emplace("backup", [&services](const json::Value& request, control::Progress& progress) {
    return back_up(services.unguarded_store, request, progress);
  });
  handlers.emplace("export", [&services](const json::Value& request, control::Progress& progress) {
    return export_table(services, request, progress);
  });
  handlers.emplace("import", [&services](const json::Value& request, control::Progress& progress) {
    return import_table(services, request, progress);
  });
  handlers.emplace("usage", [&services](const json::Value& request, control::Progress& /*progress*/) {
    return measured_usage(services.unguarded_store, services.clock, request);
  });
  handlers.emplace("minutes", [&services](const json::Value& request, control::Progress& /*progress*/) {
    return usage_by_minute(services.unguarded_store, services.clock, request);
  });
  const store::Store& store = services.unguarded_store;
  handlers.emplace("contract-apply",
                   [&contracts](const json::Value& request, control::Progress& /*progress*/) {
                     return apply_contract(contracts, request);
                   });
  handlers.emplace("contract-withdraw",
                   [&contracts](const json::Value& request, control::Progress& /*progress*/) {
                     return withdraw_contract(contracts, request);
                   });
  handlers.emplace("contract-list",
                   [&contracts, &store](const json::Value& /*request*/, control::Progress& /*progress*/) {
                     return list_contracts(contracts, store);
                   });
  handlers.emplace("audit-verify",
                   [&contracts, &store](const json::Value& request, control::Progress& /*progress*/) {
                     return verify_audit(contracts, store, request);
                   });
  add_migrate_commands({migrations, store}, handlers);
  add_event_commands(contracts, publishing, handlers);
  return handlers;
}

}  // namespace waybill::server
