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

Result<AccessKey> read_key(const json::Value& value) {
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
  return AccessKey{std::string(id->string()), std::string(secret->string())};
}

Result<std::vector<AccessKey>> read_keys(const json::Value& document) {
  const auto list = document.is_object() ? document.find("keys") : std::nullopt;
  if (!list || !list->is_array() || list->size() == 0) {
    return invalid("write it as {\"keys\":[{\"id\":\"…\",\"secret\":\"…\"}]}, with at least one key");
  }
  std::vector<AccessKey> keys;
  for (json::Elements elements(*list); elements.next();) {
    WAYBILL_TRY_ASSIGN(AccessKey key, read_key(elements.value()));
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
