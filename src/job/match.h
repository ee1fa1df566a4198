#pragma once

#include <optional>
#include <string>

#include "job/draft.h"
#include "job/services.h"

namespace waybill::job {

// Binds a draft to the state of the record that a caller has seen; "*" is any. Error version_mismatch where
// the record is another.
Status match(const Subject& subject, Draft& draft, const std::optional<std::string>& if_match);

}  // namespace waybill::job
