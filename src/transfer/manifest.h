#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

// What DynamoDB puts beside the data files of an export:
//
//   manifest-files.json     a line for each data file: itemCount, md5Checksum, etag, dataFileS3Key
//   manifest-files.md5      its MD5, base64
//   manifest-summary.json   what was exported, when, where to
//   manifest-summary.md5
namespace waybill::transfer {

struct DataFile {
  std::string key;  // its place in the bucket: "prefix/AWSDynamoDB/<id>/data/<name>.json.gz"
  int64_t items = 0;
  std::string md5;  // of the file as it lies there, 16 bytes
};

// With its line end.
std::string manifest_line(const DataFile& file);
Result<std::vector<DataFile>> read_manifest(std::string_view text);

struct Summary {
  std::string export_arn;
  std::string table_arn;
  std::string table_id;
  int64_t start_ms = 0;
  int64_t end_ms = 0;
  int64_t export_time_ms = 0;
  std::string bucket;
  std::string prefix;
  std::string sse_algorithm;
  std::string sse_key_id;
  std::string manifest_key;
  int64_t billed_bytes = 0;
  int64_t items = 0;
};

std::string summary_text(const Summary& summary);

// "2020-11-04T07:28:34.028Z", as the manifests have it.
std::string iso_time(int64_t ms);

}  // namespace waybill::transfer
