#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "intake/digest.h"

// How far an import is, in a file beside it, so that it goes on there after a crash.
//
// The file, version 1: one JSON object with the members below. It is replaced as a whole: written beside,
// synced, renamed.
namespace waybill::intake {

struct Progress {
  std::string fingerprint;            // of the mapping and the table that items go to
  bool was_prepared = false;          // changes were being noted when it began
  std::vector<std::string> last_key;  // all rows up to this one are written; empty: none yet
  uint64_t rows = 0;                  // that were read and dealt with
  uint64_t written = 0;
  uint64_t rejected = 0;
  uint64_t expired = 0;  // whose time to live was over already
  Digest checksum;       // of the items written
  bool is_complete = false;
  bool is_finished = false;  // the move is over: the target is no longer the source's copy
};

std::string progress_text(const Progress& progress);
// Error corruption where the text is none of progress_text().
Result<Progress> parse_progress(std::string_view text);

// Nothing where there is no such file.
Result<std::optional<Progress>> load_progress(const std::string& path);
// On disk when it returns.
Status save_progress(const std::string& path, const Progress& progress);

}  // namespace waybill::intake
