#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/clock.h"
#include "base/entropy.h"
#include "base/result.h"
#include "store/store.h"

namespace rocksdb {
class Env;
}

namespace waybill::engine::encryption {
class KeyDoor;
}

// The embedded store: one writer thread, group commit, RocksDB underneath.
namespace waybill::engine {

enum class Durability : unsigned char {
  sync,     // an answer is given after the disk has it
  relaxed,  // for tests: an answer may be lost in a crash of the machine
};

struct Options {
  std::string data_dir;
  const Clock* clock = nullptr;  // must outlive the store
  Entropy* entropy = nullptr;    // must outlive the store
  Durability durability = Durability::sync;
  uint64_t memory_bytes = 512ULL << 20;        // caches and write buffers together
  uint64_t disk_reserve_bytes = 128ULL << 20;  // writes are refused when less is free
  int64_t housekeeping_interval_ms = 500;      // how often expiry, backfill and the like are looked at
  bool accept_loss = false;                    // open although acknowledged commits are missing from the log
  rocksdb::Env* env = nullptr;                 // the file system; null: the machine's own

  // The keys to encrypt all files with, now and later; null: the store is not encrypted. Outlives the store.
  encryption::KeyDoor* encryption_keys = nullptr;
  bool encrypt_existing = false;  // take a store that is not encrypted yet, and encrypt it while it is open
};

// Opens or creates the store in `options.data_dir`. Errors:
//   corruption   acknowledged commits can't be found again, or files are damaged; says what to do
//   unavailable  the directory can't be used, or another process has it
//   invalid      it is encrypted and its key is missing, or it is not and a key was given; says what to do
Result<std::unique_ptr<store::Store>> open(const Options& options);

}  // namespace waybill::engine
