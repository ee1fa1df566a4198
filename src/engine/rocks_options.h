#pragma once

#include <rocksdb/options.h>

#include <cstdint>
#include <memory>

// The one place where RocksDB's options are made.
namespace waybill::engine {

struct RocksOptions {
  std::shared_ptr<rocksdb::Env> env;  // what db.env refers to; null where that is given
  rocksdb::DBOptions db;
  rocksdb::ColumnFamilyOptions items;     // large, read by key and sometimes by range
  rocksdb::ColumnFamilyOptions entries;   // of indexes: small, read by range
  rocksdb::ColumnFamilyOptions changes;   // of tables, in order: written once, read once, dropped by age
  rocksdb::ColumnFamilyOptions backups;   // copies of tables: written once in whole files
  rocksdb::ColumnFamilyOptions tokens;    // request tokens: small, written once, looked up twice
  rocksdb::ColumnFamilyOptions usage;     // by the minute: small, written once, read in order, dropped by age
  rocksdb::ColumnFamilyOptions messages;  // of queues: large, written once, read once or twice, deleted soon
  rocksdb::ColumnFamilyOptions deliveries;  // who waits and what is in flight: small, short-lived
  rocksdb::ColumnFamilyOptions meta;        // tables, counters, progress: tiny
  uint64_t item_cache_bytes = 0;            // our own share of the memory, beside RocksDB's
};

// How the log is written: over what was prepared, which is for logs that are synced before they go on
// (prepared_log.h), or at its end.
enum class LogWriting : unsigned char { over_prepared, at_end };

// `env`: the file system; null: the machine's own.
RocksOptions make_rocks_options(uint64_t memory_bytes, rocksdb::Env* env, LogWriting log_writing);

// Stops the process where an option is set that loses or damages data in the version we build on.
void check_rocks_options(const rocksdb::DBOptions& options);

}  // namespace waybill::engine
