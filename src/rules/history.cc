// The journal: what happened to a record, and the events that are to be told.
#include <algorithm>
#include <utility>

#include "rules/draft.h"
#include "rules/effects.h"
#include "rules/system_tables.h"

namespace waybill::rules {

namespace {

constexpr int64_t kept_seconds = int64_t{90} * 24 * 60 * 60;

// Its number ("seq") comes with the commit.
item::Item begin_row(const std::string& path, std::string_view action, const store::Author& author,
                     const store::Ground& ground) {
  constexpr std::size_t bytes_mostly = 320;
  item::Item row;
  row.encoded.reserve(bytes_mostly);
  add_string(row, "record", path);
  add_number(row, "at", ground.now_ms());
  add_string(row, "actor", author.name);
  add_string(row, "action", action);
  add_number(row, "ttl", ground.now_ms() / 1000 + kept_seconds);
  return row;
}

void add_where_given(item::Item& row, std::string_view name, std::string_view value) {
  if (!value.empty()) {
    add_string(row, name, value);
  }
}

std::string_view action_of(const Happening& happening) {
  if (!happening.proposal.author.operation.empty()) {
    return happening.proposal.author.operation;
  }
  if (happening.is_created()) {
    return "created";
  }
  if (happening.is_removed()) {
    return happening.proposal.expired ? "expired" : "removed";
  }
  return happening.is_moved() ? "moved" : "changed";
}

bool is_due(const contract::Event& event, const Happening& happening) {
  if (is_imported(happening.proposal.author)) {
    return false;
  }
  if (event.on_create && happening.is_created()) {
    return true;
  }
  return happening.is_moved() && std::ranges::any_of(event.on, [&](const contract::Name& state) {
           return state.text == happening.to;
         });
}

void append_data(std::string& out, const EventPlan& event, const Happening& happening) {
  const KindPlan& kind = happening.kind;
  std::vector<std::string> names = kind.kind->key_fields;
  const auto add = [&](uint16_t slot) {
    if (slot != SlotNames::none && std::ranges::find(names, kind.names.name(slot)) == names.end()) {
      names.push_back(kind.names.name(slot));
    }
  };
  add(kind.tenant);
  add(kind.status);
  std::ranges::for_each(kind.trace, add);
  const auto mark = item::open_container(out, item::Type::map);
  for (const auto& name : names) {
    const uint16_t slot = kind.names.find(name);
    const bool is_given = std::ranges::any_of(event.with, [&](const auto& one) { return one.first == name; });
    const auto value = is_given ? std::nullopt : happening.last().at(slot);
    if (value) {
      item::append_attribute(out, name, *value);
    }
  }
  for (const auto& [name, made] : event.with) {
    std::string encoded;
    if (made.append(encoded, contract::FieldType::any, happening.last())) {
      item::append_attribute(out, name, item::ValueView(encoded.data()));
    }
  }
  item::close_container(out, mark);
}

// Where the contract keeps its events in its own table, the event is there as well, and is marked once it is
// told. Its id is the number of the row.
void add_outbox(item::Item& row, const EventPlan& event, const Happening& happening, store::Ground& ground,
                store::Effects& effects) {
  const KindPlan* const outbox = happening.plan.find_role(contract::Role::outbox);
  if (outbox == nullptr) {
    return;
  }
  const auto number = static_cast<int64_t>(ground.next_number());
  add_number(row, "seq", number);
  item::Item fields;
  add_string(fields, "event_id", std::to_string(number));
  const auto key = key_of_fields(*happening.plan.deployed, *outbox->kind, fields.view());
  if (!key) {
    return;
  }
  item::Item item = *key;
  add_string(item, "type", event.event->type);
  item::append_name(item.encoded, "payload");
  append_data(item.encoded, event, happening);
  add_string(item, "status", "pending");
  item::append_name(item.encoded, "ts");
  append_time(item.encoded, contract::FieldType::timestamp, ground.now_ms());
  item::append_name(row.encoded, "outbox");
  const auto mark = item::open_container(row.encoded, item::Type::map);
  item::append_name(row.encoded, "table");
  item::append_scalar(row.encoded, item::Type::string, happening.plan.deployed->table);
  for (const auto& plan : outbox->key) {
    item::append_attribute(row.encoded, plan.attribute, *item.view().find(plan.attribute));
  }
  item::close_container(row.encoded, mark);
  put_row(happening.plan.deployed->table, std::move(item), ground, effects);
}

void add_event(item::Item& row, const EventPlan& event, const Happening& happening, store::Ground& ground,
               store::Effects& effects) {
  add_string(row, "event", event.event->type);
  item::append_name(row.encoded, "data");
  append_data(row.encoded, event, happening);
  add_outbox(row, event, happening, ground, effects);
  if (happening.plan.publishes) {
    add_string(row, "pending", happening.plan.deployed->contract.name);
  }
}

// An event that a client has put into the contract's own place for events.
void add_clients_event(const Happening& happening, store::Ground& ground, store::Effects& effects) {
  const bool is_event = happening.kind.record->role == contract::Role::outbox && happening.is_created() &&
                        !is_imported(happening.proposal.author);
  const auto type = is_event ? happening.proposal.after->find("type") : std::nullopt;
  if (!type || type->type() != item::Type::string || !happening.plan.publishes) {
    return;
  }
  item::Item row = begin_row(happening.path, "created", happening.proposal.author, ground);
  add_string(row, "event", type->bytes());
  if (const auto payload = happening.proposal.after->find("payload")) {
    item::append_attribute(row.encoded, "data", *payload);
  }
  item::append_name(row.encoded, "outbox");
  const auto mark = item::open_container(row.encoded, item::Type::map);
  item::append_name(row.encoded, "table");
  item::append_scalar(row.encoded, item::Type::string, happening.plan.deployed->table);
  for (const auto& plan : happening.kind.key) {
    item::append_attribute(row.encoded, plan.attribute, *happening.proposal.after->find(plan.attribute));
  }
  item::close_container(row.encoded, mark);
  add_string(row, "pending", happening.plan.deployed->contract.name);
  add_row(journal_table, std::move(row), ground, effects);
}

}  // namespace

void add_history(const Happening& happening, store::Ground& ground, store::Effects& effects) {
  if (happening.kind.record->role != contract::Role::ordinary) {
    add_clients_event(happening, ground, effects);
    return;
  }
  const bool is_told_by_name =
      !happening.proposal.author.operation.empty() && !is_imported(happening.proposal.author);
  const bool is_worth_a_line =
      happening.is_created() || happening.is_removed() || happening.is_moved() || is_told_by_name;
  if (!is_worth_a_line || happening.proposal.author.operation == "publish") {
    return;
  }
  const store::Author& author = happening.proposal.author;
  item::Item row = begin_row(happening.path, action_of(happening), author, ground);
  if (happening.is_moved()) {
    add_where_given(row, "from", happening.from);
    add_where_given(row, "to", happening.to);
  }
  add_where_given(row, "why", author.why);
  for (const auto& event : happening.kind.events) {
    if (!is_due(*event.event, happening)) {
      continue;
    }
    if (row.view().find("event")) {
      add_row(journal_table, std::exchange(row, begin_row(happening.path, "event", author, ground)), ground,
              effects);
    }
    add_event(row, event, happening, ground, effects);
  }
  add_row(journal_table, std::move(row), ground, effects);
}

void add_arrival_line(const std::string& path, store::Ground& ground, store::Effects& effects) {
  static const store::Author system{"waybill", {}, {}};
  add_row(journal_table, begin_row(path, "arrived", system, ground), ground, effects);
}

void add_complaint(const Plan& plan, const Complaint& complaint, const store::Author& author,
                   store::Ground& ground, store::Effects& effects) {
  item::Item row = begin_row(complaint.path, complaint.action, author, ground);
  add_where_given(row, "from", complaint.from);
  add_where_given(row, "to", complaint.to);
  add_where_given(row, "rule", complaint.rule);
  add_where_given(row, "why", complaint.text);
  add_row(journal_table, std::move(row), ground, effects);
  store::Effect effect;
  effect.kind = store::Effect::Kind::count;
  effect.counter =
      count_of_refusals(plan.deployed->contract.name, complaint.kind.record->name, complaint.rule);
  effect.delta = 1;
  effects.push_back(std::move(effect));
}

}  // namespace waybill::rules
