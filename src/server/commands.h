#pragma once

#include "base/clock.h"
#include "control/server.h"
#include "store/store.h"

namespace waybill::server {

// What a running server does for the commands of the terminal, by their names. What is given
// outlives them.
control::Handlers make_commands(store::Store& store, const Clock& clock);

}  // namespace waybill::server
