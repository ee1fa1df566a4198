#include "engine/bulk/row_sorter.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/bytes.h"
#include "engine/bulk/sst_sequence.h"

namespace waybill::engine {

namespace {

uint64_t head_of(std::string_view key) {
  char bytes[sizeof(uint64_t)] = {};
  std::memcpy(bytes, key.data(), std::min(key.size(), sizeof(bytes)));
  return load_u64_be(bytes);
}

}  // namespace

class RowSorter::MemoryRun final : public RowSource {
 public:
  explicit MemoryRun(const RowSorter& sorter) : sorter_(sorter) {}
  Result<bool> next() override { return ++at_ <= sorter_.rows_.size(); }
  std::string_view key() const override { return sorter_.key_of(sorter_.rows_[at_ - 1]); }
  std::string_view record() const override { return sorter_.value_of(sorter_.rows_[at_ - 1]); }

 private:
  const RowSorter& sorter_;
  std::size_t at_ = 0;  // one more than the row's number
};

class RowSorter::FileRun final : public RowSource {
 public:
  FileRun(const RowSorter& sorter, const std::vector<std::string>& files)
      : options_(sorter.database_.db().GetOptions(sorter.database_.items())), files_(files) {}

  Result<bool> next() override {
    if (at_) {
      at_->Next();
    }
    while (!at_ || !at_->Valid()) {
      if (at_ && !at_->status().ok()) {
        return to_error(at_->status());
      }
      if (file_ == files_.size()) {
        return false;
      }
      at_.reset();
      reader_ = std::make_unique<rocksdb::SstFileReader>(options_);
      if (const auto status = reader_->Open(files_[file_++]); !status.ok()) {
        return to_error(status);
      }
      rocksdb::ReadOptions read;
      read.fill_cache = false;
      read.readahead_size = 1 << 20;
      at_.reset(reader_->NewIterator(read));
      at_->SeekToFirst();
    }
    return true;
  }
  std::string_view key() const override { return view(at_->key()); }
  std::string_view record() const override { return view(at_->value()); }

 private:
  const rocksdb::Options options_;
  const std::vector<std::string>& files_;
  std::size_t file_ = 0;
  std::unique_ptr<rocksdb::SstFileReader> reader_;
  std::unique_ptr<rocksdb::Iterator> at_;
};

// The rows of all runs, which are sorted and have each key once, in order. Of runs that stand on the same key
// the one that is wanted is shown; the others step over it.
class RowSorter::Merge final : public RowSource {
 private:
  // What std::push_heap wants: whether a comes after b.
  auto order() const {
    return [this](std::size_t a, std::size_t b) {
      const int order = runs_[a]->key().compare(runs_[b]->key());
      return order != 0 ? order > 0 : keep_ == Keep::first_added ? a > b : a < b;
    };
  }

 public:
  Merge(std::vector<std::unique_ptr<RowSource>> runs, Keep keep) : runs_(std::move(runs)), keep_(keep) {}

  Result<bool> next() override {
    if (!begun_) {
      begun_ = true;
      for (std::size_t i = 0; i < runs_.size(); ++i) {
        WAYBILL_TRY(advance(i));
      }
    } else {
      const std::string last(key());
      while (!heap_.empty() && runs_[heap_.front()]->key() == last) {
        const std::size_t run = heap_.front();
        std::pop_heap(heap_.begin(), heap_.end(), order());
        heap_.pop_back();
        WAYBILL_TRY(advance(run));
      }
    }
    return !heap_.empty();
  }
  std::string_view key() const override { return runs_[heap_.front()]->key(); }
  std::string_view record() const override { return runs_[heap_.front()]->record(); }

 private:
  Status advance(std::size_t run) {
    WAYBILL_TRY_ASSIGN(const bool more, runs_[run]->next());
    if (more) {
      heap_.push_back(run);
      std::push_heap(heap_.begin(), heap_.end(), order());
    }
    return {};
  }

  const std::vector<std::unique_ptr<RowSource>> runs_;
  const Keep keep_;
  std::vector<std::size_t> heap_;
  bool begun_ = false;
};

RowSorter::RowSorter(const Database& database, std::string prefix, std::size_t memory_bytes, Keep keep)
    : database_(database), prefix_(std::move(prefix)), memory_bytes_(memory_bytes), keep_(keep) {}

RowSorter::~RowSorter() {
  auto* const env = database_.db().GetEnv();
  for (const auto& run : runs_) {
    for (const auto& file : run) {
      env->DeleteFile(file);
    }
  }
}

Status RowSorter::add(std::string_view key, std::string_view value) {
  const std::size_t row_bytes = key.size() + value.size();
  if (!rows_.empty() && bytes_.size() + row_bytes + rows_.size() * sizeof(Row) > memory_bytes_) {
    WAYBILL_TRY(spill());
  }
  rows_.push_back(
      {head_of(key), bytes_.size(), static_cast<uint32_t>(key.size()), static_cast<uint32_t>(value.size())});
  bytes_.append(key).append(value);
  return {};
}

bool RowSorter::is_before(const Row& a, const Row& b) const {
  if (a.head != b.head) {
    return a.head < b.head;
  }
  const int order = key_of(a).compare(key_of(b));
  return order != 0 ? order < 0 : a.offset < b.offset;
}

// Leaves each key once.
void RowSorter::sort() {
  std::sort(rows_.begin(), rows_.end(), [this](const Row& a, const Row& b) { return is_before(a, b); });
  const auto same = [this](const Row& a, const Row& b) { return a.head == b.head && key_of(a) == key_of(b); };
  if (keep_ == Keep::first_added) {
    rows_.erase(std::unique(rows_.begin(), rows_.end(), same), rows_.end());
  } else {
    rows_.erase(rows_.begin(), std::unique(rows_.rbegin(), rows_.rend(), same).base());
  }
}

Status RowSorter::spill() {
  sort();
  SstSequence files(database_, database_.items(), prefix_ + std::to_string(runs_.size()) + "-");
  Status status;
  for (std::size_t i = 0; i < rows_.size() && status; ++i) {
    status = files.put(key_of(rows_[i]), value_of(rows_[i]));
  }
  if (status) {
    status = files.finish();
  }
  runs_.push_back(files.files());
  rows_.clear();
  bytes_.clear();
  return status;
}

Result<std::unique_ptr<RowSource>> RowSorter::sorted() {
  std::vector<std::unique_ptr<RowSource>> runs;
  runs.reserve(runs_.size() + 1);
  for (const auto& files : runs_) {
    runs.push_back(std::make_unique<FileRun>(*this, files));
  }
  sort();
  runs.push_back(std::make_unique<MemoryRun>(*this));
  if (runs.size() == 1) {
    return std::move(runs.front());
  }
  return std::unique_ptr<RowSource>(std::make_unique<Merge>(std::move(runs), keep_));
}

}  // namespace waybill::engine
