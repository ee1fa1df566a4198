#pragma once

#include <rocksdb/memtablerep.h>

#include <cstddef>
#include <memory>

namespace waybill::engine {

// Memtables for a store with one writer: a list kept in order, with a second way in by hash.
//
// RocksDB's own skip list asks its comparator through two virtual calls for every step, finds its way back
// from the top for every step backwards, and has its assertions compiled in by Debian, each of them one more
// comparison. Ours keeps the first 32 bytes of a key in the node, is linked both ways, and answers a
// point read from a hash table without entering the list: "the 20 newest" and "the item under this key" are
// what we are asked all day.
//
// Needs the bytewise comparator without timestamps, and DBOptions::allow_concurrent_memtable_write off.
//
// Thread safety: one thread inserts; any number read at the same time, without locks.
std::shared_ptr<rocksdb::MemTableRepFactory> make_memtable_factory(std::size_t buckets);

}  // namespace waybill::engine
