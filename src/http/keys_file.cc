#include <algorithm>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "access/policy_reader.h"
#include "base/json.h"
#include "base/private_file.h"
#include "http/signature.h"

namespace waybill::http {
namespace {

constexpr std::size_t keys_file_bytes_max = 1024 * 1024;
constexpr std::size_t secret_bytes_min = 16;

Error cannot_use(const std::string& path, const std::string& why) {
  return invalid("keys file " + path + ": " + why);
}

// An id goes into credential scopes and logs, so it has nothing that ends a part there.
bool is_key_id(std::string_view id) {
  const bool plain =
      id.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.") ==
      std::string_view::npos;
  return plain && !id.empty() && id.size() <= 128;
}

// The policy that a key has: written there, or under its name among those that several keys share.
Result<json::Value> find_policy(const json::Value& policy, const std::optional<json::Value>& shared) {
  if (!policy.is_string()) {
    return policy;
  }
  const auto found = shared && shared->is_object() ? shared->find(policy.string()) : std::nullopt;
  if (!found || found->is_string()) {
    return invalid("there is no policy of the name \"" + std::string(policy.string()) +
                   "\"; write it under \"policies\", beside \"keys\"");
  }
  return *found;
}

// Null where the key has none.
Result<access::PolicyPtr> read_policy(const json::Value& key, const std::optional<json::Value>& shared) {
  const auto tenant = key.find("tenant");
  const auto policy = key.find("policy");
  if (tenant && (!tenant->is_string() || !access::is_tenant(tenant->string()))) {
    return invalid("its \"tenant\" must have 1 to 128 letters, digits, '_', '-' or '.'");
  }
  if (tenant && !policy) {
    return invalid(
        "it has a \"tenant\" and no \"policy\", and would reach everybody's items; give it a policy, or "
        "leave "
        "\"tenant\" out");
  }
  if (!policy) {
    return access::PolicyPtr();
  }
  WAYBILL_TRY_ASSIGN(const auto found, find_policy(*policy, shared));
  auto read = access::read_policy(found, tenant ? tenant->string() : std::string_view());
  if (!read) {
    return invalid("its policy: " + read.error().message);
  }
  return read;
}

// A member that is misspelt would silently not be heeded; of a policy nobody would notice.
Status check_members(const json::Value& object, std::initializer_list<std::string_view> known) {
  for (json::Members members(object); members.next();) {
    if (std::find(known.begin(), known.end(), members.key()) == known.end()) {
      return invalid("\"" + std::string(members.key().substr(0, 64)) + "\" means nothing here; take it out");
    }
  }
  return {};
}

Result<AccessKey> read_key(const json::Value& value, const std::optional<json::Value>& policies) {
  const auto id = value.is_object() ? value.find("id") : std::nullopt;
  const auto secret = value.is_object() ? value.find("secret") : std::nullopt;
  if (!id || !id->is_string() || !secret || !secret->is_string()) {
    return invalid("each key must be an object with the strings \"id\" and \"secret\"");
  }
  if (!is_key_id(id->string())) {
    return invalid("an id must have 1 to 128 letters, digits, '_', '-' or '.'");
  }
  if (secret->string().size() < secret_bytes_min) {
    return invalid("the secret of key " + std::string(id->string()) + " is shorter than 16 characters");
  }
  const auto in_key = [&](const Error& error) {
    return invalid("key " + std::string(id->string()) + ": " + error.message);
  };
  if (auto checked = check_members(value, {"id", "secret", "tenant", "policy"}); !checked) {
    return in_key(checked.error());
  }
  auto policy = read_policy(value, policies);
  if (!policy) {
    return in_key(policy.error());
  }
  return AccessKey{std::string(id->string()), std::string(secret->string()), *std::move(policy)};
}

Result<std::vector<AccessKey>> read_keys(const json::Value& document) {
  const auto list = document.is_object() ? document.find("keys") : std::nullopt;
  if (!list || !list->is_array() || list->size() == 0) {
    return invalid("write it as {\"keys\":[{\"id\":\"…\",\"secret\":\"…\"}]}, with at least one key");
  }
  WAYBILL_TRY(check_members(document, {"keys", "policies"}));
  const auto policies = document.find("policies");
  std::vector<AccessKey> keys;
  for (json::Elements elements(*list); elements.next();) {
    WAYBILL_TRY_ASSIGN(AccessKey key, read_key(elements.value(), policies));
    for (const AccessKey& other : keys) {
      if (other.id == key.id) {
        return invalid("the id " + key.id + " is there twice");
      }
    }
    keys.push_back(std::move(key));
  }
  return keys;
}

}  // namespace

Result<std::vector<AccessKey>> read_keys_file(const std::string& path) {
  WAYBILL_TRY_ASSIGN(const std::string text,
                     read_private_file(path, "keys file " + path, keys_file_bytes_max));
  json::Parser parser;
  const auto document = parser.parse_copy(text);
  if (!document) {
    return cannot_use(path, "is not JSON; write it as {\"keys\":[{\"id\":\"…\",\"secret\":\"…\"}]}");
  }
  auto keys = read_keys(*document);
  if (!keys) {
    return cannot_use(path, keys.error().message);
  }
  return keys;
}

}  // namespace waybill::http
