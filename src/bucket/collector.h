#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>

#include "base/clock.h"
#include "bucket/rows.h"
#include "object/content_store.h"

namespace waybill::bucket {

// Takes away what rows say is freed, soon after they say so; and from time to time contents that no row knows
// of, which a crash left between a content's commit and its row's.
//
// Thread safety: every method may be called from any thread.
class Collector {
 public:
  struct Options {
    const Clock* clock = nullptr;  // never goes back, as that of the contents
    int64_t sweep_interval_ms = 60 * 60 * 1000;
    int64_t sweep_age_ms = 60 * 60 * 1000;  // of contents that this process has made
  };

  // All that is given outlives it. Contents made before `now` have their rows, or will never have them: it is
  // made before the first upload is taken.
  Collector(const Rows& rows, object::ContentStore& contents, const Options& options);
  ~Collector();
  Collector(const Collector&) = delete;
  Collector& operator=(const Collector&) = delete;

  // Takes away all that is freed now. Blocks its caller.
  Status collect();

  // Takes away contents that were made before then and that no row knows of. Blocks its caller.
  Result<object::SweepReport> sweep(int64_t older_than_ms);

 private:
  void run();
  bool collect_and_log();
  void sweep_and_log(int64_t older_than_ms);
  Result<std::size_t> collect_some();
  Result<bool> take_away(const std::string& what);
  Result<bool> take_parts_away(const std::string& upload);

  const Rows& rows_;
  object::ContentStore& contents_;
  const Options options_;
  const int64_t started_ms_;
  std::mutex collecting_;  // one at a time

  std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  bool told_ = true;  // something may be freed
  bool stopping_ = false;

  std::thread thread_;
};

}  // namespace waybill::bucket
