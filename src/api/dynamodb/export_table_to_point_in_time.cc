#include <utility>

#include "api/dynamodb/fields.h"
#include "api/dynamodb/operations.h"
#include "api/dynamodb/table_lookup.h"
#include "api/dynamodb/transfer_description.h"
#include "transfer/transfers.h"

namespace waybill::api::dynamodb {
namespace {

constexpr std::size_t prefix_length_max = 1024;
constexpr std::size_t key_id_length_max = 2048;

struct Request {
  store::WantedPast past;
  transfer::Export job;
};

struct Given {
  std::optional<std::string_view> table_arn;
  std::optional<int64_t> time_ms;
  std::optional<std::string_view> token;
  std::optional<std::string_view> bucket;
  std::optional<std::string_view> owner;
  std::optional<std::string_view> prefix;
  std::optional<std::string_view> sse_algorithm;
  std::optional<std::string_view> sse_key_id;
  std::optional<std::string_view> format;
  std::optional<std::string_view> type;
  bool is_incremental = false;
};

Result<Given> read(const json::Value& body) {
  Reading reading;
  const Fields fields(body, reading);
  Given given;
  given.table_arn = fields.string("TableArn");
  given.time_ms = fields.time_ms("ExportTime");
  given.token = fields.string("ClientToken");
  given.bucket = fields.string("S3Bucket");
  given.owner = fields.string("S3BucketOwner");
  given.prefix = fields.string("S3Prefix");
  given.sse_algorithm = fields.string("S3SseAlgorithm");
  given.sse_key_id = fields.string("S3SseKmsKeyId");
  given.format = fields.string("ExportFormat");
  given.type = fields.string("ExportType");
  given.is_incremental = fields.has("IncrementalExportSpecification");
  WAYBILL_TRY(reading.status());
  return given;
}

Status check(const Given& given) {
  Constraints constraints;
  constraints.not_null("tableArn", given.table_arn);
  constraints.length_min("tableArn", given.table_arn, 1);
  constraints.length_max("tableArn", given.table_arn, 1024);
  check_bucket(constraints, "s3Bucket", given.bucket);
  check_bucket_owner(constraints, "s3BucketOwner", given.owner);
  constraints.length_max("s3Prefix", given.prefix, prefix_length_max);
  constraints.one_of("s3SseAlgorithm", given.sse_algorithm, {"AES256", "KMS"});
  constraints.length_min("s3SseKmsKeyId", given.sse_key_id, 1);
  constraints.length_max("s3SseKmsKeyId", given.sse_key_id, key_id_length_max);
  constraints.one_of("exportFormat", given.format, {"DYNAMODB_JSON", "ION"});
  constraints.one_of("exportType", given.type, {"FULL_EXPORT", "INCREMENTAL_EXPORT"});
  WAYBILL_TRY(constraints.status());
  if (given.format == "ION") {
    return invalid("ExportFormat ION is not available. Use DYNAMODB_JSON");
  }
  if (given.type == "INCREMENTAL_EXPORT" || given.is_incremental) {
    return invalid("Incremental exports are not available yet. Use ExportType FULL_EXPORT");
  }
  return {};
}

Result<Request> parse(const Services& services, const json::Value& body) {
  WAYBILL_TRY_ASSIGN(const auto given, read(body));
  WAYBILL_TRY(check(given));
  Request request;
  WAYBILL_TRY_ASSIGN(request.past.table, table_name_in_arn(given.table_arn));
  request.past.time_ms = given.time_ms;
  auto& job = request.job;
  job.table_arn = services.table_arn(request.past.table);
  job.client_token = given.token.value_or("");
  job.bucket = *given.bucket;
  job.bucket_owner = given.owner.value_or("");
  job.prefix = given.prefix.value_or("");
  while (job.prefix.ends_with('/')) {
    job.prefix.pop_back();
  }
  job.sse_algorithm = given.sse_algorithm.value_or("");
  job.sse_key_id = given.sse_key_id.value_or("");
  WAYBILL_TRY_ASSIGN(job.folder, services.transfers->buckets().folder(job.bucket, job.prefix));
  // All of the way down: what is in the bucket already may be a link.
  WAYBILL_TRY(services.transfers->buckets().folder(
      job.bucket, (job.prefix.empty() ? "" : job.prefix + "/") + "AWSDynamoDB"));
  job.fingerprint = fingerprint({request.past.table, std::to_string(given.time_ms.value_or(0)), job.bucket,
                                 job.bucket_owner, job.prefix, job.sse_algorithm, job.sse_key_id});
  return request;
}

}  // namespace

void export_table_to_point_in_time(Call call, const json::Value& body) {
  auto request = parse(call.services(), body);
  if (!request) {
    call.fail(request.error());
    return;
  }
  auto& transfers = *call.services().transfers;
  transfers.begin_export(std::move(request->past), std::move(request->job),
                         [call = std::move(call)](Result<transfer::ExportPtr> begun) mutable {
                           Call::resume(std::move(call), [begun = std::move(begun)](Call back) {
                             back.answer(begun ? Result<std::string>(export_description(**begun))
                                               : Result<std::string>(begun.error()));
                           });
                         });
}

}  // namespace waybill::api::dynamodb
