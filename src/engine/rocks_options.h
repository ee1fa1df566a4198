#pragma once

#include <rocksdb/options.h>

#include <cstdint>

// The one place where RocksDB's options are made.
namespace waybill::engine {

struct RocksOptions {
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

RocksOptions make_rocks_options(uint64_t memory_bytes, rocksdb::Env* env);

// Stops the process where an option is set that loses or damages data in the version we build on.
void check_rocks_options(const rocksdb::DBOptions& options);

}  // namespace waybill::engine
