#pragma once

#include <optional>
#include <string>

#include "job/services.h"

namespace waybill::job {

struct RemoveRequest {
  Target target;
  std::optional<std::string> owner;     // it must be this one's
  std::optional<std::string> if_match;  // etag_of
};

// Deletes a record and answers with what it was. Errors besides: access_denied where it is another owner's.
void remove(const Services& services, RemoveRequest request, Answer<Changed> done);

}  // namespace waybill::job
