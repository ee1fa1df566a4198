#include "rules/plan.h"

#include <algorithm>
#include <utility>

#include "rules/system_tables.h"

namespace waybill::rules {

namespace {

using contract::Contract;
using contract::Field;
using contract::FieldType;
using contract::Record;

std::optional<item::Decimal> bound(const std::optional<contract::Formula>& formula) {
  if (!formula || formula->root().kind != contract::Formula::Node::Kind::number) {
    return {};
  }
  auto number = item::Decimal::parse(formula->root().text);
  return number ? std::optional(*std::move(number)) : std::nullopt;
}

bool is_dropped(const Contract& contract, const Field& field) {
  return std::ranges::any_of(field.dropped_where, [&](const auto& where) {
    return parameter(contract, where.first) == where.second;
  });
}

// Of a member of a map: its default does not depend on other fields.
std::string constant(const std::optional<contract::Formula>& formula, FieldType type) {
  std::string encoded;
  if (formula) {
    const Expression::Names nothing{[](const std::string&) { return SlotPath(); },
                                    [](const std::string&) { return std::optional<std::string>(); }};
    Expression::compile(*formula, nothing).append(encoded, type, Slots(0));
  }
  return encoded;
}

FieldPlan plan_field(const Contract& contract, const Field& field) {
  FieldPlan plan;
  plan.name = field.name;
  plan.type = field.type;
  plan.required = !field.optional;
  plan.dropped = is_dropped(contract, field);
  plan.one_of = field.one_of;
  plan.minimum = bound(field.minimum);
  plan.maximum = bound(field.maximum);
  plan.length_max = field.length_max;
  for (const auto& member : field.fields) {
    plan.members.push_back(plan_field(contract, member));
    FieldPlan& made = plan.members.back();
    made.initial = constant(member.initial, member.type);
    plan.completes = plan.completes || made.completes || made.dropped || !made.initial.empty();
  }
  if (field.element) {
    plan.element.push_back(plan_field(contract, *field.element));
    plan.completes = plan.completes || plan.element.front().completes;
  }
  return plan;
}

// Compiles one kind, slot by slot.
class Compiler {
 public:
  Compiler(const Contract& contract, const Kind& kind) : contract_(contract), record_(*kind.record) {
    plan_.kind = &kind;
    plan_.record = kind.record;
  }

  KindPlan compile() {
    add_fields();
    add_status();
    add_automatics();
    add_keys();
    add_outside();
    add_idempotency();
    for (std::size_t slot = plan_.fields.size(); slot < plan_.names.size(); ++slot) {
      plan_.fields.emplace_back().name = plan_.names.name(static_cast<uint16_t>(slot));
    }
    plan_.automatic.resize(plan_.names.size());
    list_slots();
    return std::move(plan_);
  }

 private:
  uint16_t slot(const std::string& name) { return plan_.names.add(name); }
  uint16_t slot(const std::optional<contract::Name>& name) {
    return name ? slot(name->text) : SlotNames::none;
  }

  // "error.code" is a field of that name where there is one, else a way through maps.
  SlotPath path(const std::string& name) {
    SlotPath made;
    const std::size_t point = name.find('.');
    const Field* field = record_.find(name);
    if (field != nullptr || point == std::string::npos) {
      made.slot = slot(name);
      made.type = field != nullptr ? field->type : type_of_implicit(name);
      return made;
    }
    made.slot = slot(name.substr(0, point));
    for (std::size_t begin = point + 1; begin <= name.size();) {
      const std::size_t end = std::min(name.find('.', begin), name.size());
      made.inner.push_back(name.substr(begin, end - begin));
      begin = end + 1;
    }
    return made;
  }

  FieldType type_of_implicit(const std::string& name) const {
    return record_.version && record_.version->text == name ? FieldType::integer : FieldType::any;
  }

  Expression::Names names() {
    return {[this](const std::string& name) { return path(name); },
            [this](const std::string& name) { return parameter(contract_, name); }};
  }
  Expression expression(const contract::Formula& formula) { return Expression::compile(formula, names()); }
  Expression expression(const contract::TextTemplate& text) { return Expression::compile(text, names()); }

  FieldPlan& field_at(uint16_t at) {
    if (plan_.fields.size() <= at) {
      plan_.fields.resize(at + 1U);
    }
    return plan_.fields[at];
  }
  Automatic& automatic_at(uint16_t at) {
    if (plan_.automatic.size() <= at) {
      plan_.automatic.resize(at + 1U);
    }
    return plan_.automatic[at];
  }

  void add_fields() {
    for (const auto& field : record_.fields) {
      field_at(slot(field.name)) = plan_field(contract_, field);
    }
    for (const auto& name : plan_.kind->key_fields) {
      FieldPlan& plan = field_at(slot(name));
      plan.name = name;
      if (plan.type == FieldType::any) {
        plan.type = FieldType::string;
      }
      plan.required = true;
    }
  }

  void add_status() {
    if (record_.status) {
      plan_.status = slot(record_.status->field.text);
      FieldPlan& plan = field_at(plan_.status);
      plan.name = record_.status->field.text;
      plan.type = FieldType::string;
      plan.required = true;
      for (const auto& state : record_.status->states) {
        plan.one_of.push_back(state.name.text);
      }
    }
    if (record_.version) {
      plan_.version = slot(record_.version->text);
      FieldPlan& plan = field_at(plan_.version);
      plan.name = record_.version->text;
      plan.type = FieldType::integer;
      plan.required = true;
    }
    const bool expires = contract_.table.ttl && record_.find(contract_.table.ttl->text) != nullptr;
    plan_.ttl = expires ? slot(contract_.table.ttl->text) : SlotNames::none;
    plan_.tenant = slot(record_.tenant);
    for (const auto& counter : record_.counters) {
      plan_.reserves.push_back({slot(counter.estimate.text), slot(counter.reserved.text)});
    }
    for (const auto& whose : {record_.owner, record_.tenant}) {
      if (whose) {
        automatic_at(slot(whose->text)).fixed = true;
      }
    }
  }

  void add_automatics() {
    for (const auto& field : record_.fields) {
      const uint16_t at = slot(field.name);
      Automatic made;
      if (field.initial) {
        made.initial = expression(*field.initial);
      }
      if (field.computed) {
        made.computed = expression(*field.computed);
      }
      made.set = field.set;
      for (const auto& state : field.only_in) {
        made.only_in.push_back(state.text);
      }
      made.only_with = slot(field.only_with);
      made.fixed =
          automatic_at(at).fixed || (field.set && field.set->moment == contract::SetRule::Moment::on_create);
      automatic_at(at) = std::move(made);
    }
  }

  void add_keys() {
    for (const auto& [attribute, text] : record_.key) {
      plan_.key.push_back({attribute, &text, expression(text)});
    }
    for (const auto& mirror : record_.mirrors) {
      MirrorPlan made;
      made.mirror = &mirror;
      for (const auto& [attribute, text] : mirror.key) {
        made.key.emplace_back(attribute, expression(text));
      }
      plan_.mirrors.push_back(std::move(made));
    }
  }

  void add_outside() {
    for (const auto& event : record_.events) {
      EventPlan made;
      made.event = &event;
      for (const auto& [name, formula] : event.with) {
        made.with.emplace_back(name, expression(formula));
      }
      plan_.events.push_back(std::move(made));
    }
    if (record_.work) {
      for (const auto& [name, formula] : record_.work->message) {
        plan_.message.emplace_back(name, expression(formula));
      }
      if (record_.work->arrival) {
        plan_.arrival_bucket = expression(record_.work->arrival->bucket);
        plan_.arrival_key = expression(record_.work->arrival->key);
      }
      if (record_.work->enqueue) {
        plan_.ready_state = record_.work->enqueue->to.text;
      } else if (!record_.work->arrival && record_.status) {
        plan_.ready_state = record_.status->start.text;
      }
    }
    if (record_.tags) {
      plan_.tags = slot(record_.tags->field.text);
      plan_.tags_within = slot(record_.tags->within);
      plan_.tags_newest_by = slot(record_.tags->newest_by);
    }
    plan_.audited_by = slot(record_.audited_by);
    for (const auto& name : record_.trace) {
      plan_.trace.push_back(slot(name.text));
    }
  }

  void list_slots() {
    for (std::size_t i = 0; i < plan_.automatic.size(); ++i) {
      const auto at = static_cast<uint16_t>(i);
      const Automatic& automatic = plan_.automatic[i];
      const auto add = [at](std::vector<uint16_t>& list, bool wanted) {
        if (wanted) {
          list.push_back(at);
        }
      };
      add(plan_.fixed, automatic.fixed);
      add(plan_.with_default, automatic.initial.has_value());
      add(plan_.with_time, automatic.set.has_value());
      add(plan_.passing,
          !automatic.only_in.empty() || automatic.only_with != SlotNames::none || plan_.fields[i].dropped);
      add(plan_.completed, plan_.fields[i].completes);
      add(plan_.computed, automatic.computed.has_value());
    }
    if (record_.status) {
      for (const auto& state : record_.status->states) {
        plan_.state_counters.emplace_back(state.name.text,
                                          count_of_state(contract_.name, record_.name, state.name.text));
      }
    }
  }

  void add_idempotency() {
    if (!record_.idempotency) {
      return;
    }
    if (record_.idempotency->field) {
      contract::Formula::Node node;
      node.kind = contract::Formula::Node::Kind::field;
      node.text = record_.idempotency->field->text;
      plan_.idempotency_key = expression(contract::Formula::of(std::move(node)));
    }
    for (const auto& name : record_.idempotency->hash_of) {
      plan_.idempotency_hash.push_back(slot(name.text));
    }
    plan_.idempotency_within = slot(record_.idempotency->within);
  }

  const Contract& contract_;
  const Record& record_;
  KindPlan plan_;
};

}  // namespace

Slots KindPlan::gather(item::ItemView item) const {
  Slots slots(names.size());
  slots.gather(names, item, [](std::string_view) {});
  return slots;
}

const KindPlan* Plan::find(std::string_view record) const {
  const auto found =
      std::ranges::find_if(kinds, [&](const KindPlan& kind) { return kind.record->name == record; });
  return found == kinds.end() ? nullptr : &*found;
}

const KindPlan* Plan::find_role(contract::Role role) const {
  const auto found =
      std::ranges::find_if(kinds, [&](const KindPlan& kind) { return kind.record->role == role; });
  return found == kinds.end() ? nullptr : &*found;
}

Plan compile(DeployedPtr deployed) {
  Plan plan;
  for (const auto& kind : deployed->kinds) {
    plan.kinds.push_back(Compiler(deployed->contract, kind).compile());
  }
  plan.publishes = !deployed->contract.publish.empty();
  plan.deployed = std::move(deployed);
  return plan;
}

}  // namespace waybill::rules
