#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "rules/plan.h"
#include "rules/shape.h"
#include "store/rules.h"

// What comes with a change of a record, in the same commit. Each function adds one sort of effect.
namespace waybill::rules {

// A change of a record, with what everybody asks of it.
struct Happening {
  const Plan& plan;
  const KindPlan& kind;
  const store::Proposal& proposal;
  Slots before;
  Slots after;
  std::string path;  // "orchestrator/job/ID"
  std::string from;  // states; "": there is none
  std::string to;

  bool is_created() const { return !proposal.before && proposal.after; }
  bool is_removed() const { return proposal.before && !proposal.after; }
  bool is_moved() const { return from != to; }
  // The record as it is, or was last.
  const Slots& last() const { return proposal.after ? after : before; }
};

// What a judgement leaves of a record: its fields by slot, before and after.
struct JudgedRecord final : store::Judged {
  const KindPlan* kind = nullptr;
  std::string_view before_item;  // the bytes that `before` is about; empty where there was none
  Slots before{0};
  Slots after{0};

  bool is_of(const KindPlan& its_kind, const store::Proposal& proposal) const;
};

// The change of a record that a proposal is. The proposal outlives it.
Happening happening_of(const Plan& plan, const KindPlan& kind, const store::Proposal& proposal);

// The name of a field's value as it stands in keys of system tables; "" where it has none.
std::string text_in(const Slots& slots, uint16_t slot);

// An effect that writes `item` to a system table; nothing where there is no such table.
void put_row(std::string_view table, item::Item item, const store::Ground& ground, store::Effects& effects);
// The same under the next number, which comes with the commit.
void add_row(std::string_view table, item::Item item, const store::Ground& ground, store::Effects& effects);
void remove_row(std::string_view table, const item::Item& key, const store::Ground& ground,
                store::Effects& effects);

void add_counts(const Happening& happening, store::Effects& effects);
void add_tags(const Happening& happening, const store::Ground& ground, store::Effects& effects);
void add_lease_end(const Happening& happening, const store::Ground& ground, store::Effects& effects);
// Whether a message about the record goes out with this change.
bool is_announced(const Happening& happening);
void add_message(const Happening& happening, store::Ground& ground, store::Effects& effects);
Status add_mirrors(const Happening& happening, const store::Ground& ground, store::Effects& effects);
// What a record's mirror is; nothing where the record lacks a field of its key.
std::optional<item::Item> mirror_of(const KindPlan& kind, const MirrorPlan& mirror, const Slots& record);
void add_history(const Happening& happening, store::Ground& ground, store::Effects& effects);
// A line of history: the object that the record of this path waited for is there.
void add_arrival_line(const std::string& path, store::Ground& ground, store::Effects& effects);
Status add_audit(const Happening& happening, store::Ground& ground, store::Effects& effects);
Status add_idempotency(const Happening& happening, const store::Ground& ground, store::Effects& effects);
Status add_retention(const Happening& happening, store::Ground& ground, store::Effects& effects);
// The versions that go because this one comes, the oldest first: all that are there but for the newest, which
// the contract keeps. The new one itself is among them where enough newer ones are there.
Result<std::vector<item::Item>> versions_too_old(const Happening& happening, const store::Ground& ground);
// Notes which versions there are with this change, and without those that go.
Status add_version(const Happening& happening, const std::vector<item::Item>& going,
                   const store::Ground& ground, store::Effects& effects);

// A line of history about a change that was refused, or that was let through although it breaks a rule.
struct Complaint {
  const KindPlan& kind;
  std::string path;
  std::string_view action;  // "refused" or "violated"
  std::string_view rule;
  std::string text;
  std::string from;
  std::string to;
};
void add_complaint(const Plan& plan, const Complaint& complaint, const store::Author& author,
                   store::Ground& ground, store::Effects& effects);

// The id of the record that holds the idempotency key of this one, where that is another one.
Result<std::optional<std::string>> holder_of_key(const Happening& happening, const store::Ground& ground);

// What stands against one more record of this tenant.
Result<std::optional<Error>> check_quotas(const Happening& happening, const store::Ground& ground);
// What stands against a change of the limits themselves: they are not for keys that are held to them. Error
// access_denied.
std::optional<Error> check_limits(const Plan& plan, const KindPlan& kind, const store::Proposal& proposal);
// What quotas count: all of a tenant, and those of today.
Status add_quota_counts(const Happening& happening, const store::Ground& ground, store::Effects& effects);
void add_tenant_count(const Happening& happening, store::Effects& effects);

// Small writers for rows.
void add_string(item::Item& item, std::string_view name, std::string_view value);
void add_number(item::Item& item, std::string_view name, int64_t value);

}  // namespace waybill::rules
