#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "table/note.h"

// Exports and imports as they are kept in the store: what is wanted, and how far it is.
namespace waybill::transfer {

enum class JobState : unsigned char { in_progress, completed, failed };

// "IN_PROGRESS", "COMPLETED", "FAILED".
std::string_view name_of(JobState state);

// What every job has. Names and ARNs are kept as clients are shown them.
struct Job {
  std::string id;  // "01731742800123-1a2b3c4d": when, and eight digits by chance
  JobState state = JobState::in_progress;
  std::string client_token;
  std::string fingerprint;  // of the parameters: a token that comes again must bring the same
  int64_t start_ms = 0;
  int64_t end_ms = 0;
  std::string failure_code;
  std::string failure_message;
  std::string table_name;
  std::string table_arn;
  std::string table_id;
  std::string bucket;
  std::string bucket_owner;
  std::string prefix;
  std::string folder;  // absolute: what bucket and prefix stand for
  int64_t items = 0;   // exported, or imported
};

struct Export : Job {
  std::string sse_algorithm;
  std::string sse_key_id;
  std::string parameters;  // the table's own: what an import needs to make it again
  table::HeldTable held;
  int64_t total_bytes = 0;  // about how much there is to do

  // Done so far.
  int64_t bytes = 0;  // of items, by the service's counting
  int64_t files = 0;
  int64_t manifest_bytes = 0;
  std::string last_key;  // the last in the last file, in base64

  std::string arn() const { return table_arn + "/export/" + id; }
  // In the bucket: where the export's files stand.
  std::string key() const { return (prefix.empty() ? "" : prefix + "/") + "AWSDynamoDB/" + id; }
};
using ExportPtr = std::shared_ptr<const Export>;

struct Import : Job {
  std::string format;       // "DYNAMODB_JSON" or "CSV"
  std::string compression;  // "NONE", "GZIP", "ZSTD"; "": by the ends of the files' names
  std::string csv_delimiter;
  std::vector<std::string> csv_header;
  std::string parameters;  // TableCreationParameters, as given
  int64_t total_bytes = 0;

  // Done so far.
  std::string file;          // the last one that was begun; those before it are done
  int64_t file_records = 0;  // of it
  int64_t done_bytes = 0;    // of files, as they lie there
  int64_t processed_items = 0;
  int64_t processed_bytes = 0;
  int64_t error_count = 0;
  std::vector<std::string> errors;  // the first of them, each one line of JSON

  std::string arn() const { return table_arn + "/import/" + id; }
};
using ImportPtr = std::shared_ptr<const Import>;

inline constexpr std::string_view export_notes = "export/";
inline constexpr std::string_view import_notes = "import/";

// An export that is under way holds its table.
table::Note note_of(const Export& job);
table::Note note_of(const Import& job);
Result<Export> read_export(const table::Note& note);
Result<Import> read_import(const table::Note& note);

}  // namespace waybill::transfer
