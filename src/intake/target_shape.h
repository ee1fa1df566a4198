#pragma once

#include "base/result.h"
#include "intake/mapping.h"
#include "intake/server_client.h"
#include "intake/shape.h"

namespace waybill::intake {

// Asks the server for the table, or for the contract in force, that a mapping names. Error not_found where
// there is none; what to do stands in the message.
Result<Shape> find_shape(ServerClient& client, const Target& target);

}  // namespace waybill::intake
