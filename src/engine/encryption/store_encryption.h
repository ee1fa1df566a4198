#pragma once

#include <memory>
#include <string>

#include "base/entropy.h"
#include "base/result.h"
#include "engine/encryption/key_door.h"
#include "engine/encryption/opening.h"

namespace rocksdb {
class Env;
}

namespace waybill::engine::encryption {

class Caretaker;
class EncryptedFileSystem;

// What the engine needs to know of encryption: whether a store may be opened, and on which file system.
class StoreEncryption {
 public:
  struct Options {
    std::string data_dir;
    KeyDoor* door = nullptr;  // null: no keys are given. Outlives this
    bool encrypt_existing = false;
    Entropy* entropy = nullptr;   // outlives this
    rocksdb::Env* env = nullptr;  // the file system beneath; null: the machine's own. Outlives this
  };

  // Decides whether the store may be opened so; the error says what to do. Changes nothing.
  static Result<std::unique_ptr<StoreEncryption>> prepare(const Options& options);
  ~StoreEncryption();
  StoreEncryption(const StoreEncryption&) = delete;
  StoreEncryption& operator=(const StoreEncryption&) = delete;

  // The file system to open the store on.
  rocksdb::Env* env() const;

  // The store is open: notes how, and begins to look after its files.
  Status start();
  // The store is about to close.
  void stop();

 private:
  StoreEncryption(const Options& options, Mode mode);

  const Options options_;
  const Mode mode_;
  std::shared_ptr<EncryptedFileSystem> files_;  // null where the store is plain
  std::unique_ptr<rocksdb::Env> env_;
  std::unique_ptr<Caretaker> caretaker_;
};

// What there is to know of the store in `data_dir` without its keys. It may be open.
Result<Evidence> look_at_store(const std::string& data_dir);

}  // namespace waybill::engine::encryption
