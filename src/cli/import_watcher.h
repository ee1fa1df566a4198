#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/clock.h"
#include "cli/progress_bar.h"
#include "intake/watcher.h"

namespace waybill::cli {

// "12,345".
std::string grouped(uint64_t number);

// "18,200 of 200,000 rows, 31,000 rows/s, 6 s left": of what was done within so many milliseconds.
std::string pace_words(uint64_t done, uint64_t total, uint64_t done_now, int64_t elapsed_ms);

// Shows on standard error how an import goes on.
class ImportWatcher final : public intake::Watcher {
 public:
  explicit ImportWatcher(const Clock& clock);

  void advanced(const std::string& what, uint64_t done, uint64_t total) override;
  void rejected(const intake::Rejection& rejection) override;
  void lags(uint64_t changes, int64_t oldest_ms, uint64_t applied) override;
  void says(const std::string& text) override;

  // Ends what is drawn, so that something else can be printed.
  void end_line();

 private:
  const Clock& clock_;
  const bool on_terminal_;
  std::optional<ProgressBar> bar_;
  std::string what_;
  uint64_t first_done_ = 0;
  int64_t begun_ms_ = 0;
  uint64_t rejections_ = 0;
  std::string lag_text_;
};

}  // namespace waybill::cli
