#pragma once

#include "api/dynamodb/call.h"
#include "control/server.h"

namespace waybill::server {

// What a running server does for the commands of the terminal, by their names. `services` outlives
// the handlers.
control::Handlers make_commands(const api::dynamodb::Services& services);

}  // namespace waybill::server
