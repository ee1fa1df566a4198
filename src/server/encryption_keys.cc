#include "server/encryption_keys.h"

#include <utility>

#include "base/log.h"
#include "engine/encryption/key_source.h"

namespace waybill::server {

namespace encryption = engine::encryption;

Result<std::unique_ptr<encryption::KeyDoor>> find_encryption_keys(const Config& config) {
  WAYBILL_TRY_ASSIGN(auto from_environment, encryption::take_environment_keys());
  if (from_environment && !config.encryption_key_file.empty()) {
    return invalid(std::string("there are keys in --encryption-key-file and in ") + encryption::key_variable +
                   "; give one of them");
  }
  if (!config.encryption_key_file.empty()) {
    WAYBILL_TRY_ASSIGN(auto keys, encryption::read_key_file(config.encryption_key_file));
    return std::make_unique<encryption::KeyDoor>(std::move(keys));
  }
  if (from_environment) {
    return std::make_unique<encryption::KeyDoor>(*std::move(from_environment));
  }
  if (config.encrypt_existing) {
    return invalid("--encrypt-existing needs a key: give --encryption-key-file FILE");
  }
  return std::unique_ptr<encryption::KeyDoor>();
}

void reload_encryption_keys(const Config& config, encryption::KeyDoor* door) {
  if (door == nullptr || config.encryption_key_file.empty()) {
    log_warning(
        "there is no --encryption-key-file to read again; keys in the environment are read at the start");
    return;
  }
  auto keys = encryption::read_key_file(config.encryption_key_file);
  const std::string current = keys ? keys->current().id.text() : "";
  const Status changed = keys ? door->change(*std::move(keys)) : Status(std::move(keys).error());
  if (!changed) {
    log_error("the keys for encryption stay as they were: " + changed.error().message);
    return;
  }
  log_info("encryption: the key file was read again; what is written from now on is under key " + current);
}

}  // namespace waybill::server
