#include "transfer/manifest.h"

#include <chrono>
#include <cstdio>

#include "base/bytes.h"
#include "base/json.h"
#include "transfer/digest.h"

namespace waybill::transfer {

namespace {

constexpr std::string_view format_version = "2020-06-30";

void write_text_or_null(json::Writer& out, std::string_view text) {
  text.empty() ? out.raw("null") : out.string(text);
}

Result<DataFile> read_line(std::string_view line) {
  json::Parser parser;
  const auto value = parser.parse_copy(line);
  const auto member = [&](std::string_view name) -> std::string_view {
    const auto found = value->find(name);
    return found && found->is_string() ? found->string() : std::string_view();
  };
  if (!value || !value->is_object() || member("dataFileS3Key").empty()) {
    return invalid("manifest-files.json has a line that can't be read: " + std::string(line));
  }
  DataFile file;
  file.key = member("dataFileS3Key");
  const auto items = value->find("itemCount");
  file.items = items && items->type() == json::Type::number ? items->integer().value_or(0) : 0;
  file.md5 = decode_base64(member("md5Checksum")).value_or("");
  return file;
}

}  // namespace

std::string manifest_line(const DataFile& file) {
  std::string text;
  json::Writer out(text);
  out.begin_object().key("itemCount").integer(file.items);
  out.key("md5Checksum").string(base64(file.md5));
  out.key("etag").string(hex_lower(file.md5) + "-1");
  out.key("dataFileS3Key").string(file.key).end_object();
  return text + "\n";
}

Result<std::vector<DataFile>> read_manifest(std::string_view text) {
  std::vector<DataFile> files;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    if (end > 0) {
      WAYBILL_TRY_ASSIGN(auto file, read_line(text.substr(0, end)));
      files.push_back(std::move(file));
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return files;
}

std::string iso_time(int64_t ms) {
  namespace chrono = std::chrono;
  const chrono::sys_time<chrono::milliseconds> moment{chrono::milliseconds(ms)};
  const auto day = chrono::floor<chrono::days>(moment);
  const chrono::year_month_day date(day);
  const chrono::hh_mm_ss time(moment - day);
  char text[40];
  std::snprintf(text, sizeof(text), "%04d-%02u-%02uT%02ld:%02ld:%02ld.%03ldZ", static_cast<int>(date.year()),
                static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()), time.hours().count(),
                time.minutes().count(), time.seconds().count(), time.subseconds().count());
  return text;
}

std::string summary_text(const Summary& summary) {
  std::string text;
  json::Writer out(text);
  out.begin_object().key("version").string(format_version);
  out.key("exportArn").string(summary.export_arn);
  out.key("startTime").string(iso_time(summary.start_ms));
  out.key("endTime").string(iso_time(summary.end_ms));
  out.key("tableArn").string(summary.table_arn);
  out.key("tableId").string(summary.table_id);
  out.key("exportTime").string(iso_time(summary.export_time_ms));
  out.key("s3Bucket").string(summary.bucket);
  write_text_or_null(out.key("s3Prefix"), summary.prefix);
  out.key("s3SseAlgorithm").string(summary.sse_algorithm.empty() ? "AES256" : summary.sse_algorithm);
  write_text_or_null(out.key("s3SseKmsKeyId"), summary.sse_key_id);
  out.key("manifestFilesS3Key").string(summary.manifest_key);
  out.key("billedSizeBytes").integer(summary.billed_bytes);
  out.key("itemCount").integer(summary.items);
  out.key("outputFormat").string("DYNAMODB_JSON");
  out.key("exportType").string("FULL_EXPORT").end_object();
  return text;
}

}  // namespace waybill::transfer
