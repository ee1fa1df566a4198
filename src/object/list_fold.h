#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace waybill::object {

// Where a listing goes on: behind a key, or behind all keys that a common prefix stands for.
struct ListPosition {
  enum class Kind : unsigned char { start, behind_key, behind_prefix };
  Kind kind = Kind::start;
  std::string text;

  bool operator==(const ListPosition&) const = default;
};

struct ListQuery {
  std::string prefix;
  std::string delimiter;  // empty: no grouping
  ListPosition position;
  std::size_t entries_max = 1000;  // keys and common prefixes together
};

// What a client means that gives a marker or start-after: it is a key, but where it is a common prefix of
// this very listing it stands for all keys under it, as the marker does that S3 itself gives.
ListPosition position_behind(std::string_view marker, const ListQuery& query);

// Decides a listing while keys go by in the order of their bytes. Every common prefix costs one seek, however
// many keys it stands for:
//
//   ListFold fold(query);
//   rows.seek(fold.seek_key());
//   while (rows.valid()) {
//     const auto step = fold.take(rows.key());
//     if (step == key) { emit the key; rows.next(); }
//     if (step == common_prefix) { emit fold.common_prefix(); rows.seek(fold.seek_key()); }
//     if (step == end) break;
//   }
//
// Thread safety: one thread at a time.
class ListFold {
 public:
  enum class Step : unsigned char {
    key,            // is part of the listing; go on to the next key
    common_prefix,  // common_prefix() is part of the listing; go on at seek_key()
    skip,           // lies before the place to begin; go on at seek_key()
    end,            // the listing is over; whether more is there, is_truncated() says
  };

  explicit ListFold(ListQuery query);

  // The first key at or behind this is next. Nothing where no key can follow.
  const std::optional<std::string>& seek_key() const { return seek_key_; }

  // Keys come in rising order, each once.
  Step take(std::string_view key);

  const std::string& common_prefix() const { return common_prefix_; }
  std::size_t entry_count() const { return entry_count_; }

  // Whether there was more than entries_max. Known once take() gave `end`, or the keys are used up.
  bool is_truncated() const { return is_truncated_; }

  // Behind the last entry: where the next page begins.
  const ListPosition& next_position() const { return last_; }

 private:
  Step take_entry(std::string_view key);

  ListQuery query_;
  std::optional<std::string> seek_key_;
  std::string common_prefix_;
  ListPosition last_;
  std::size_t entry_count_ = 0;
  bool is_truncated_ = false;
};

}  // namespace waybill::object
