#include "server/contract_commands.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "control/message.h"
#include "rules/audit_check.h"
#include "rules/system_tables.h"

namespace waybill::server {

namespace {

void append(json::Writer& out, const rules::Deployed& deployed) {
  out.key("contract").string(deployed.contract.name);
  out.key("version").integer(deployed.contract.version);
  out.key("table").string(deployed.table);
}

std::string_view word_for(contract::Enforcement enforcement) {
  switch (enforcement) {
    case contract::Enforcement::enforce:
      return "enforce";
    case contract::Enforcement::log:
      return "log";
    case contract::Enforcement::off:
      break;
  }
  return "off";
}

void append_adoption(json::Writer& out, const rules::Adoption& adoption) {
  out.key("adoption").begin_object().key("done").boolean(adoption.is_done);
  out.key("seen").integer(adoption.seen).key("unfit").integer(adoption.unfit);
  out.key("complaint").string(adoption.complaint).end_object();
}

Status append_counts(json::Writer& out, const rules::Deployed& deployed, const store::Store& store) {
  out.key("records").begin_object();
  for (const auto& kind : deployed.kinds) {
    if (!kind.record->status) {
      continue;
    }
    out.key(kind.record->name).begin_object();
    for (const auto& state : kind.record->status->states) {
      WAYBILL_TRY_ASSIGN(
          const int64_t count,
          store.counter(rules::count_of_state(deployed.contract.name, kind.record->name, state.name.text)));
      out.key(state.name.text).integer(count);
    }
    out.end_object();
  }
  out.end_object();
  return {};
}

}  // namespace

Result<std::string> apply_contract(rules::Contracts& contracts, const json::Value& request) {
  rules::Application application;
  WAYBILL_TRY_ASSIGN(application.file, control::text_member(request, "file"));
  WAYBILL_TRY_ASSIGN(application.text, control::text_member(request, "text"));
  if (const auto parameters = request.find("parameters"); parameters && parameters->is_object()) {
    for (json::Members members(*parameters); members.next();) {
      if (members.value().is_string()) {
        application.parameters.emplace(members.key(), members.value().string());
      }
    }
  }
  WAYBILL_TRY_ASSIGN(const auto deployed, contracts.apply(application));
  std::string text;
  json::Writer out(text);
  append(out.begin_object(), *deployed);
  out.end_object();
  return text;
}

Result<std::string> withdraw_contract(rules::Contracts& contracts, const json::Value& request) {
  WAYBILL_TRY_ASSIGN(const auto name, control::text_member(request, "contract"));
  WAYBILL_TRY(contracts.withdraw(name));
  return std::string("{}");
}

Result<std::string> list_contracts(const rules::Contracts& contracts, const store::Store& store) {
  std::string text;
  json::Writer out(text);
  out.begin_object().key("contracts").begin_array();
  for (const auto& deployed : contracts.all()) {
    append(out.begin_object(), *deployed);
    out.key("enforcement").string(word_for(deployed->contract.enforcement));
    WAYBILL_TRY(append_counts(out, *deployed, store));
    if (const auto adoption = contracts.adoptions().find(deployed->contract.name)) {
      append_adoption(out, *adoption);
    }
    out.end_object();
  }
  out.end_array().end_object();
  return text;
}

Result<std::string> verify_audit(const rules::Contracts& contracts, const store::Store& store,
                                 const json::Value& request) {
  std::vector<rules::DeployedPtr> wanted = contracts.all();
  if (const auto name = request.find("contract"); name && name->is_string()) {
    wanted = {contracts.find(name->string())};
    if (wanted.front() == nullptr) {
      return invalid("no contract " + std::string(name->string()) + " is in force");
    }
  }
  rules::AuditFindings all;
  for (const auto& deployed : wanted) {
    WAYBILL_TRY_ASSIGN(auto found, rules::check_audit(store, *deployed));
    all.trails += found.trails;
    all.lines += found.lines;
    std::ranges::move(found.faults, std::back_inserter(all.faults));
  }
  std::string text;
  json::Writer out(text);
  out.begin_object().key("trails").integer(static_cast<int64_t>(all.trails));
  out.key("lines").integer(static_cast<int64_t>(all.lines)).key("faults").begin_array();
  for (const auto& fault : all.faults) {
    out.string(fault);
  }
  out.end_array().end_object();
  return text;
}

}  // namespace waybill::server
