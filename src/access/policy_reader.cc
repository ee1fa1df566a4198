#include "access/policy_reader.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

namespace waybill::access {
namespace {

constexpr std::string_view tenant_mark = "{tenant}";
constexpr std::string_view name_characters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.";
constexpr std::size_t tenant_length_max = 128;

std::string quoted(std::string_view text) {
  return "\"" + std::string(text) + "\"";
}

Result<std::string> with_tenant(std::string text, std::string_view tenant) {
  for (auto at = text.find(tenant_mark); at != std::string::npos; at = text.find(tenant_mark, at)) {
    if (tenant.empty()) {
      return invalid(quoted(text) + " asks for a tenant; give the key one, as \"tenant\": \"prj_001\"");
    }
    text.replace(at, tenant_mark.size(), tenant);
    at += tenant.size();
  }
  return text;
}

// Texts under `name`; empty where it is not there.
Result<std::vector<std::string>> read_texts(const json::Value& object, std::string_view name,
                                            std::string_view tenant) {
  std::vector<std::string> texts;
  const auto list = object.find(name);
  if (!list) {
    return texts;
  }
  if (!list->is_array() || list->size() == 0) {
    return invalid(quoted(name) + " must be a list of at least one text; leave it out where there is none");
  }
  for (json::Elements elements(*list); elements.next();) {
    if (!elements.value().is_string() || elements.value().string().empty()) {
      return invalid(quoted(name) + " must be a list of texts, none of them empty");
    }
    WAYBILL_TRY_ASSIGN(auto text, with_tenant(std::string(elements.value().string()), tenant));
    texts.push_back(std::move(text));
  }
  return texts;
}

Result<Pattern> read_pattern(std::string text, std::string_view where) {
  Pattern pattern;
  pattern.is_beginning = text.ends_with('*');
  if (pattern.is_beginning) {
    text.pop_back();
  }
  if (text.find('*') != std::string::npos) {
    return invalid(quoted(where) + ": " + quoted(text) +
                   " has a '*' that is not its end; only there it stands for more");
  }
  pattern.text = std::move(text);
  return pattern;
}

Result<std::vector<Pattern>> read_patterns(const json::Value& object, std::string_view name,
                                           std::string_view tenant) {
  WAYBILL_TRY_ASSIGN(auto texts, read_texts(object, name, tenant));
  std::vector<Pattern> patterns;
  for (auto& text : texts) {
    WAYBILL_TRY_ASSIGN(auto pattern, read_pattern(std::move(text), name));
    patterns.push_back(std::move(pattern));
  }
  return patterns;
}

// Patterns of things whose names have letters, digits, '_', '-' and '.' alone.
Result<std::vector<Pattern>> read_names(const json::Value& object, std::string_view name,
                                        std::string_view tenant) {
  WAYBILL_TRY_ASSIGN(auto patterns, read_patterns(object, name, tenant));
  for (const auto& pattern : patterns) {
    if (pattern.text.find_first_not_of(name_characters) != std::string::npos) {
      return invalid(quoted(name) + ": " + quoted(pattern.text) +
                     " cannot be a name; write letters, digits, '_', '-' and '.', and '*' at the end for all "
                     "that begin so");
    }
  }
  return patterns;
}

Status read_verbs(const json::Value& object, Grant& grant) {
  WAYBILL_TRY_ASSIGN(const auto verbs, read_texts(object, "verbs", {}));
  for (const auto& verb : verbs) {
    if (verb == "read") {
      grant.may_read = true;
    } else if (verb == "write") {
      grant.may_write = true;
    } else if (verb == "admin") {
      grant.may_administer = true;
    } else {
      return invalid("\"verbs\" has " + quoted(verb) + "; there are \"read\", \"write\" and \"admin\"");
    }
  }
  if (verbs.empty()) {
    return invalid("\"verbs\" is missing; write one or more of \"read\", \"write\" and \"admin\"");
  }
  return {};
}

Status read_attributes(const json::Value& object, std::string_view tenant, Limits& limits) {
  const auto attributes = object.find("attributes");
  if (!attributes) {
    return {};
  }
  if (!attributes->is_object() || attributes->size() == 0) {
    return invalid("\"attributes\" must be written as {\"project_id\": [\"prj_001\"]}");
  }
  for (json::Members members(*attributes); members.next();) {
    const auto name = members.key();
    WAYBILL_TRY_ASSIGN(auto values, read_texts(*attributes, name, tenant));
    for (const auto& value : values) {
      if (value.find('*') != std::string::npos) {
        return invalid("\"attributes\": " + quoted(name) + " has " + quoted(value) +
                       "; values of attributes are whole, without '*'");
      }
    }
    if (!limits.attributes.emplace(name, std::move(values)).second) {
      return invalid("\"attributes\" has " + quoted(name) + " twice");
    }
  }
  return {};
}

Result<LimitsPtr> read_limits(const json::Value& object, std::string_view tenant) {
  Limits limits;
  WAYBILL_TRY_ASSIGN(limits.partition_keys, read_patterns(object, "partition_keys", tenant));
  for (const auto& pattern : limits.partition_keys) {
    if (pattern.text.empty()) {
      return invalid("\"partition_keys\" has \"*\", which is every key; leave \"partition_keys\" out");
    }
  }
  WAYBILL_TRY(read_attributes(object, tenant, limits));
  if (limits.partition_keys.empty() && limits.attributes.empty()) {
    return LimitsPtr();
  }
  return LimitsPtr(std::make_shared<const Limits>(std::move(limits)));
}

Status check_members(const json::Value& object) {
  constexpr std::string_view known[] = {"tables",      "contracts", "queues",         "buckets",
                                        "object_keys", "verbs",     "partition_keys", "attributes"};
  for (json::Members members(object); members.next();) {
    if (members.key() == "key_prefixes") {
      return invalid(
          "there is no \"key_prefixes\"; write \"partition_keys\": [\"PROJECT#prj_001\"] for that key alone, "
          "or [\"PROJECT#prj_001#*\"] for all that begin so");
    }
    if (std::ranges::find(known, members.key()) == std::end(known)) {
      return invalid("there is no " + quoted(members.key()) +
                     "; a grant has \"tables\", \"contracts\", \"queues\", \"buckets\", \"verbs\", "
                     "\"partition_keys\", \"attributes\" and \"object_keys\"");
    }
  }
  return {};
}

Status check_buckets(const Grant& grant) {
  if (!grant.object_keys.empty() && grant.buckets.empty()) {
    return invalid("\"object_keys\" limit buckets, and none is named");
  }
  if (!grant.object_keys.empty() && grant.may_administer) {
    return invalid(
        "\"admin\" cannot be limited by \"object_keys\": a bucket is administered as a whole. Give \"admin\" "
        "in a "
        "grant of its own, for buckets that are this tenant's alone");
  }
  if (!grant.buckets.empty() && grant.limits != nullptr) {
    return invalid(
        "\"partition_keys\" and \"attributes\" do not limit buckets; give buckets a grant of their own, with "
        "\"object_keys\"");
  }
  return {};
}

Status check_whole(const Grant& grant) {
  const bool has_items = !grant.tables.empty() || !grant.contracts.empty();
  if (!has_items && grant.queues.empty() && grant.buckets.empty()) {
    return invalid("nothing is named; give \"tables\", \"contracts\", \"queues\" or \"buckets\"");
  }
  WAYBILL_TRY(check_buckets(grant));
  if (grant.limits != nullptr && !has_items) {
    return invalid("\"partition_keys\" and \"attributes\" limit tables and contracts, and none is named");
  }
  if (grant.limits != nullptr && grant.may_administer) {
    return invalid(
        "\"admin\" cannot be limited by \"partition_keys\" or \"attributes\": a table is administered as a "
        "whole, with everybody's items. Give \"admin\" in a grant of its own, for tables and queues that are "
        "this tenant's alone");
  }
  return {};
}

Result<Grant> read_grant(const json::Value& object, std::string_view tenant) {
  if (!object.is_object()) {
    return invalid("write each grant as {\"tables\": […], \"verbs\": […]}");
  }
  WAYBILL_TRY(check_members(object));
  Grant grant;
  WAYBILL_TRY_ASSIGN(grant.tables, read_names(object, "tables", tenant));
  WAYBILL_TRY_ASSIGN(grant.contracts, read_names(object, "contracts", tenant));
  WAYBILL_TRY_ASSIGN(grant.queues, read_names(object, "queues", tenant));
  WAYBILL_TRY_ASSIGN(grant.buckets, read_names(object, "buckets", tenant));
  WAYBILL_TRY_ASSIGN(grant.object_keys, read_patterns(object, "object_keys", tenant));
  WAYBILL_TRY(read_verbs(object, grant));
  WAYBILL_TRY_ASSIGN(grant.limits, read_limits(object, tenant));
  WAYBILL_TRY(check_whole(grant));
  return grant;
}

}  // namespace

Result<PolicyPtr> read_policy(const json::Value& policy, std::string_view tenant) {
  std::vector<Grant> grants;
  if (!policy.is_array()) {
    WAYBILL_TRY_ASSIGN(auto grant, read_grant(policy, tenant));
    grants.push_back(std::move(grant));
    return PolicyPtr(std::make_shared<const Policy>(std::string(tenant), std::move(grants)));
  }
  for (json::Elements elements(policy); elements.next();) {
    auto grant = read_grant(elements.value(), tenant);
    if (!grant) {
      return invalid("grant " + std::to_string(grants.size() + 1) + ": " + grant.error().message);
    }
    grants.push_back(*std::move(grant));
  }
  return PolicyPtr(std::make_shared<const Policy>(std::string(tenant), std::move(grants)));
}

bool is_tenant(std::string_view tenant) {
  return !tenant.empty() && tenant.size() <= tenant_length_max &&
         tenant.find_first_not_of(name_characters) == std::string_view::npos;
}

}  // namespace waybill::access
