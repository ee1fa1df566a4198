#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace waybill::cli {

// "1.4 GB", "512 kB".
std::string readable_bytes(uint64_t bytes);

// Shows on standard error how far something is: a bar that is drawn over itself on a terminal, else a line
// every ten percent.
class ProgressBar {
 public:
  ProgressBar();
  // Ends the bar's line.
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  // `done_text` and `total_text` stand beside the bar: "1.4 GB of 3.2 GB".
  void show(std::string_view what, uint64_t done, uint64_t total, const std::string& amounts);

 private:
  const bool on_terminal_;
  bool drawn_ = false;
  int last_percent_ = -1;
};

}  // namespace waybill::cli
