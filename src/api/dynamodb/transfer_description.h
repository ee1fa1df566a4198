#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "api/dynamodb/call.h"
#include "api/dynamodb/constraints.h"
#include "base/json.h"
#include "transfer/job.h"

// Exports and imports in the words of the service.
namespace waybill::api::dynamodb {

// What stands before the id in an ARN.
inline constexpr std::string_view export_mark = "/export/";
inline constexpr std::string_view import_mark = "/import/";

void check_transfer_arn(Constraints& constraints, std::string_view path,
                        const std::optional<std::string_view>& arn);
// The id at the end of an ARN; empty where it is none.
std::string_view transfer_id_in(std::string_view arn, std::string_view mark);

void check_bucket(Constraints& constraints, std::string_view path,
                  const std::optional<std::string_view>& bucket);
void check_bucket_owner(Constraints& constraints, std::string_view path,
                        const std::optional<std::string_view>& owner);

// {"ExportDescription":{…}} and {"ImportTableDescription":{…}}
std::string export_description(const transfer::Export& job);
std::string import_description(const transfer::Import& job);

// Member "S3BucketSource" of an object that is being written.
void write_bucket_source(json::Writer& out, const transfer::Import& job);

// A number that stays the same for the same values in the same order.
std::string fingerprint(std::initializer_list<std::string_view> values);

}  // namespace waybill::api::dynamodb
