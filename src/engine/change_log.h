#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "base/bytes.h"
#include "store/store.h"
#include "table/stream.h"

// How the changes of tables are written down; see layout.h for where.
//
//   entry := 0x01 flags (len keys)? len_before? keys? before? after?
//     flags: kind in two bits, then expired, streamed, and which of the three parts are there
//     keys: an item of the key attributes alone, where neither record is kept
//     before, after: records as in family "items"; the last reaches to the entry's end
namespace waybill::engine::change_log {

std::string key(table::SpaceId log, const table::ChangePlace& place);
table::ChangePlace place_of(std::string_view key);

struct Entry {
  store::ChangeKind kind = store::ChangeKind::modify;
  bool expired = false;
  bool streamed = false;  // a stream was on
  std::optional<std::string_view> keys;
  std::optional<std::string_view> before;
  std::optional<std::string_view> after;
};

// What stands before the parts of an entry.
class Head {
 public:
  Head(const Entry& entry, bool has_after);
  std::string_view view() const { return {bytes_.data(), length_}; }

 private:
  void append_varint(uint32_t value);

  std::array<char, 12> bytes_;
  std::size_t length_ = 0;
};

Entry read(std::string_view bytes);

}  // namespace waybill::engine::change_log
