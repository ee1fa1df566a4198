#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "intake/progress.h"
#include "intake/session.h"
#include "intake/watcher.h"

namespace waybill::intake {

// Brings all rows of the source to the target, from where `progress` says on; what it comes to is kept in the
// file `path` as it goes on, five times a second, so that a run that is cut off at any moment can be taken up
// again. Rows that become no item are told to the watcher and counted.
//
// Done where the result is complete; where it is not, somebody has stopped it.
Result<Progress> run_import(Session& session, Progress progress, const std::string& path, Watcher& watcher);

}  // namespace waybill::intake
