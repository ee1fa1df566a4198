#pragma once

#include <optional>
#include <string>

#include "job/patch.h"
#include "job/services.h"

namespace waybill::job {

struct UpdateRequest {
  Target target;
  Patch patch;
  std::optional<std::string> if_match;  // etag_of
};

// Changes fields of a record. A status among them is a move, as the rules allow it.
void update(const Services& services, UpdateRequest request, Answer<Changed> done);

}  // namespace waybill::job
