// Keys that stand for one logical request: the second record with one is refused.
#include <utility>

#include "rules/adopt.h"
#include "rules/audit.h"
#include "rules/effects.h"
#include "rules/system_tables.h"
#include "table/key.h"

namespace waybill::rules {

namespace {

// The key of a record; nothing where it has none. A hash is one of all the fields that it is made of: without
// the rest, what is left (a project and a step, say) would be that of many requests.
std::optional<std::string> key_of(const Happening& happening, const Slots& slots) {
  const KindPlan& kind = happening.kind;
  if (kind.idempotency_key) {
    auto key = kind.idempotency_key->text(slots);
    return key && !key->empty() ? key : std::nullopt;
  }
  if (kind.idempotency_hash.empty()) {
    return {};
  }
  std::string text;
  for (const uint16_t slot : kind.idempotency_hash) {
    const auto value = slots.at(slot);
    if (!value) {
      return {};
    }
    text += value->encoded();
    text += '\n';
  }
  return sha256_hex(text);
}

struct Place {
  std::string table;
  item::Item key;
};

Result<Place> place_of(const Happening& happening, const std::string& key, const Slots& slots) {
  const auto& idempotency = *happening.kind.record->idempotency;
  Place place;
  if (idempotency.record) {
    const Kind* const kind = happening.plan.deployed->find(idempotency.record->text);
    item::Item fields;
    add_string(fields, kind->key_fields.front(), key);
    place.table = happening.plan.deployed->table;
    WAYBILL_TRY_ASSIGN(place.key, key_of_fields(*happening.plan.deployed, *kind, fields.view()));
    return place;
  }
  place.table = keys_table;
  const std::string within = text_in(slots, happening.kind.idempotency_within);
  add_string(place.key, "key",
             name_of_row(happening.plan.deployed->contract.name, happening.kind.record->name, within, key));
  return place;
}

Result<bool> is_taken(const Place& place, const store::Ground& ground) {
  const auto table = ground.find_table(place.table);
  if (!table) {
    return true;
  }
  WAYBILL_TRY_ASSIGN(const auto row, ground.get(*table, table::primary_key(table->key, place.key.view())));
  return row.has_value();
}

std::string id_in(const std::string& path) {
  return path.substr(path.rfind('/') + 1);
}

Result<std::optional<std::string>> holder(const Place& place, const store::Ground& ground) {
  const auto table = ground.find_table(place.table);
  if (!table) {
    return std::optional<std::string>();
  }
  WAYBILL_TRY_ASSIGN(const auto row, ground.get(*table, table::primary_key(table->key, place.key.view())));
  const auto id = row ? row->view().find("id") : std::nullopt;
  return id ? std::optional(std::string(id->bytes())) : std::nullopt;
}

// What the record of the key is to have besides: fields of the same names.
void copy_fields(const Happening& happening, int64_t now_ms, item::Item& row) {
  const auto& idempotency = *happening.kind.record->idempotency;
  if (!idempotency.record) {
    return;
  }
  const Kind* const kind = happening.plan.deployed->find(idempotency.record->text);
  for (const auto& field : kind->record->fields) {
    const uint16_t slot = happening.kind.names.find(field.name);
    const auto value = slot == SlotNames::none ? std::nullopt : happening.after.at(slot);
    if (row.view().find(field.name) || field.computed) {
      continue;
    }
    if (field.set) {
      item::append_name(row.encoded, field.name);
      append_time(row.encoded, field.type, now_ms);
    } else if (value) {
      item::append_attribute(row.encoded, field.name, *value);
    }
  }
}

}  // namespace

Result<std::optional<std::string>> holder_of_key(const Happening& happening, const store::Ground& ground) {
  const auto key = happening.is_created() ? key_of(happening, happening.after) : std::nullopt;
  if (!key) {
    return std::optional<std::string>();
  }
  WAYBILL_TRY_ASSIGN(const auto place, place_of(happening, *key, happening.after));
  WAYBILL_TRY_ASSIGN(auto id, holder(place, ground));
  return id && *id != id_in(happening.path) ? id : std::nullopt;
}

Status add_idempotency(const Happening& happening, const store::Ground& ground, store::Effects& effects) {
  if (!happening.is_created() && !happening.is_removed()) {
    return {};
  }
  const auto key = key_of(happening, happening.last());
  if (!key) {
    return {};
  }
  WAYBILL_TRY_ASSIGN(auto place, place_of(happening, *key, happening.last()));
  if (happening.is_removed()) {
    WAYBILL_TRY_ASSIGN(const auto id, holder(place, ground));
    if (id && *id == id_in(happening.path)) {
      remove_row(place.table, place.key, ground, effects);
    }
    return {};
  }
  if (is_adopted(happening.proposal.author)) {
    WAYBILL_TRY_ASSIGN(const bool taken, is_taken(place, ground));
    if (taken) {
      return {};
    }
  }
  item::Item row = std::move(place.key);
  add_string(row, "id", id_in(happening.path));
  copy_fields(happening, ground.now_ms(), row);
  add_number(row, "ttl", ground.now_ms() / 1000 + happening.kind.record->idempotency->keep_s);
  put_row(place.table, std::move(row), ground, effects);
  return {};
}

}  // namespace waybill::rules
