#include "api/dynamodb/transfer_description.h"

#include <algorithm>

#include "api/dynamodb/table_description.h"
#include "transfer/buckets.h"
#include "transfer/digest.h"

namespace waybill::api::dynamodb {
namespace {

constexpr std::size_t arn_length_min = 37;
constexpr std::size_t arn_length_max = 1024;
constexpr std::size_t bucket_length_max = 255;
constexpr std::size_t owner_digits = 12;

void write_text(json::Writer& out, std::string_view name, std::string_view value) {
  if (!value.empty()) {
    out.key(name).string(value);
  }
}

void write_end(json::Writer& out, const transfer::Job& job) {
  if (job.end_ms != 0) {
    write_time(out.key("EndTime"), job.end_ms);
  }
  write_text(out, "FailureCode", job.failure_code);
  write_text(out, "FailureMessage", job.failure_message);
}

void write_format_options(json::Writer& out, const transfer::Import& job) {
  if (job.format != "CSV") {
    return;
  }
  out.key("InputFormatOptions").begin_object().key("Csv").begin_object();
  out.key("Delimiter").string(job.csv_delimiter);
  if (!job.csv_header.empty()) {
    out.key("HeaderList").begin_array();
    for (const auto& name : job.csv_header) {
      out.string(name);
    }
    out.end_array();
  }
  out.end_object().end_object();
}

}  // namespace

void check_transfer_arn(Constraints& constraints, std::string_view path,
                        const std::optional<std::string_view>& arn) {
  constraints.not_null(path, arn);
  constraints.length_min(path, arn, arn_length_min);
  constraints.length_max(path, arn, arn_length_max);
}

std::string_view transfer_id_in(std::string_view arn, std::string_view mark) {
  const auto at = arn.rfind(mark);
  return arn.starts_with("arn:") && at != std::string_view::npos ? arn.substr(at + mark.size())
                                                                 : std::string_view();
}

void check_bucket(Constraints& constraints, std::string_view path,
                  const std::optional<std::string_view>& bucket) {
  constraints.not_null(path, bucket);
  constraints.length_max(path, bucket, bucket_length_max);
  if (bucket && bucket->size() <= bucket_length_max && !transfer::is_bucket_name(*bucket)) {
    constraints.violated(
        path, *bucket,
        R"(Member must satisfy regular expression pattern: ^[a-z0-9A-Z]+[\.\-\w]*[a-z0-9A-Z]+$)");
  }
}

void check_bucket_owner(Constraints& constraints, std::string_view path,
                        const std::optional<std::string_view>& owner) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  if (owner && (owner->size() != owner_digits || !std::ranges::all_of(*owner, is_digit))) {
    constraints.violated(path, *owner, "Member must satisfy regular expression pattern: [0-9]{12}");
  }
}

std::string export_description(const transfer::Export& job) {
  std::string text;
  json::Writer out(text);
  out.begin_object().key("ExportDescription").begin_object();
  out.key("ExportArn").string(job.arn());
  out.key("ExportStatus").string(transfer::name_of(job.state));
  write_time(out.key("StartTime"), job.start_ms);
  write_end(out, job);
  if (job.state == transfer::JobState::completed) {
    out.key("ExportManifest").string(job.key() + "/manifest-summary.json");
  }
  out.key("TableArn").string(job.table_arn);
  out.key("TableId").string(job.table_id);
  write_time(out.key("ExportTime"), job.held.moment_ms);
  write_text(out, "ClientToken", job.client_token);
  out.key("S3Bucket").string(job.bucket);
  write_text(out, "S3BucketOwner", job.bucket_owner);
  write_text(out, "S3Prefix", job.prefix);
  out.key("S3SseAlgorithm").string(job.sse_algorithm.empty() ? "AES256" : job.sse_algorithm);
  write_text(out, "S3SseKmsKeyId", job.sse_key_id);
  out.key("ExportFormat").string("DYNAMODB_JSON");
  if (job.state == transfer::JobState::completed) {
    out.key("BilledSizeBytes").integer(job.bytes);
    out.key("ItemCount").integer(job.items);
  }
  out.key("ExportType").string("FULL_EXPORT");
  out.end_object().end_object();
  return text;
}

std::string import_description(const transfer::Import& job) {
  std::string text;
  json::Writer out(text);
  out.begin_object().key("ImportTableDescription").begin_object();
  out.key("ImportArn").string(job.arn());
  out.key("ImportStatus").string(transfer::name_of(job.state));
  out.key("TableArn").string(job.table_arn);
  out.key("TableId").string(job.table_id);
  write_text(out, "ClientToken", job.client_token);
  write_bucket_source(out, job);
  out.key("ErrorCount").integer(job.error_count);
  out.key("InputFormat").string(job.format);
  write_format_options(out, job);
  out.key("InputCompressionType").string(job.compression.empty() ? "NONE" : job.compression);
  out.key("TableCreationParameters").raw(job.parameters);
  write_time(out.key("StartTime"), job.start_ms);
  write_end(out, job);
  out.key("ProcessedSizeBytes").integer(job.processed_bytes);
  out.key("ProcessedItemCount").integer(job.processed_items);
  out.key("ImportedItemCount").integer(job.items);
  out.end_object().end_object();
  return text;
}

void write_bucket_source(json::Writer& out, const transfer::Import& job) {
  out.key("S3BucketSource").begin_object();
  write_text(out, "S3BucketOwner", job.bucket_owner);
  out.key("S3Bucket").string(job.bucket);
  write_text(out, "S3KeyPrefix", job.prefix);
  out.end_object();
}

std::string fingerprint(std::initializer_list<std::string_view> values) {
  transfer::Md5 sum;
  for (const auto value : values) {
    sum.add(std::to_string(value.size()));
    sum.add(":");
    sum.add(value);
  }
  return transfer::base64(sum.finish());
}

}  // namespace waybill::api::dynamodb
