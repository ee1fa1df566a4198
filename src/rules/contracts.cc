#include "rules/contracts.h"

#include <algorithm>
#include <utility>

#include "base/json.h"
#include "contract/check.h"
#include "contract/compare.h"
#include "contract/problem.h"
#include "contract/reader.h"
#include "rules/make_table.h"
#include "rules/system_tables.h"
#include "rules/table_rules.h"
#include "rules/wait_for.h"

namespace waybill::rules {

namespace {

constexpr std::string_view note_prefix = "contract/";

Error problems_of(const contract::Problems& problems, const std::string& file) {
  std::string text;
  for (const auto& problem : problems) {
    if (problem.weight == contract::Problem::Weight::error) {
      text += (text.empty() ? "" : "\n") + contract::describe(problem, file);
    }
  }
  return invalid(std::move(text));
}

bool has_errors(const contract::Problems& problems) {
  return std::ranges::any_of(problems, [](const contract::Problem& problem) {
    return problem.weight == contract::Problem::Weight::error;
  });
}

Status set_parameters(const Application& application, contract::Contract& contract) {
  for (auto& parameter : contract.parameters) {
    const auto given = application.parameters.find(parameter.name);
    if (given == application.parameters.end()) {
      continue;
    }
    const bool may_be = parameter.one_of.empty() ||
                        std::ranges::find(parameter.one_of, given->second) != parameter.one_of.end();
    if (!may_be) {
      return invalid(application.file + ": the parameter " + parameter.name + " cannot be \"" +
                     given->second + "\"");
    }
    parameter.value = given->second;
  }
  return {};
}

// Lines of an audit trail have a key that is made of what each line has; the time tells them apart.
Status check_audit_key(const Deployed& deployed) {
  const auto own = std::ranges::find_if(
      deployed.kinds, [](const Kind& kind) { return kind.record->role == contract::Role::audit; });
  if (own == deployed.kinds.end()) {
    return {};
  }
  const auto& names = own->key_fields;
  for (const auto& kind : deployed.kinds) {
    const auto& by = &kind == &*own ? kind.record->tenant : kind.record->audited_by;
    const auto is_known = [&](const std::string& name) {
      return name == by->text || name == "ts" || name == "actor";
    };
    const bool has_time = std::ranges::find(names, "ts") != names.end();
    if (by && !(has_time && std::ranges::all_of(names, is_known))) {
      return invalid("contract " + deployed.contract.name + ", " + own->record->name +
                     ": the key of audit lines is made of " + by->text + ", of ts, and of actor at will");
    }
  }
  return {};
}

// Whether what is counted of records is the same by both.
bool count_the_same(const Deployed& before, const Deployed& after) {
  const bool was_counted = before.contract.enforcement != contract::Enforcement::off;
  return was_counted && before.table == after.table &&
         std::ranges::all_of(after.kinds, [&](const Kind& kind) {
           const Kind* const old = before.find(kind.record->name);
           return old == nullptr || old->record->quotas.empty() == kind.record->quotas.empty();
         });
}

// Whether what is found by other ways than a record's key is the same by both: see rules/adopt.h.
bool adopt_the_same(const contract::Record& before, const contract::Record& after) {
  const auto same_tags = [](const contract::Record::Tags& a, const contract::Record::Tags& b) {
    return a.field == b.field && a.within == b.within && a.newest_by == b.newest_by;
  };
  const auto same_mirror = [](const contract::Mirror& a, const contract::Mirror& b) {
    return a.key == b.key && a.fields == b.fields;
  };
  const auto computes_the_same = [&](const contract::Field& field) {
    const auto* const old = before.find(field.name);
    return !field.computed || (old != nullptr && old->computed == field.computed);
  };
  const bool tags = !after.tags || (before.tags && same_tags(*before.tags, *after.tags));
  return tags && (before.keep_latest || !after.keep_latest) &&
         before.idempotency.has_value() == after.idempotency.has_value() &&
         std::ranges::equal(before.mirrors, after.mirrors, same_mirror) &&
         std::ranges::all_of(after.fields, computes_the_same);
}

bool adopt_the_same(const Deployed& before, const Deployed& after) {
  return std::ranges::all_of(after.kinds, [&](const Kind& kind) {
    const Kind* const old = before.find(kind.record->name);
    return old == nullptr || adopt_the_same(*old->record, *kind.record);
  });
}

Result<DeployedPtr> read(const Application& application) {
  contract::Problems problems;
  auto contract = contract::read_contract(application.text, problems);
  if (contract && !has_errors(problems)) {
    problems = contract::check(*contract);
  }
  if (!contract || has_errors(problems)) {
    return problems_of(problems, application.file);
  }
  WAYBILL_TRY(set_parameters(application, *contract));
  WAYBILL_TRY_ASSIGN(auto deployed, deploy(*std::move(contract), application.text));
  WAYBILL_TRY(check_audit_key(*deployed));
  return deployed;
}

// {"text":…,"parameters":{…}}
table::Note note_of(const Deployed& deployed) {
  table::Note note;
  note.name = std::string(note_prefix) + deployed.contract.name;
  json::Writer out(note.text);
  out.begin_object().key("text").string(deployed.text).key("parameters").begin_object();
  for (const auto& parameter : deployed.contract.parameters) {
    out.key(parameter.name).string(parameter.value);
  }
  out.end_object().end_object();
  return note;
}

Result<Application> application_of(const table::Note& note) {
  Application application;
  application.file = "contract " + note.name.substr(note_prefix.size());
  json::Parser parser;
  WAYBILL_TRY_ASSIGN(const auto value, parser.parse_copy(note.text));
  const auto text = value.find("text");
  const auto parameters = value.find("parameters");
  if (!text || !parameters) {
    return Error{ErrorKind::corruption, application.file + ": what the store has of it cannot be read", {}};
  }
  application.text = text->string();
  for (json::Members members(*parameters); members.next();) {
    application.parameters.emplace(members.key(), members.value().string());
  }
  return application;
}

bool has_same_parameters(const contract::Contract& a, const contract::Contract& b) {
  return std::ranges::equal(a.parameters, b.parameters, [](const auto& one, const auto& other) {
    return one.name == other.name && one.value == other.value;
  });
}

}  // namespace

Result<std::unique_ptr<Contracts>> Contracts::open(store::Store& store, const Options& options) {
  std::unique_ptr<Contracts> contracts(new Contracts(store, options));
  WAYBILL_TRY(contracts->adoptions_.read());
  WAYBILL_TRY_ASSIGN(const auto notes, store.notes(note_prefix));
  for (const auto& note : notes) {
    WAYBILL_TRY_ASSIGN(const auto application, application_of(note));
    WAYBILL_TRY_ASSIGN(auto deployed, read(application));
    WAYBILL_TRY(contracts->make_room(*deployed));
    // Rules and counts are one commit: where a table has none, the process has ended before it.
    const auto table = store.find_table(deployed->table);
    const auto are = table->has_rules ? store::RulesAre::known : store::RulesAre::fresh;
    // One that was put in force before there were such walks has none either.
    if (!contracts->adoptions_.find(deployed->contract.name)) {
      WAYBILL_TRY(contracts->adoptions_.begin(deployed->contract.name, options.clock->wall_ms()));
    }
    WAYBILL_TRY(contracts->put_in_force(std::move(deployed), are));
  }
  WAYBILL_TRY(contracts->release_tables());
  return contracts;
}

// Tables that the rules of a contract were left on that is not in force any more.
Status Contracts::release_tables() {
  constexpr std::size_t names_at_once = 100;
  for (auto names = store_.list_tables({}, names_at_once); !names.empty();
       names = store_.list_tables(names.back(), names_at_once)) {
    for (const auto& name : names) {
      const auto table = store_.find_table(name);
      if (table && table->has_rules && !find_by_table(name)) {
        WAYBILL_TRY(renew_rules(name));
      }
    }
  }
  return {};
}

Result<DeployedPtr> Contracts::apply(const Application& application) {
  const std::lock_guard applying(applying_);
  WAYBILL_TRY_ASSIGN(auto deployed, read(application));
  const auto present = find(deployed->contract.name);
  if (present && present->text == deployed->text &&
      has_same_parameters(present->contract, deployed->contract)) {
    return present;
  }
  WAYBILL_TRY(check_change(*deployed));
  const bool is_known = present && count_the_same(*present, *deployed);
  const bool is_adopted = is_known && adopt_the_same(*present, *deployed);
  WAYBILL_TRY(install(deployed, is_known ? store::RulesAre::known : store::RulesAre::fresh,
                      is_adopted ? OldRecords::are_as_they_should_be : OldRecords::are_adopted));
  if (present && present->table != deployed->table) {
    WAYBILL_TRY(renew_rules(present->table));
  }
  return deployed;
}

Result<DeployedPtr> Contracts::replace(const Application& application, const std::string& table) {
  const std::lock_guard applying(applying_);
  WAYBILL_TRY_ASSIGN(auto deployed, read(application));
  const auto present = find_by_table(table);
  if (deployed->table != table) {
    return invalid(application.file + ": its table is " + deployed->table + ", and not " + table);
  }
  if (!present || present->contract.name != deployed->contract.name) {
    return invalid(application.file + ": the table " + table + " has " +
                   (present ? "the contract " + present->contract.name : std::string("no contract")) +
                   " and not " + deployed->contract.name);
  }
  WAYBILL_TRY(install(
      deployed, store::RulesAre::known,
      adopt_the_same(*present, *deployed) ? OldRecords::are_as_they_should_be : OldRecords::are_adopted));
  return deployed;
}

Status Contracts::make_room(const Deployed& deployed) {
  WAYBILL_TRY(make_system_tables(store_, options_.clock->wall_ms(), *options_.entropy));
  WAYBILL_TRY(make_table(deployed));
  WAYBILL_TRY(make_queues(deployed));
  return options_.make_more ? options_.make_more(deployed) : Status();
}

// The walk over old records is on disk before the rules that it is for: those who write in between are old as
// well.
Status Contracts::install(const DeployedPtr& deployed, store::RulesAre are, OldRecords old) {
  WAYBILL_TRY(options_.check ? options_.check(*deployed) : Status());
  WAYBILL_TRY(make_room(*deployed));
  WAYBILL_TRY(wait_for<void>([&](auto done) { store_.put_note(note_of(*deployed), std::move(done)); }));
  if (old == OldRecords::are_adopted) {
    WAYBILL_TRY(adoptions_.begin(deployed->contract.name, options_.clock->wall_ms()));
  }
  WAYBILL_TRY(put_in_force(deployed, are));
  return on_change_();
}

Status Contracts::check_change(const Deployed& next) const {
  for (const auto& other : all()) {
    if (other->table == next.table && other->contract.name != next.contract.name) {
      return invalid("contract " + next.contract.name + ": the table " + next.table +
                     " is that of contract " + other->contract.name + "; a table has one contract");
    }
  }
  const auto present = find(next.contract.name);
  if (!present) {
    return {};
  }
  if (present->text != next.text && next.contract.version <= present->contract.version) {
    return invalid("contract " + next.contract.name + ": version " +
                   std::to_string(present->contract.version) +
                   " is in force with another text; give this one a higher version");
  }
  const auto table = store_.find_table(present->table);
  if (!table || store_.stats(table->space).items == 0) {
    return {};
  }
  std::string text;
  if (present->table != next.table) {
    text += "\n  the table is " + next.table + ", and was " + present->table + ": its records stay there";
  }
  for (const auto& difference : contract::compare(present->contract, next.contract)) {
    if (difference.kind != contract::Difference::Kind::safe) {
      text += "\n  " + difference.what + ": " + difference.why;
    }
  }
  return text.empty() ? Status()
                      : invalid("contract " + next.contract.name +
                                ": there are records that this change would need a migration for:" + text);
}

Status Contracts::make_table(const Deployed& deployed) {
  const int64_t now_ms = options_.clock->wall_ms();
  const auto present = store_.find_table(deployed.table);
  if (!present) {
    WAYBILL_TRY_ASSIGN(auto table, rules::make_table(deployed, now_ms));
    table.uuid = make_uuid4(*options_.entropy);
    WAYBILL_TRY(wait_for<table::TablePtr>(
        [&](auto done) { store_.create_table(std::move(table), std::move(done)); }));
    return {};
  }
  WAYBILL_TRY_ASSIGN(const auto next, adapt_table(deployed, *present, now_ms));
  if (table::serialize(next) == table::serialize(*present)) {
    return {};
  }
  const auto change = [&](const table::Table& now) { return adapt_table(deployed, now, now_ms); };
  WAYBILL_TRY(wait_for<table::TablePtr>(
      [&](auto done) { store_.change_table(deployed.table, change, std::move(done)); }));
  return {};
}

Status Contracts::make_queues(const Deployed& deployed) {
  store::Queues* const queues = store_.queues();
  for (const auto& kind : deployed.kinds) {
    WAYBILL_TRY_ASSIGN(auto wanted, rules::make_queues(kind, options_.clock->wall_ms()));
    if (queues == nullptr && !wanted.empty()) {
      return Error{ErrorKind::unsupported, "this store keeps no queues", {}};
    }
    for (auto& queue : wanted) {
      if (!queues->find(queue.name)) {
        WAYBILL_TRY(
            wait_for<queue::QueuePtr>([&](auto done) { queues->create(std::move(queue), std::move(done)); }));
      }
    }
  }
  return {};
}

Status Contracts::put_in_force(DeployedPtr deployed, store::RulesAre are) {
  const std::lock_guard changing(changing_);
  WAYBILL_TRY(set_rules(deployed->table, deployed, are));
  const std::lock_guard lock(mutex_);
  in_force_.insert_or_assign(deployed->contract.name, std::move(deployed));
  return {};
}

Status Contracts::set_rules(const std::string& table, const DeployedPtr& deployed, store::RulesAre are) {
  auto rules = deployed ? make_rules(deployed) : nullptr;
  if (options_.wrap) {
    rules = options_.wrap(table, deployed.get(), std::move(rules));
  }
  return wait_for<void>([&](auto done) { store_.set_rules(table, std::move(rules), are, std::move(done)); });
}

Status Contracts::renew_rules(const std::string& table) {
  const std::lock_guard changing(changing_);
  return set_rules(table, find_by_table(table), store::RulesAre::known);
}

Status Contracts::withdraw(const std::string& name) {
  const std::lock_guard applying(applying_);
  const auto deployed = find(name);
  if (!deployed) {
    return Error{ErrorKind::not_found, "no contract " + name + " is in force", {}};
  }
  WAYBILL_TRY(wait_for<void>(
      [&](auto done) { store_.forget_note(std::string(note_prefix) + name, std::move(done)); }));
  {
    const std::lock_guard changing(changing_);
    WAYBILL_TRY(set_rules(deployed->table, nullptr, store::RulesAre::known));
    const std::lock_guard lock(mutex_);
    in_force_.erase(in_force_.find(name));
  }
  WAYBILL_TRY(adoptions_.forget(name));
  return on_change_();
}

DeployedPtr Contracts::find(std::string_view name) const {
  const std::lock_guard lock(mutex_);
  const auto found = in_force_.find(name);
  return found == in_force_.end() ? nullptr : found->second;
}

DeployedPtr Contracts::find_by_table(std::string_view table) const {
  const std::lock_guard lock(mutex_);
  const auto found =
      std::ranges::find_if(in_force_, [&](const auto& entry) { return entry.second->table == table; });
  return found == in_force_.end() ? nullptr : found->second;
}

std::optional<QueueUse> Contracts::find_use(std::string_view queue) const {
  for (const auto& deployed : all()) {
    if (deployed->contract.enforcement == contract::Enforcement::off) {
      continue;
    }
    for (const auto& kind : deployed->kinds) {
      if (!kind.queue.empty() && (kind.queue == queue || kind.dead_letters == queue)) {
        return QueueUse{deployed->contract.name, kind.record->name, kind.queue != queue};
      }
    }
  }
  return {};
}

std::vector<DeployedPtr> Contracts::all() const {
  const std::lock_guard lock(mutex_);
  std::vector<DeployedPtr> listed;
  for (const auto& [name, deployed] : in_force_) {
    listed.push_back(deployed);
  }
  return listed;
}

}  // namespace waybill::rules
