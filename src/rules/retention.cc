// What becomes of records whose time is over.
#include <utility>

#include "item/number.h"
#include "rules/effects.h"
#include "rules/system_tables.h"
#include "table/key.h"

namespace waybill::rules {

namespace {

using contract::AfterLife;

void archive(const Happening& happening, const std::string& path, item::ItemView item, store::Ground& ground,
             store::Effects& effects) {
  item::Item row;
  add_string(row, "contract", happening.plan.deployed->contract.name);
  add_number(row, "seq", static_cast<int64_t>(ground.next_number()));
  add_number(row, "at", ground.now_ms());
  add_string(row, "record", path);
  item::append_name(row.encoded, "item");
  const auto mark = item::open_container(row.encoded, item::Type::map);
  row.encoded.append(item.encoded());
  item::close_container(row.encoded, mark);
  put_row(archive_table, std::move(row), ground, effects);
}

bool is_archived_at_its_end(const Happening& happening) {
  if (!happening.kind.record->status || !happening.proposal.expired) {
    return false;
  }
  const auto* const state = happening.kind.record->status->find(happening.from);
  return state != nullptr && state->retention && state->retention->then == AfterLife::archive;
}

// The part of the key that counts versions: the one that is a whole number and not what they are counted by.
const std::string* version_field(const KindPlan& kind, const contract::Record::KeepLatest& keep) {
  for (const auto& name : kind.kind->key_fields) {
    const auto* const field = kind.record->find(name);
    if (field != nullptr && field->type == contract::FieldType::integer && name != keep.by.text) {
      return &name;
    }
  }
  return nullptr;
}

// It goes as if somebody had removed it; but the line of the audit trail is that of the new one.
Status remove_version(const Happening& happening, const item::Item& old, store::Ground& ground,
                      store::Effects& effects) {
  static const store::Author system{"waybill", {}, "newer versions are there"};
  const auto& table = happening.proposal.table;
  const std::string key = table::primary_key(table.key, old.view());
  const store::Proposal proposal{table, key, old.view(), std::nullopt, system, false};
  const Happening removed = happening_of(happening.plan, happening.kind, proposal);
  remove_row(table.name, old, ground, effects);
  add_counts(removed, effects);
  add_quota_counts(removed, ground, effects);
  add_tags(removed, ground, effects);
  add_history(removed, ground, effects);
  WAYBILL_TRY(add_mirrors(removed, ground, effects));
  return add_idempotency(removed, ground, effects);
}

}  // namespace

// Versions count up one by one, so that is one at most.
Result<std::optional<item::Item>> version_too_old(const Happening& happening, const store::Ground& ground) {
  const auto& keep = happening.kind.record->keep_latest;
  const std::string* const name =
      keep && happening.is_created() ? version_field(happening.kind, *keep) : nullptr;
  const auto value = name == nullptr ? std::nullopt : happening.proposal.after->find(*name);
  int64_t version = 0;
  if (!value || value->type() != item::Type::number ||
      !item::Decimal::from_normal(value->bytes()).to_int64(version) || version <= keep->count) {
    return std::optional<item::Item>();
  }
  item::Item fields;
  for (const auto& field : happening.kind.kind->key_fields) {
    const auto part = happening.proposal.after->find(field);
    if (field == *name) {
      add_number(fields, field, version - keep->count);
    } else if (part) {
      item::append_attribute(fields.encoded, field, *part);
    }
  }
  const auto key = key_of_fields(*happening.plan.deployed, *happening.kind.kind, fields.view());
  if (!key) {
    return std::optional<item::Item>();
  }
  const auto& table = happening.proposal.table;
  return ground.get(table, table::primary_key(table.key, key->view()));
}

Status add_retention(const Happening& happening, store::Ground& ground, store::Effects& effects) {
  if (is_archived_at_its_end(happening)) {
    archive(happening, happening.path, *happening.proposal.before, ground, effects);
  }
  WAYBILL_TRY_ASSIGN(const auto old, version_too_old(happening, ground));
  if (!old) {
    return {};
  }
  if (happening.kind.record->keep_latest->then == AfterLife::archive) {
    const auto path = path_of(*happening.plan.deployed, *happening.kind.kind, old->view());
    archive(happening, path.value_or(""), old->view(), ground, effects);
  }
  return remove_version(happening, *old, ground, effects);
}

}  // namespace waybill::rules
