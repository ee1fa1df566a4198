#pragma once

#include <rocksdb/db.h>

#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "engine/database.h"
#include "engine/layout.h"

namespace waybill::engine {

// Rows one after the other, by rising key.
class RowSource {
 public:
  virtual ~RowSource() = default;

  // Goes to the next row, the first one at first; false at the end.
  virtual Result<bool> next() = 0;

  // Of the row that it stands on. They live until next() is called.
  virtual std::string_view key() const = 0;     // without its space
  virtual std::string_view record() const = 0;  // see layout.h
};

// A moment of the store that stays readable for as long as this lives.
class Moment {
 public:
  explicit Moment(rocksdb::DB& db) : db_(db), snapshot_(db.GetSnapshot()) {}
  ~Moment() { db_.ReleaseSnapshot(snapshot_); }
  Moment(const Moment&) = delete;
  Moment& operator=(const Moment&) = delete;

  const rocksdb::Snapshot* snapshot() const { return snapshot_; }

 private:
  rocksdb::DB& db_;
  const rocksdb::Snapshot* const snapshot_;
};

using MomentPtr = std::shared_ptr<const Moment>;

// All that stands in one space, as it was at a moment; or what stands in it behind the key `after`.
class SpaceRows final : public RowSource {
 public:
  SpaceRows(const Database& database, rocksdb::ColumnFamilyHandle* family, table::SpaceId space,
            MomentPtr moment, std::string_view after = {});

  Result<bool> next() override;
  std::string_view key() const override { return view(at_->key()).substr(sizeof(table::SpaceId)); }
  std::string_view record() const override { return view(at_->value()); }

 private:
  const std::string begin_;
  const std::string end_;
  const rocksdb::Slice upper_;  // the iterator refers to it
  const MomentPtr moment_;
  std::unique_ptr<rocksdb::Iterator> at_;
  bool begun_ = false;
};

}  // namespace waybill::engine
