#include "engine/expiry_walk.h"

#include <rocksdb/iterator.h>

#include <memory>

#include "base/log.h"
#include "engine/layout.h"
#include "table/key.h"

namespace waybill::engine {

namespace {

constexpr std::size_t items_per_round = 5'000;
constexpr int64_t rest_seconds = 60 * 60;

}  // namespace

std::vector<std::string> ExpiryWalk::next(const table::Table& table, int64_t now_seconds, uint64_t round) {
  std::vector<std::string> keys;
  Walk& walk = walks_[table.space];
  if (walk.round != round) {
    walk.round = round;
    walk.walked = 0;
  }
  if (walk.is_resting && now_seconds >= walk.began_at_seconds &&
      now_seconds - walk.began_at_seconds < rest_seconds) {
    return keys;
  }
  if (walk.is_resting || walk.from.empty()) {
    walk.is_resting = false;
    walk.began_at_seconds = now_seconds;
    walk.from = layout::full_key(table.space, {});
  }
  const std::string end = layout::full_key(table.space + 1, {});
  const rocksdb::Slice upper = slice(end);
  rocksdb::ReadOptions options;
  options.iterate_upper_bound = &upper;
  options.fill_cache = false;
  const std::unique_ptr<rocksdb::Iterator> at(database_.db().NewIterator(options, database_.items()));
  for (at->Seek(slice(walk.from)); at->Valid(); at->Next()) {
    if (walk.walked == items_per_round || keys.size() == keys_max) {
      walk.from = view(at->key());
      return keys;
    }
    ++walk.walked;
    if (table::is_expired(table.ttl, layout::read_record(view(at->value())).item, now_seconds)) {
      keys.emplace_back(view(at->key()).substr(sizeof(table::SpaceId)));
    }
  }
  if (!at->status().ok()) {
    log_error("looking for expired items of table " + table.name + " failed: " + at->status().ToString());
  }
  walk.from.clear();
  walk.is_resting = true;
  return keys;
}

}  // namespace waybill::engine
