#include "engine/counters.h"

#include <algorithm>
#include <memory>
#include <mutex>
#include <utility>

#include "base/bytes.h"
#include "engine/layout.h"
#include "table/key.h"

namespace waybill::engine {

namespace {

constexpr std::size_t rows_max = 2048;
constexpr std::size_t entries_max = 128 * 1024;
constexpr std::size_t known_max = 100'000;
constexpr std::size_t value_bytes = sizeof(uint64_t);
constexpr std::size_t length_bytes = sizeof(uint32_t);

std::string row_key(uint64_t commit) {
  std::string key(layout::commit_counters_prefix);
  append_u64_be(key, commit);
  return key;
}

std::string counter_key(std::string_view name) {
  return std::string(layout::counter_prefix).append(name);
}

}  // namespace

Status Counters::load() {
  const std::string_view prefix = layout::commit_counters_prefix;
  const std::unique_ptr<rocksdb::Iterator> at(
      database_.db().NewIterator(rocksdb::ReadOptions(), database_.meta()));
  for (at->Seek(slice(prefix)); at->Valid() && at->key().starts_with(slice(prefix)); at->Next()) {
    WAYBILL_TRY(load_row(load_u64_be(at->key().data() + prefix.size()), view(at->value())));
  }
  return at->status().ok() ? Status() : to_error(at->status());
}

Status Counters::load_row(uint64_t commit, std::string_view value) {
  Row row{commit, {}};
  while (!value.empty()) {
    const std::size_t length = value.size() < length_bytes ? value.size() : load_u32_be(value.data());
    if (value.size() < length_bytes + length + value_bytes) {
      return Error{
          ErrorKind::corruption, "what commit " + std::to_string(commit) + " counted is cut off", {}};
    }
    const auto number = static_cast<int64_t>(load_u64_be(value.data() + length_bytes + length));
    Known& known = know(value.substr(length_bytes, length), number);
    known.second.value = number;
    known.second.published = number;
    known.second.changed_in = commit;
    row.counters.push_back(&known);
    value.remove_prefix(length_bytes + length + value_bytes);
  }
  entries_ += row.counters.size();
  rows_.push_back(std::move(row));
  return {};
}

Result<int64_t> Counters::stored(std::string_view name) const {
  rocksdb::PinnableSlice value;
  WAYBILL_TRY_ASSIGN(const bool found, database_.get(database_.meta(), counter_key(name), value));
  return found ? static_cast<int64_t>(load_u64_be(value.data())) : 0;
}

Counters::Known& Counters::know(std::string_view name, int64_t value) {
  if (const auto found = all_.find(name); found != all_.end()) {
    return *found;
  }
  const std::unique_lock lock(mutex_);
  Known& known = *all_.try_emplace(std::string(name)).first;
  known.second.value = value;
  known.second.published = value;
  return known;
}

void Counters::list(Known& known) {
  if (!std::exchange(known.second.is_listed, true)) {
    changed_.push_back(&known);
  }
}

// Where a prefix is forgotten, what is still on disk counts no more.
Result<int64_t> Counters::value(std::string_view name) const {
  if (const auto found = all_.find(name); found != all_.end()) {
    return found->second.value;
  }
  const bool is_forgotten =
      std::ranges::any_of(forgotten_, [&](const std::string& prefix) { return name.starts_with(prefix); });
  return is_forgotten ? 0 : stored(name);
}

Status Counters::add(std::string_view name, int64_t delta) {
  const auto found = all_.find(name);
  Known* known = found == all_.end() ? nullptr : &*found;
  if (known == nullptr) {
    WAYBILL_TRY_ASSIGN(const int64_t was, value(name));
    known = &know(name, was);
  }
  known->second.value += delta;
  list(*known);
  return {};
}

// Those that rows of commits tell of must be told of again: as 0.
void Counters::forget(const std::string& prefix, rocksdb::WriteBatch& writes) {
  const std::string begin = counter_key(prefix);
  writes.DeleteRange(database_.meta(), slice(begin), slice(table::after_prefix(begin)));
  for (auto& known : all_) {
    if (known.first.starts_with(prefix)) {
      known.second.value = 0;
      list(known);
    }
  }
  forgotten_.push_back(prefix);
}

void Counters::seal(uint64_t commit, rocksdb::WriteBatch& writes) {
  forgotten_.clear();
  if (changed_.empty()) {
    return;
  }
  std::string row;
  for (Known* const known : changed_) {
    auto& [name, counter] = *known;
    append_u32_be(row, static_cast<uint32_t>(name.size()));
    row.append(name);
    append_u64_be(row, static_cast<uint64_t>(counter.value));
    counter.changed_in = commit;
    counter.is_listed = false;
  }
  writes.Put(database_.meta(), slice(row_key(commit)), slice(row));
  entries_ += changed_.size();
  rows_.push_back({commit, changed_});
  while (rows_.size() > rows_max || (entries_ > entries_max && rows_.size() > 1)) {
    retire(writes);
  }
}

// The oldest row goes. What it is the last to tell of gets a row of its own.
void Counters::retire(rocksdb::WriteBatch& writes) {
  const Row row = std::move(rows_.front());
  rows_.pop_front();
  entries_ -= row.counters.size();
  for (const Known* const known : row.counters) {
    const auto& [name, counter] = *known;
    if (counter.changed_in != row.commit) {
      continue;
    }
    // What is not there counts 0: most of those are of days, tenants and contracts that are over.
    if (counter.value == 0) {
      writes.Delete(database_.meta(), slice(counter_key(name)));
    } else {
      writes.Put(database_.meta(), slice(counter_key(name)),
                 slice(layout::u64_value(static_cast<uint64_t>(counter.value))));
    }
    if (counter.value == 0 || all_.size() - to_be_erased_.size() > known_max) {
      to_be_erased_.push_back(name);
    }
  }
  writes.Delete(database_.meta(), slice(row_key(row.commit)));
}

void Counters::publish() {
  for (Known* const known : changed_) {
    known->second.published.store(known->second.value, std::memory_order_relaxed);
  }
  changed_.clear();
  if (!to_be_erased_.empty()) {
    const std::unique_lock lock(mutex_);
    for (const auto& name : to_be_erased_) {
      all_.erase(name);
    }
    to_be_erased_.clear();
  }
}

Result<int64_t> Counters::read(std::string_view name) const {
  {
    const std::shared_lock lock(mutex_);
    if (const auto found = all_.find(name); found != all_.end()) {
      return found->second.published.load(std::memory_order_relaxed);
    }
  }
  return stored(name);
}

}  // namespace waybill::engine
