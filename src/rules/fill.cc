// The part of a judgement that adds what the system itself knows: keys, defaults, times, versions, computed
// values.
#include <algorithm>
#include <map>
#include <utility>

#include "item/number.h"
#include "rules/draft.h"

namespace waybill::rules {

namespace {

using contract::FieldType;
using contract::SetRule;

bool is_number(FieldType type) {
  return type == FieldType::integer || type == FieldType::number || type == FieldType::epoch_ms ||
         type == FieldType::epoch_s;
}

std::string encoded_text(FieldType type, std::string_view text) {
  std::string encoded;
  if (!is_number(type)) {
    item::append_scalar(encoded, item::Type::string, text);
    return encoded;
  }
  std::string normal = "0";
  if (const auto number = item::Decimal::parse(text)) {
    normal.clear();
    number->append_text(normal);
  }
  item::append_scalar(encoded, item::Type::number, normal);
  return encoded;
}

bool is_in(const contract::Names& names, std::string_view text) {
  return std::ranges::any_of(names, [&](const contract::Name& name) { return name.text == text; });
}

// A writer may give the key alone: what it is made of is read from it. Who gives both must mean the same.
std::optional<Refusal> fill_key_fields(Draft& draft, item::ItemView after) {
  const KindPlan& kind = draft.kind();
  for (const auto& key : kind.key) {
    const auto value = after.find(key.attribute);
    const auto made = key.made.text(draft.after());
    if (!value || value->type() != item::Type::string || (made && *made == value->bytes())) {
      continue;
    }
    const auto parts = key.text->match(value->bytes());
    for (const auto& [name, text] : parts.value_or(std::map<std::string, std::string>())) {
      const uint16_t slot = kind.names.find(name);
      if (slot == SlotNames::none) {
        continue;
      }
      const std::string encoded = encoded_text(kind.fields[slot].type, text);
      if (!draft.has(slot)) {
        draft.put(slot, encoded);
      } else if (draft.after().at(slot)->encoded() != encoded) {
        return Refusal{{"key", name, "is not what the key " + key.attribute + " says: " + text}, false};
      }
    }
  }
  return {};
}

void fill_status(Draft& draft) {
  const KindPlan& kind = draft.kind();
  if (kind.status == SlotNames::none || draft.has(kind.status)) {
    return;
  }
  const bool keeps = !draft.state_before().empty();
  draft.put(kind.status,
            encoded_text(FieldType::string,
                         keeps ? draft.state_before() : std::string_view(kind.record->status->start.text)));
}

// Whoever replaces a record without saying what never changes means to keep it.
std::optional<Refusal> fill_fixed(Draft& draft) {
  for (const uint16_t slot : draft.kind().fixed) {
    const auto before = draft.before().at(slot);
    if (!before || !draft.touches(slot)) {
      continue;
    }
    if (draft.has(slot)) {
      return Refusal{{"fixed", draft.kind().names.name(slot), "never changes once it is set"}, true};
    }
    draft.put(slot, std::string(before->encoded()));
  }
  return {};
}

void fill_defaults(Draft& draft) {
  const KindPlan& kind = draft.kind();
  for (const uint16_t slot : kind.with_default) {
    const auto& initial = kind.automatic[slot].initial;
    if (draft.has(slot) || (!draft.is_new() && !kind.fields[slot].required)) {
      continue;
    }
    std::string encoded;
    if (initial->append(encoded, kind.fields[slot].type, draft.after())) {
      draft.put(slot, std::move(encoded));
    }
  }
}

bool is_moment(const SetRule& rule, const Draft& draft, uint16_t slot) {
  const bool moves = draft.state_before() != draft.state_after();
  switch (rule.moment) {
    case SetRule::Moment::on_create:
      return draft.is_new() && !draft.has(slot);
    case SetRule::Moment::on_change:
      return draft.changes_anything() && (!draft.has(slot) || !draft.touches(slot));
    case SetRule::Moment::on_entering:
      return moves && is_in(rule.states, draft.state_after()) && !draft.touches(slot);
    case SetRule::Moment::on_first_entering:
      return moves && is_in(rule.states, draft.state_after()) && !draft.has(slot);
    case SetRule::Moment::on_leaving:
      return moves && is_in(rule.states, draft.state_before()) && !draft.touches(slot);
  }
  return false;
}

void fill_times(Draft& draft, int64_t now_ms) {
  const KindPlan& kind = draft.kind();
  for (const uint16_t slot : kind.with_time) {
    const auto& set = kind.automatic[slot].set;
    if (is_moment(*set, draft, slot)) {
      std::string encoded;
      append_time(encoded, kind.fields[slot].type, now_ms);
      draft.put(slot, std::move(encoded));
    }
  }
}

// A record begins with what it is estimated to cost as reserved; at its end nothing is any more. Whoever
// writes the field himself has his way.
void fill_reserves(Draft& draft) {
  const KindPlan& kind = draft.kind();
  for (const auto& [estimate, reserved] : kind.reserves) {
    if (draft.is_new() && draft.has(estimate) && !draft.has(reserved)) {
      draft.put(reserved, std::string(draft.after().at(estimate)->encoded()));
    }
    if (draft.is_new() || draft.touches(reserved) || draft.state_before() == draft.state_after()) {
      continue;
    }
    const auto* const entered = kind.record->status->find(std::string(draft.state_after()));
    if (entered != nullptr && entered->is_end && draft.has(reserved)) {
      draft.put(reserved, encoded_text(FieldType::integer, "0"));
    }
  }
}

// What belongs to some states alone, or to another field, goes with them.
void drop_what_has_passed(Draft& draft) {
  const KindPlan& kind = draft.kind();
  for (const uint16_t slot : kind.passing) {
    const auto& only_in = kind.automatic[slot].only_in;
    const uint16_t only_with = kind.automatic[slot].only_with;
    const bool belongs =
        (only_in.empty() || std::ranges::find(only_in, draft.state_after()) != only_in.end()) &&
        (only_with == SlotNames::none || draft.has(only_with));
    if ((!belongs && draft.has(slot) && !draft.touches(slot)) ||
        (kind.fields[slot].dropped && draft.has(slot))) {
      draft.remove(slot);
    }
  }
}

// A writer who leaves the version alone has it counted; one who counts must count right.
std::optional<Refusal> fill_version(Draft& draft) {
  const KindPlan& kind = draft.kind();
  if (kind.version == SlotNames::none || !draft.changes_anything()) {
    return {};
  }
  const auto was = draft.before().at(kind.version);
  const auto one = *item::Decimal::parse("1");
  auto next = one;
  if (was && was->type() == item::Type::number) {
    if (auto sum = item::Decimal::add(item::Decimal::from_normal(was->bytes()), one)) {
      next = *std::move(sum);
    }
  }
  std::string text;
  next.append_text(text);
  if (!draft.has(kind.version) || (was && !draft.touches(kind.version))) {
    draft.put(kind.version, encoded_text(FieldType::integer, text));
    return {};
  }
  const auto given = draft.after().at(kind.version);
  if (given->type() == item::Type::number && given->bytes() != text) {
    return Refusal{{"version", kind.names.name(kind.version),
                    "is " + std::string(given->bytes()) + ", and the next one is " + text},
                   true};
  }
  return {};
}

// How long a record is kept begins with its end.
void fill_retention(Draft& draft, int64_t now_ms) {
  const KindPlan& kind = draft.kind();
  if (kind.ttl == SlotNames::none || kind.status == SlotNames::none || kind.automatic[kind.ttl].computed ||
      draft.state_before() == draft.state_after()) {
    return;
  }
  const auto* const left = kind.record->status->find(std::string(draft.state_before()));
  const auto* const entered = kind.record->status->find(std::string(draft.state_after()));
  if (entered != nullptr && entered->retention && !draft.touches(kind.ttl)) {
    std::string encoded;
    append_time(encoded, FieldType::epoch_s, now_ms + entered->retention->seconds * 1000);
    draft.put(kind.ttl, std::move(encoded));
  } else if (left != nullptr && left->retention && draft.has(kind.ttl) && !draft.touches(kind.ttl)) {
    draft.remove(kind.ttl);
  }
}

void fill_maps(Draft& draft) {
  const KindPlan& kind = draft.kind();
  for (const uint16_t slot : kind.completed) {
    std::string made;
    if (draft.has(slot) && draft.touches(slot) &&
        complete(made, kind.fields[slot], *draft.after().at(slot))) {
      draft.put(slot, std::move(made));
    }
  }
}

bool is_wanted(const Draft& draft, const Automatic& automatic) {
  return automatic.only_with == SlotNames::none || draft.has(automatic.only_with);
}

void fill_computed(Draft& draft) {
  const KindPlan& kind = draft.kind();
  for (const uint16_t slot : kind.computed) {
    const auto& computed = kind.automatic[slot].computed;
    const bool may_differ =
        (draft.is_new() || draft.touches(slot) || computed->differs(draft.before(), draft.after()) ||
         kind.automatic[slot].only_with != SlotNames::none ||
         (kind.fields[slot].required && !draft.has(slot)));  // of before the contract
    if (!may_differ) {
      continue;
    }
    std::string encoded;
    if (is_wanted(draft, kind.automatic[slot]) &&
        computed->append(encoded, kind.fields[slot].type, draft.after())) {
      const auto present = draft.after().at(slot);
      if (!present || present->encoded() != encoded) {
        draft.put(slot, std::move(encoded));
      }
    } else if (draft.has(slot)) {
      draft.remove(slot);
    }
  }
}

// What a source need not know of: it stays where the record is there already.
void keep_what_is_not_said(Draft& draft) {
  const KindPlan& kind = draft.kind();
  const auto keep = [&](uint16_t slot) {
    const auto before = slot == SlotNames::none ? std::nullopt : draft.before().at(slot);
    if (before && !draft.has(slot)) {
      draft.put(slot, std::string(before->encoded()));
    }
  };
  keep(kind.version);
  keep(kind.ttl);
  std::ranges::for_each(kind.fixed, keep);
  std::ranges::for_each(kind.with_time, keep);
}

}  // namespace

std::optional<Refusal> fill_imported(Draft& draft, item::ItemView after, int64_t now_ms) {
  if (auto refusal = fill_key_fields(draft, after)) {
    return refusal;
  }
  keep_what_is_not_said(draft);
  fill_status(draft);
  if (draft.is_new() || draft.state_before() != draft.state_after()) {
    fill_times(draft, now_ms);
  }
  fill_defaults(draft);
  drop_what_has_passed(draft);
  const uint16_t version = draft.kind().version;
  if (version != SlotNames::none && !draft.has(version)) {
    draft.put(version, encoded_text(FieldType::integer, "1"));
  }
  fill_retention(draft, now_ms);
  fill_maps(draft);
  fill_computed(draft);
  return {};
}

std::optional<Refusal> fill_adopted(Draft& draft, item::ItemView after) {
  if (auto refusal = fill_key_fields(draft, after)) {
    return refusal;
  }
  const uint16_t ttl = draft.kind().ttl;
  const auto expires = ttl == SlotNames::none ? std::nullopt : draft.after().at(ttl);
  fill_computed(draft);
  const auto now = ttl == SlotNames::none ? std::nullopt : draft.after().at(ttl);
  if (expires && (!now || now->encoded() != expires->encoded())) {
    draft.put(ttl, std::string(expires->encoded()));
  } else if (!expires && now) {
    draft.remove(ttl);
  }
  return {};
}

std::optional<Refusal> fill(Draft& draft, item::ItemView after, int64_t now_ms) {
  if (auto refusal = fill_key_fields(draft, after)) {
    return refusal;
  }
  fill_status(draft);
  if (auto refusal = fill_fixed(draft)) {
    return refusal;
  }
  fill_times(draft, now_ms);
  fill_reserves(draft);
  fill_defaults(draft);
  drop_what_has_passed(draft);
  if (auto refusal = fill_version(draft)) {
    return refusal;
  }
  fill_retention(draft, now_ms);
  fill_maps(draft);
  fill_computed(draft);
  return {};
}

}  // namespace waybill::rules
