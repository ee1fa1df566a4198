#pragma once

#include "control/server.h"
#include "rules/contracts.h"
#include "server/publishing.h"

// What `waybill event` asks of a server that runs.
namespace waybill::server {

// Adds the commands, by their names. What is given outlives the handlers.
//
//   event-parked  {"contract":…}, or {} for all -> {"events":[{"contract":…,"number":…,"record":…,"type":…,
//                 "at":…,"why":…},…]}: up to 10,000 of each contract
//   event-retry   {"contract":…,"number":…}, without "number" for all -> {"count":…}
void add_event_commands(const rules::Contracts& contracts, Publishing& publishing,
                        control::Handlers& handlers);

}  // namespace waybill::server
