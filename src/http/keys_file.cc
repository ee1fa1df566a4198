#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/json.h"
#include "http/signature.h"

namespace waybill::http {
namespace {

constexpr std::size_t keys_file_bytes_max = 1024 * 1024;
constexpr std::size_t secret_bytes_min = 16;

Error cannot_use(const std::string& path, const std::string& why) {
  return Error{ErrorKind::invalid, "keys file " + path + ": " + why, {}};
}

// Checks the file that was opened, not the name: the name could point elsewhere a moment later.
Status check_file(const std::string& path, int descriptor) {
  struct stat status{};
  if (::fstat(descriptor, &status) != 0) {
    return cannot_use(path, std::strerror(errno));
  }
  if (!S_ISREG(status.st_mode)) {
    return cannot_use(path, "is not a regular file");
  }
  if ((status.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
    return cannot_use(path, "can be read by others; run: chmod 600 " + path);
  }
  if (static_cast<std::size_t>(status.st_size) > keys_file_bytes_max) {
    return cannot_use(path, "is larger than 1 MiB");
  }
  return {};
}

Result<std::string> read_file(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) {
    return cannot_use(path, std::string("cannot be opened: ") + std::strerror(errno));
  }
  std::string text;
  Status usable = check_file(path, descriptor);
  if (usable) {
    text.resize(keys_file_bytes_max + 1);
    const ssize_t count = ::read(descriptor, text.data(), text.size());
    text.resize(count < 0 ? 0 : static_cast<std::size_t>(count));
  }
  ::close(descriptor);
  WAYBILL_TRY(std::move(usable));
  return text;
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
  WAYBILL_TRY_ASSIGN(const std::string text, read_file(path));
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
