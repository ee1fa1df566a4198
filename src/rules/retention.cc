// What becomes of records whose time is over.
#include <utility>

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
  WAYBILL_TRY(add_quota_counts(removed, ground, effects));
  add_tags(removed, ground, effects);
  add_history(removed, ground, effects);
  WAYBILL_TRY(add_mirrors(removed, ground, effects));
  return add_idempotency(removed, ground, effects);
}

}  // namespace

Status add_retention(const Happening& happening, store::Ground& ground, store::Effects& effects) {
  if (is_archived_at_its_end(happening)) {
    archive(happening, happening.path, *happening.proposal.before, ground, effects);
  }
  if (!happening.kind.record->keep_latest) {
    return {};
  }
  WAYBILL_TRY_ASSIGN(const auto going, versions_too_old(happening, ground));
  WAYBILL_TRY(add_version(happening, going, ground, effects));
  for (const auto& old : going) {
    if (happening.kind.record->keep_latest->then == AfterLife::archive) {
      const auto path = path_of(*happening.plan.deployed, *happening.kind.kind, old.view());
      archive(happening, path.value_or(""), old.view(), ground, effects);
    }
    WAYBILL_TRY(remove_version(happening, old, ground, effects));
  }
  return {};
}

}  // namespace waybill::rules
