#pragma once

#include <unicode/utypes.h>

#include <string>

#include "base/result.h"

namespace waybill::text {

// What ICU could not do. It does all that is asked of it here unless its data or memory is missing.
inline Error icu_problem(const char* what, UErrorCode code) {
  return Error{ErrorKind::internal,
               std::string("ICU cannot ") + what + ": " + u_errorName(code) +
                   "; check that the package libicu72 is installed whole",
               {}};
}

}  // namespace waybill::text
