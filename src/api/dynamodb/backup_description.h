#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "api/dynamodb/call.h"
#include "api/dynamodb/constraints.h"
#include "store/store.h"
#include "table/backup.h"

// Backups in the words of the service.
namespace waybill::api::dynamodb {

void check_backup_arn(Constraints& constraints, const std::optional<std::string_view>& arn);
// The id at the end of a backup's ARN; Error backup_not_found for anything else.
Result<std::string> backup_id_in(std::string_view arn);
std::string backup_arn(const Services& services, const table::Backup& backup);

// "USER" or "SYSTEM".
std::string_view backup_type(const table::Backup& backup);

// {"BackupArn":…}
void write_backup_details(json::Writer& out, const Services& services, const table::Backup& backup);
// {"BackupDescription":{…}}, with all that is known of the table.
std::string backup_description(const Services& services, const table::Backup& backup,
                               std::string_view status);

}  // namespace waybill::api::dynamodb
