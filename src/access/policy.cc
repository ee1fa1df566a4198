#include "access/policy.h"

#include <algorithm>

namespace waybill::access {
namespace {

bool names(const std::vector<Pattern>& patterns, std::string_view name) {
  return std::ranges::any_of(patterns, [name](const Pattern& pattern) { return pattern.matches(name); });
}

bool names_all(const std::vector<Pattern>& patterns) {
  return std::ranges::any_of(
      patterns, [](const Pattern& pattern) { return pattern.is_beginning && pattern.text.empty(); });
}

bool is_system_table(std::string_view name) {
  return name.find(':') != std::string_view::npos;
}

bool allows_everything(const Grant& grant) {
  return grant.may_read && grant.may_write && grant.may_administer && grant.limits == nullptr &&
         names_all(grant.tables);
}

bool meets(const Grant& grant, Need need) {
  switch (need) {
    case Need::nothing:
    case Need::something:
      return true;
    case Need::read:
      return grant.may_read;
    case Need::write:
      return grant.may_write;
    case Need::read_or_write:
      return grant.may_read || grant.may_write;
    case Need::admin:
      return grant.may_administer;
    case Need::everything:
      return allows_everything(grant);
  }
  return false;
}

}  // namespace

bool Policy::may(Need need) const {
  return need == Need::nothing ||
         std::ranges::any_of(grants_, [need](const Grant& grant) { return meets(grant, need); });
}

Reach Policy::of_contract(Verb verb, std::string_view contract) const {
  Reach reach;
  for (const auto& grant : grants_) {
    if (grant.allows(verb) && names(grant.contracts, contract)) {
      reach.add(grant.limits);
    }
  }
  return reach;
}

Reach Policy::of_table(Verb verb, std::string_view table) const {
  Reach reach;
  if (is_system_table(table)) {
    return reach;
  }
  for (const auto& grant : grants_) {
    if (grant.allows(verb) && names(grant.tables, table)) {
      reach.add(grant.limits);
    }
  }
  return reach;
}

bool Policy::knows_table(std::string_view table) const {
  return !is_system_table(table) &&
         std::ranges::any_of(grants_, [table](const Grant& grant) { return names(grant.tables, table); });
}

bool Policy::may_use_queue(Verb verb, std::string_view queue) const {
  return std::ranges::any_of(grants_, [verb, queue](const Grant& grant) {
    return grant.allows(verb) && names(grant.queues, queue);
  });
}

bool Policy::knows_queue(std::string_view queue) const {
  return std::ranges::any_of(grants_, [queue](const Grant& grant) { return names(grant.queues, queue); });
}

bool Policy::may_use_all_queues(Verb verb) const {
  return std::ranges::any_of(
      grants_, [verb](const Grant& grant) { return grant.allows(verb) && names_all(grant.queues); });
}

bool Policy::may_use_object(Verb verb, std::string_view bucket, std::string_view key) const {
  return std::ranges::any_of(grants_, [&](const Grant& grant) {
    return grant.allows(verb) && names(grant.buckets, bucket) &&
           (grant.object_keys.empty() || names(grant.object_keys, key));
  });
}

bool Policy::may_list_objects(std::string_view bucket, std::string_view prefix) const {
  const auto covers = [prefix](const Pattern& pattern) {
    return pattern.is_beginning && prefix.starts_with(pattern.text);
  };
  return std::ranges::any_of(grants_, [&](const Grant& grant) {
    return grant.may_read && names(grant.buckets, bucket) &&
           (grant.object_keys.empty() || std::ranges::any_of(grant.object_keys, covers));
  });
}

bool Policy::may_administer_bucket(std::string_view bucket) const {
  return std::ranges::any_of(
      grants_, [bucket](const Grant& grant) { return grant.may_administer && names(grant.buckets, bucket); });
}

bool Policy::knows_bucket(std::string_view bucket) const {
  return std::ranges::any_of(grants_, [bucket](const Grant& grant) { return names(grant.buckets, bucket); });
}

}  // namespace waybill::access
