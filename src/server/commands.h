#pragma once

#include "control/server.h"
#include "store/store.h"

namespace waybill::server {

// What a running server does for the commands of the terminal, by their names.
control::Handlers make_commands(store::Store& store);

}  // namespace waybill::server
