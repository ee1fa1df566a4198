#include "engine/encryption/store_encryption.h"

#include <rocksdb/env.h>

#include <utility>

#include "base/log.h"
#include "engine/encryption/caretaker.h"
#include "engine/encryption/encrypted_file_system.h"
#include "engine/encryption/store_marker.h"

namespace waybill::engine::encryption {

Result<Evidence> look_at_store(const std::string& data_dir) {
  WAYBILL_TRY_ASSIGN(auto marker, read_marker(data_dir));
  WAYBILL_TRY_ASSIGN(auto files, survey(data_dir));
  return Evidence{data_dir, marker, std::move(files)};
}

Result<std::unique_ptr<StoreEncryption>> StoreEncryption::prepare(const Options& options) {
  WAYBILL_TRY_ASSIGN(const auto evidence, look_at_store(options.data_dir));
  const auto keys = options.door != nullptr ? options.door->keys() : nullptr;
  WAYBILL_TRY_ASSIGN(const Mode mode, decide_opening(evidence, keys.get(), options.encrypt_existing));
  return std::unique_ptr<StoreEncryption>(new StoreEncryption(options, mode));
}

StoreEncryption::StoreEncryption(const Options& options, Mode mode) : options_(options), mode_(mode) {
  if (mode == Mode::plain) {
    return;
  }
  const auto base = options.env != nullptr ? options.env->GetFileSystem() : rocksdb::FileSystem::Default();
  const auto plain_files = mode == Mode::converting ? EncryptedFileSystem::PlainFiles::accepted
                                                    : EncryptedFileSystem::PlainFiles::refused;
  files_ = std::make_shared<EncryptedFileSystem>(base, options.door->keys(), *options.entropy, plain_files);
  env_ = rocksdb::NewCompositeEnv(files_);
}

StoreEncryption::~StoreEncryption() {
  stop();
}

rocksdb::Env* StoreEncryption::env() const {
  return env_ ? env_.get() : options_.env;
}

Status StoreEncryption::start() {
  if (!files_) {
    return {};
  }
  const auto& current = files_->keys()->current();
  WAYBILL_TRY_ASSIGN(const auto marker, read_marker(options_.data_dir));
  if (!marker) {
    WAYBILL_TRY(write_marker(options_.data_dir, mode_ == Mode::converting, current));
  }
  log_info("encryption: what is written is under key " + current.id.text() +
           (mode_ == Mode::converting ? "; what was there before is being encrypted" : ""));
  caretaker_ = std::make_unique<Caretaker>(*files_, options_.data_dir, *options_.entropy, mode_);
  options_.door->connect([this](KeyRing keys) { return caretaker_->use(std::move(keys)); });
  return {};
}

void StoreEncryption::stop() {
  if (caretaker_) {
    options_.door->disconnect();
    caretaker_.reset();
  }
}

}  // namespace waybill::engine::encryption
