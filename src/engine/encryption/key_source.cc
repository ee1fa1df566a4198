#include "engine/encryption/key_source.h"

#include <cstdlib>
#include <cstring>

#include "base/private_file.h"

namespace waybill::engine::encryption {
namespace {

constexpr std::size_t key_file_bytes_max = 64 * 1024;

}  // namespace

Result<KeyRing> read_key_file(const std::string& path) {
  const std::string name = "encryption key file " + path;
  WAYBILL_TRY_ASSIGN(std::string text, read_private_file(path, name, key_file_bytes_max));
  auto ring = KeyRing::parse(text);
  wipe(text.data(), text.size());
  if (!ring) {
    return invalid(name + ": " + ring.error().message);
  }
  return ring;
}

Result<std::optional<KeyRing>> take_environment_keys() {
  char* text = std::getenv(key_variable);
  if (text == nullptr) {
    return std::optional<KeyRing>();
  }
  auto ring = KeyRing::parse(text);
  wipe(text, std::strlen(text));
  ::unsetenv(key_variable);
  if (!ring) {
    return invalid(std::string(key_variable) + ": " + ring.error().message);
  }
  return std::optional<KeyRing>(*std::move(ring));
}

}  // namespace waybill::engine::encryption
