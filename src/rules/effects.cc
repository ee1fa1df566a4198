#include "rules/effects.h"

#include <algorithm>
#include <set>
#include <utility>

#include "rules/draft.h"
#include "rules/message.h"
#include "rules/system_tables.h"
#include "table/key.h"

namespace waybill::rules {

namespace {

// Of a value that is to sort as text.
std::string sortable(std::optional<item::ValueView> value) {
  constexpr std::size_t digits = 20;
  if (!value) {
    return {};
  }
  std::string text(value->bytes());
  if (value->type() == item::Type::number && text.size() < digits) {
    text.insert(0, digits - text.size(), '0');
  }
  return text;
}

std::set<std::string> tags_in(const Slots& slots, uint16_t slot) {
  std::set<std::string> tags;
  const auto value = slots.at(slot);
  if (value && value->type() == item::Type::list) {
    for (auto elements = value->elements(); elements.next();) {
      if (elements.value().type() == item::Type::string) {
        tags.emplace(elements.value().bytes());
      }
    }
  }
  if (value && value->type() == item::Type::string_set) {
    for (auto members = value->set_members(); members.next();) {
      tags.emplace(members.bytes());
    }
  }
  return tags;
}

item::Item tag_row(const Happening& happening, const Slots& slots, const std::string& tag) {
  const KindPlan& kind = happening.kind;
  const std::string within = kind.tags_within == SlotNames::none ? "" : text_in(slots, kind.tags_within);
  const std::string newest =
      kind.tags_newest_by == SlotNames::none ? "" : sortable(slots.at(kind.tags_newest_by));
  const std::string id = happening.path.substr(happening.path.rfind('/') + 1);
  item::Item row;
  add_string(row, "tag", name_of_row(happening.plan.deployed->contract.name, kind.record->name, within, tag));
  add_string(row, "place", newest + "/" + id);
  add_string(row, "id", id);
  return row;
}

// Null where there is no table of that name.
store::Effect* add_effect(store::Effect::Kind kind, std::string_view table, const store::Ground& ground,
                          store::Effects& effects) {
  auto found = ground.find_table(table);
  if (!found) {
    return nullptr;
  }
  store::Effect& effect = effects.emplace_back();
  effect.kind = kind;
  effect.table = std::move(found);
  return &effect;
}

std::optional<item::Item> key_of_mirror(const MirrorPlan& mirror, const Slots& record) {
  item::Item key;
  for (const auto& [attribute, made] : mirror.key) {
    const auto text = made.text(record);
    if (!text) {
      return {};
    }
    add_string(key, attribute, *text);
  }
  return key;
}

}  // namespace

bool is_announced(const Happening& happening) {
  if (happening.kind.record->work == std::nullopt || !happening.proposal.after ||
      is_imported(happening.proposal.author)) {
    return false;
  }
  if (happening.proposal.author.operation == "enqueue") {
    return true;
  }
  if (!happening.is_moved()) {
    return false;
  }
  const auto& steps = happening.kind.record->work->steps;
  const bool resumes = steps && steps->pause && steps->resume && happening.from == steps->pause->text &&
                       happening.to == steps->resume->text;
  return resumes || (!happening.kind.ready_state.empty() && happening.to == happening.kind.ready_state);
}

bool JudgedRecord::is_of(const KindPlan& its_kind, const store::Proposal& proposal) const {
  const auto was = proposal.before ? proposal.before->encoded() : std::string_view();
  return kind == &its_kind && proposal.after && is_about(*proposal.after) &&
         before_item.data() == was.data() && before_item.size() == was.size();
}

Happening happening_of(const Plan& plan, const KindPlan& kind, const store::Proposal& proposal) {
  Happening made{plan, kind, proposal, Slots(0), Slots(0), {}, {}, {}};
  const auto* const judged = dynamic_cast<const JudgedRecord*>(proposal.judged);
  if (judged != nullptr && judged->is_of(kind, proposal)) {
    made.before = judged->before;
    made.after = judged->after;
  } else {
    made.before = proposal.before ? kind.gather(*proposal.before) : Slots(kind.names.size());
    made.after = proposal.after ? kind.gather(*proposal.after) : Slots(kind.names.size());
  }
  made.path =
      path_of(*plan.deployed, *kind.kind, proposal.after ? *proposal.after : *proposal.before).value_or("");
  if (kind.status != SlotNames::none) {
    made.from = made.before.text(kind.status).value_or("");
    made.to = made.after.text(kind.status).value_or("");
  }
  return made;
}

void add_string(item::Item& item, std::string_view name, std::string_view value) {
  item::append_name(item.encoded, name);
  item::append_scalar(item.encoded, item::Type::string, value);
}

void add_number(item::Item& item, std::string_view name, int64_t value) {
  item::append_name(item.encoded, name);
  item::append_scalar(item.encoded, item::Type::number, std::to_string(value));
}

std::string text_in(const Slots& slots, uint16_t slot) {
  const auto value = slot == SlotNames::none ? std::nullopt : slots.at(slot);
  const bool has_text = value && (value->type() == item::Type::string || value->type() == item::Type::number);
  return has_text ? std::string(value->bytes()) : std::string();
}

void put_row(std::string_view table, item::Item item, const store::Ground& ground, store::Effects& effects) {
  if (auto* const effect = add_effect(store::Effect::Kind::put, table, ground, effects)) {
    effect->key = table::primary_key(effect->table->key, item.view());
    effect->item = std::move(item);
  }
}

void add_row(std::string_view table, item::Item item, const store::Ground& ground, store::Effects& effects) {
  if (auto* const effect = add_effect(store::Effect::Kind::add, table, ground, effects)) {
    effect->item = std::move(item);
  }
}

void remove_row(std::string_view table, const item::Item& key, const store::Ground& ground,
                store::Effects& effects) {
  if (auto* const effect = add_effect(store::Effect::Kind::remove, table, ground, effects)) {
    effect->key = table::primary_key(effect->table->key, key.view());
  }
}

void add_counts(const Happening& happening, store::Effects& effects) {
  const uint16_t tenant_slot = happening.kind.tenant;
  const bool has_same_tenant =
      tenant_slot == SlotNames::none || same(happening.before, happening.after, tenant_slot);
  if (!happening.is_moved() && has_same_tenant) {
    return;
  }
  const auto add = [&](const Slots& slots, const std::string& state, int64_t delta) {
    const auto& counters = happening.kind.state_counters;
    const auto known = std::ranges::find(counters, state, &std::pair<std::string, std::string>::first);
    if (known == counters.end()) {
      return;
    }
    const auto add_one = [&](std::string counter) {
      store::Effect& effect = effects.emplace_back();
      effect.kind = store::Effect::Kind::count;
      effect.delta = delta;
      effect.counter = std::move(counter);
    };
    add_one(known->second);
    if (const auto tenant = text_in(slots, happening.kind.tenant); !tenant.empty()) {
      add_one(known->second + "/" + tenant);
    }
  };
  add(happening.before, happening.from, -1);
  add(happening.after, happening.to, 1);
}

void add_tags(const Happening& happening, const store::Ground& ground, store::Effects& effects) {
  const KindPlan& kind = happening.kind;
  if (kind.tags == SlotNames::none) {
    return;
  }
  const auto is_same = [&](uint16_t slot) {
    return slot == SlotNames::none || same(happening.before, happening.after, slot);
  };
  if (is_same(kind.tags) && is_same(kind.tags_within) && is_same(kind.tags_newest_by)) {
    return;
  }
  for (const auto& tag : tags_in(happening.before, kind.tags)) {
    remove_row(tags_table, tag_row(happening, happening.before, tag), ground, effects);
  }
  for (const auto& tag : tags_in(happening.after, kind.tags)) {
    put_row(tags_table, tag_row(happening, happening.after, tag), ground, effects);
  }
}

void add_lease_end(const Happening& happening, const store::Ground& ground, store::Effects& effects) {
  if (happening.is_removed() && happening.kind.record->work) {
    item::Item key;
    add_string(key, "record", happening.path);
    remove_row(leases_table, key, ground, effects);
  }
}

void add_message(const Happening& happening, store::Ground& ground, store::Effects& effects) {
  if (!is_announced(happening)) {
    return;
  }
  effects.push_back(
      make_message({happening.kind.kind->queue, envelope(happening),
                    text_in(happening.after, happening.kind.tenant), happening.proposal.author.name},
                   ground));
}

std::optional<item::Item> mirror_of(const KindPlan& kind, const MirrorPlan& mirror, const Slots& record) {
  auto made = key_of_mirror(mirror, record);
  if (!made) {
    return {};
  }
  for (const auto& field : mirror.mirror->fields) {
    const uint16_t slot = kind.names.find(field.text);
    if (const auto value = slot == SlotNames::none ? std::nullopt : record.at(slot)) {
      item::append_attribute(made->encoded, field.text, *value);
    }
  }
  return made;
}

Status add_mirrors(const Happening& happening, const store::Ground& ground, store::Effects& effects) {
  const std::string& table = happening.proposal.table.name;
  for (const auto& mirror : happening.kind.mirrors) {
    const auto old_key = happening.proposal.before ? key_of_mirror(mirror, happening.before) : std::nullopt;
    const auto new_key = happening.proposal.after ? key_of_mirror(mirror, happening.after) : std::nullopt;
    if (old_key && (!new_key || old_key->encoded != new_key->encoded)) {
      remove_row(table, *old_key, ground, effects);
    }
    if (new_key) {
      put_row(table, *mirror_of(happening.kind, mirror, happening.after), ground, effects);
    }
  }
  return {};
}

}  // namespace waybill::rules
