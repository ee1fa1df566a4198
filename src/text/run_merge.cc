#include "text/run_merge.h"

#include <algorithm>
#include <string>

namespace waybill::text {

namespace {

constexpr uint64_t words_between_looks = 4096;

// Runs with a word at hand; the one with the least word is at the front of a heap.
class Heads {
 public:
  Status open(std::vector<Run> runs) {
    for (auto& run : runs) {
      readers_.emplace_back(std::move(run));
    }
    for (auto& reader : readers_) {
      heap_.push_back(&reader);
      WAYBILL_TRY(advance_last());
    }
    return {};
  }

  bool empty() const { return heap_.empty(); }
  const RunReader& least() const { return *heap_.front(); }

  Status advance() {
    std::pop_heap(heap_.begin(), heap_.end(), is_behind);
    return advance_last();
  }

 private:
  static bool is_behind(const RunReader* a, const RunReader* b) { return a->word() > b->word(); }

  Status advance_last() {
    WAYBILL_TRY_ASSIGN(const bool more, heap_.back()->next());
    if (more) {
      std::push_heap(heap_.begin(), heap_.end(), is_behind);
    } else {
      heap_.pop_back();
    }
    return {};
  }

  std::vector<RunReader> readers_;
  std::vector<RunReader*> heap_;
};

}  // namespace

Result<bool> merge_runs(std::vector<Run> runs, const std::stop_token& stop,
                        UniqueFunction<Status(std::string_view word, uint64_t count)> take) {
  Heads heads;
  WAYBILL_TRY(heads.open(std::move(runs)));
  std::string word;
  for (uint64_t words = 0; !heads.empty(); ++words) {
    if (words % words_between_looks == 0 && stop.stop_requested()) {
      return false;
    }
    word = heads.least().word();
    uint64_t count = 0;
    while (!heads.empty() && heads.least().word() == word) {
      count += heads.least().count();
      WAYBILL_TRY(heads.advance());
    }
    WAYBILL_TRY(take(word, count));
  }
  return true;
}

}  // namespace waybill::text
