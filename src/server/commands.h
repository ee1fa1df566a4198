#pragma once

#include "api/dynamodb/call.h"
#include "control/server.h"
#include "migration/migrations.h"
#include "rules/contracts.h"
#include "server/publishing.h"

namespace waybill::server {

// What a running server does for the commands of the terminal, by their names. All that is
// given outlives the handlers.
control::Handlers make_commands(const api::dynamodb::Services& services, rules::Contracts& contracts,
                                migration::Migrations& migrations, Publishing& publishing);

}  // namespace waybill::server
