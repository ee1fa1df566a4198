#include "engine/bulk/row_source.h"

#include <utility>

namespace waybill::engine {

namespace {

constexpr std::size_t readahead_bytes = 2 << 20;

}  // namespace

SpaceRows::SpaceRows(const Database& database, rocksdb::ColumnFamilyHandle* family, table::SpaceId space,
                     MomentPtr moment, std::string_view after)
    : begin_(layout::full_key(space, after) + std::string(after.empty() ? 0 : 1, '\0')),
      end_(layout::full_key(space + 1, {})),
      upper_(slice(end_)),
      moment_(std::move(moment)) {
  rocksdb::ReadOptions options;
  options.snapshot = moment_->snapshot();
  options.iterate_upper_bound = &upper_;
  options.fill_cache = false;
  options.readahead_size = readahead_bytes;
  at_.reset(database.db().NewIterator(options, family));
}

Result<bool> SpaceRows::next() {
  if (begun_) {
    at_->Next();
  } else {
    at_->Seek(slice(begin_));
    begun_ = true;
  }
  if (!at_->status().ok()) {
    return to_error(at_->status());
  }
  return at_->Valid();
}

}  // namespace waybill::engine
