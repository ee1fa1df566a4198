#pragma once

#include <cstdint>
#include <string>

#include "job/patch.h"
#include "job/services.h"

namespace waybill::job {

struct FailRequest {
  Target target;
  std::string lease;
  std::string code;     // short, says nothing of persons
  std::string message;  // ditto
  std::string stack;    // "": none
  Patch patch = {};
  bool retry = true;  // false: it would fail again, whoever tried
};

struct Failed {
  item::Item record;
  bool gave_up = false;     // nobody will try again by himself
  int64_t retry_at_ms = 0;  // else: from when on somebody may
};

// An attempt has failed. It is tried again after a while, until the contract's attempts are used up; then, or
// where the contract knows no second attempt, it is given up, and the message goes to the dead letters where
// the contract wants that.
void fail(const Services& services, FailRequest request, Answer<Failed> done);

}  // namespace waybill::job
