#pragma once

#include <string>

#include "alarm/notice.h"

namespace waybill::alarm {

enum class Posted : unsigned char {
  taken,
  failed,   // nobody was there, or they could not: worth another attempt
  refused,  // another attempt would end the same
};

struct PostOutcome {
  Posted posted = Posted::taken;
  std::string detail;  // for the log, where it was not taken
};

// Tells somebody of a notice.
//
// Thread safety: post() on one thread; interrupt() from any.
class Poster {
 public:
  virtual ~Poster() = default;

  // Blocks its caller, for a bounded time.
  virtual PostOutcome post(const Notice& notice) = 0;

  // Lets a post that is under way, and all that come, fail soon.
  virtual void interrupt() = 0;
};

}  // namespace waybill::alarm
