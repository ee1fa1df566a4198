#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>

#include "base/result.h"
#include "text/analyzer.h"

namespace waybill::text {

struct FileProgress {
  uint64_t bytes_read = 0;
  uint64_t bytes_total = 0;  // as the file was when it was opened
};

struct FileAnalysis {
  AnalyzerOptions options;

  // Called after each MiB, the last of which may be less, on the caller's thread. May be empty.
  std::function<void(const FileProgress&)> progress;

  // Looked at before each MiB, and while words are merged.
  std::stop_token stop;
};

// The figures of a file, or nullopt where it was stopped. Errors: invalid where the file cannot be read or is
// not a regular one; those of Analyzer.
Result<std::optional<Figures>> analyze_file(const std::string& path, const FileAnalysis& analysis);

}  // namespace waybill::text
