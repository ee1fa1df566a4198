#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "event/row.h"

namespace waybill::event {

// Rows that wait for one target: which may be told now, and which must wait. Rows of one record stand behind
// each other; a row that failed holds back its record alone, and is tried again later and later. Where
// nothing new is taken either, the other side is taken to be away: all wait, and a few are tried now and
// then.
//
// Pure: no clock, no I/O. Times are of a clock that never goes back.
class Line {
 public:
  // A row that came behind all others of its record.
  void add(RowKey key);

  // Those that may be told now, one of each record at most: new ones and ones that failed in turns, so that
  // neither keeps the other waiting.
  std::vector<RowKey> take(int64_t now_ms, std::size_t count_max) const;

  // What became of a row that was taken. Dropped: there was nothing to tell.
  void over(const RowKey& key);
  void dropped(const RowKey& key);
  void failed(const RowKey& key, int64_t now_ms);
  // Once all that were taken are told.
  void end_round(int64_t now_ms);

  // Whether take() could hand over more now if more rows were added. There is a bound to how many may wait.
  bool wants_more(int64_t now_ms, std::size_t count_max) const;
  std::size_t rows() const { return rows_; }
  void clear();

 private:
  static constexpr std::size_t rows_max = 10'000;
  static constexpr std::size_t tried_in_trouble = 3;

  struct Record {
    std::deque<std::string> rows;  // their seq
    int failures = 0;              // of the first one
    int64_t due_ms = 0;            // when it may be told
    uint64_t arrival = 0;          // order of those that are new
  };
  using Records = std::map<std::string, Record>;

  std::size_t most(std::size_t count_max) const;

  Records records_;
  std::size_t rows_ = 0;
  uint64_t arrivals_ = 0;

  // Of the round.
  bool any_over_ = false;
  bool any_failed_ = false;
  bool any_new_failed_ = false;

  int troubles_ = 0;  // rounds in a row in which nothing was taken, and something new failed
  int64_t paused_until_ms_ = 0;
};

}  // namespace waybill::event
