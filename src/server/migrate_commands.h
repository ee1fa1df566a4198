#pragma once

#include <string>

#include "base/json.h"
#include "base/result.h"
#include "control/server.h"
#include "migration/migrations.h"
#include "store/store.h"

// What `waybill migrate` asks of a server that runs. Each takes a request and answers JSON. A migration is
// {"table":…,"kind":…,"what":…,"step":…,"next":…,"seen":…,"total":…,"changed":…,"refused":…} with "complaint"
// and "failure" where there are some; "what" and "next" are sentences.
namespace waybill::server {

struct MigrateServices {
  migration::Migrations& migrations;
  const store::Store& store;
};

// {"table":…} and one of {"rename":"OLD=NEW"}, {"add":"FIELD=VALUE","having":…}, {"remove":"FIELD"} and
// {"key":"TABLE","make":["PK=…",…],"back":[…]}; with "contract":{"file":…,"text":…,"parameters":{…}} where a
// field is removed -> a migration
Result<std::string> start_migration(const MigrateServices& services, const json::Value& request,
                                    control::Progress& progress);

// {"table":…}, or {} for all -> {"migrations":[…]}
Result<std::string> list_migrations(const MigrateServices& services, const json::Value& request);

// {"table":…,"step":"backfill",…,"rate":…,"contract":{…}} -> a migration. Follows the walk that it begins, or
// finds under way, to its end; the walk goes on where nobody follows it any more.
Result<std::string> step_migration(const MigrateServices& services, const json::Value& request,
                                   control::Progress& progress);

// {"table":…} -> {"records":…,"disagreeing":…,"example":…,"migration":{…}}
Result<std::string> verify_migration(const MigrateServices& services, const json::Value& request,
                                     control::Progress& progress);

// The four, by their names.
void add_migrate_commands(const MigrateServices& services, control::Handlers& handlers);

}  // namespace waybill::server
