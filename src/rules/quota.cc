// How many records a tenant may have.
#include <utility>

#include "base/iso_time.h"
#include "item/number.h"
#include "rules/effects.h"
#include "rules/system_tables.h"
#include "table/key.h"

namespace waybill::rules {

namespace {

using Quota = contract::Record::Quota;

std::string day_of(int64_t now_ms) {
  constexpr std::size_t date_length = 10;
  return iso_time(now_ms).substr(0, date_length);
}

std::optional<item::ValueView> find_path(item::ItemView item, std::string_view path) {
  auto value = item.find(path.substr(0, path.find('.')));
  while (value && path.find('.') != std::string_view::npos) {
    path.remove_prefix(path.find('.') + 1);
    value = value->type() == item::Type::map ? value->members().find(path.substr(0, path.find('.')))
                                             : std::nullopt;
  }
  return value;
}

// Nothing where there is no limit.
Result<std::optional<int64_t>> limit_of(const Quota& quota, const Happening& happening,
                                        const std::string& tenant, const store::Ground& ground) {
  const Kind* const kind = happening.plan.deployed->find(quota.record.text);
  item::Item fields;
  add_string(fields, kind->key_fields.front(), tenant);
  const auto key = key_of_fields(*happening.plan.deployed, *kind, fields.view());
  if (!key) {
    return std::optional<int64_t>();
  }
  const auto& table = happening.proposal.table;
  WAYBILL_TRY_ASSIGN(const auto record, ground.get(table, table::primary_key(table.key, key->view())));
  const auto value = record ? find_path(record->view(), quota.field) : std::nullopt;
  int64_t limit = 0;
  const bool has_limit = value && value->type() == item::Type::number &&
                         item::Decimal::from_normal(value->bytes()).to_int64(limit);
  return has_limit ? std::optional(limit) : std::nullopt;
}

Result<int64_t> count_of(const Quota& quota, const Happening& happening, const std::string& tenant,
                         const store::Ground& ground) {
  const auto& contract = happening.plan.deployed->contract.name;
  const auto& record = happening.kind.record->name;
  if (quota.per_day) {
    return ground.counter(count_of_day(contract, record, tenant, day_of(ground.now_ms())));
  }
  if (quota.states.empty()) {
    WAYBILL_TRY_ASSIGN(const int64_t all, ground.counter(count_of_tenant(contract, record, tenant)));
    WAYBILL_TRY_ASSIGN(const auto going, versions_too_old(happening, ground));
    return all - static_cast<int64_t>(going.size());
  }
  int64_t sum = 0;
  for (const auto& state : quota.states) {
    WAYBILL_TRY_ASSIGN(const int64_t count,
                       ground.counter(count_of_state(contract, record, state.text, tenant)));
    sum += count;
  }
  return sum;
}

// Takes the counts of days away that are over, and notes that it was done. A clock that goes back takes away
// nothing.
Status end_past_days(const store::Ground& ground, store::Effects& effects) {
  constexpr int64_t day_ms = int64_t{24} * 60 * 60 * 1000;
  const int64_t today = ground.now_ms() / day_ms;
  WAYBILL_TRY_ASSIGN(const int64_t last, ground.counter(std::string(last_counted_day)));
  if (today <= last) {
    return {};
  }
  if (last != 0) {
    store::Effect& forget = effects.emplace_back();
    forget.kind = store::Effect::Kind::forget;
    forget.counter = counts_of_days;
  }
  store::Effect& note = effects.emplace_back();
  note.kind = store::Effect::Kind::count;
  note.counter = last_counted_day;
  note.delta = today - last;
  return {};
}

}  // namespace

Result<std::optional<Error>> check_quotas(const Happening& happening, const store::Ground& ground) {
  const std::string tenant = text_in(happening.last(), happening.kind.tenant);
  for (const auto& quota : happening.kind.record->quotas) {
    WAYBILL_TRY_ASSIGN(const auto limit, limit_of(quota, happening, tenant, ground));
    WAYBILL_TRY_ASSIGN(const int64_t count, count_of(quota, happening, tenant, ground));
    if (limit && count >= *limit) {
      return std::optional(Error{ErrorKind::quota_exceeded,
                                 "Contract " + happening.plan.deployed->contract.name + ", " +
                                     happening.kind.record->name + ": " + tenant + " has " +
                                     std::to_string(count) + (quota.per_day ? " of today" : "") +
                                     " and may have " + std::to_string(*limit) + " (rule quotas, " +
                                     quota.record.text + "." + quota.field + ")",
                                 "quotas"});
    }
  }
  return std::optional<Error>();
}

std::optional<Error> check_limits(const Plan& plan, const KindPlan& kind, const store::Proposal& proposal) {
  if (!proposal.author.is_limited || proposal.expired) {
    return {};
  }
  const auto value_in = [](const std::optional<item::ItemView>& item, const std::string& path) {
    const auto value = item ? find_path(*item, path) : std::nullopt;
    return value ? value->encoded() : std::string_view();
  };
  for (const auto& limited : plan.kinds) {
    for (const auto& quota : limited.record->quotas) {
      if (quota.record.text == kind.record->name &&
          value_in(proposal.before, quota.field) != value_in(proposal.after, quota.field)) {
        return Error{ErrorKind::access_denied,
                     "Contract " + plan.deployed->contract.name + ", " + kind.record->name + ": " +
                         quota.field + " limits those whose key this is: it is for keys that may administer",
                     "table/" + proposal.table.name};
      }
    }
  }
  return {};
}

void add_tenant_count(const Happening& happening, store::Effects& effects) {
  const std::string tenant = text_in(happening.last(), happening.kind.tenant);
  const bool counts = happening.is_created() || happening.is_removed();
  if (!counts || happening.kind.record->quotas.empty() || tenant.empty()) {
    return;
  }
  store::Effect& effect = effects.emplace_back();
  effect.kind = store::Effect::Kind::count;
  effect.counter =
      count_of_tenant(happening.plan.deployed->contract.name, happening.kind.record->name, tenant);
  effect.delta = happening.is_created() ? 1 : -1;
}

Status add_quota_counts(const Happening& happening, const store::Ground& ground, store::Effects& effects) {
  add_tenant_count(happening, effects);
  const std::string tenant = text_in(happening.last(), happening.kind.tenant);
  if (!happening.is_created() || happening.kind.record->quotas.empty() || tenant.empty()) {
    return {};
  }
  WAYBILL_TRY(end_past_days(ground, effects));
  store::Effect& effect = effects.emplace_back();
  effect.kind = store::Effect::Kind::count;
  effect.counter = count_of_day(happening.plan.deployed->contract.name, happening.kind.record->name, tenant,
                                day_of(ground.now_ms()));
  effect.delta = 1;
  return {};
}

}  // namespace waybill::rules
