#include "transfer/job.h"

#include <array>

#include "base/json.h"

namespace waybill::transfer {

namespace {

constexpr std::array<std::string_view, 3> state_names = {"IN_PROGRESS", "COMPLETED", "FAILED"};

class FieldWriter {
 public:
  explicit FieldWriter(std::string& text) : out_(text) { out_.begin_object(); }
  void end() { out_.end_object(); }

  void operator()(std::string_view name, const std::string& value) { out_.key(name).string(value); }
  void operator()(std::string_view name, int64_t value) { out_.key(name).integer(value); }
  void operator()(std::string_view name, JobState value) { out_.key(name).string(name_of(value)); }
  void operator()(std::string_view name, const std::vector<std::string>& values) {
    out_.key(name).begin_array();
    for (const auto& value : values) {
      out_.string(value);
    }
    out_.end_array();
  }

 private:
  json::Writer out_;
};

// What is not there stays as it is.
class FieldReader {
 public:
  explicit FieldReader(const json::Value& in) : in_(in) {}

  void operator()(std::string_view name, std::string& value) const {
    if (const auto found = in_.find(name); found && found->is_string()) {
      value = found->string();
    }
  }
  void operator()(std::string_view name, int64_t& value) const {
    if (const auto found = in_.find(name); found && found->type() == json::Type::number) {
      value = found->integer().value_or(0);
    }
  }
  void operator()(std::string_view name, JobState& value) const {
    std::string text;
    (*this)(name, text);
    value = text == state_names[1]   ? JobState::completed
            : text == state_names[2] ? JobState::failed
                                     : JobState::in_progress;
  }
  void operator()(std::string_view name, std::vector<std::string>& values) const {
    const auto found = in_.find(name);
    if (!found || !found->is_array()) {
      return;
    }
    for (json::Elements elements(*found); elements.next();) {
      values.emplace_back(elements.value().is_string() ? elements.value().string() : std::string_view());
    }
  }

 private:
  const json::Value in_;
};

// The one list of fields, for writing and for reading.
template <typename Each, typename TheJob>
void each_common_field(Each& each, TheJob& job) {
  each("id", job.id);
  each("state", job.state);
  each("client_token", job.client_token);
  each("fingerprint", job.fingerprint);
  each("start_ms", job.start_ms);
  each("end_ms", job.end_ms);
  each("failure_code", job.failure_code);
  each("failure_message", job.failure_message);
  each("table_name", job.table_name);
  each("table_arn", job.table_arn);
  each("table_id", job.table_id);
  each("bucket", job.bucket);
  each("bucket_owner", job.bucket_owner);
  each("prefix", job.prefix);
  each("folder", job.folder);
  each("items", job.items);
  each("parameters", job.parameters);
  each("total_bytes", job.total_bytes);
}

template <typename Each, typename TheExport>
void each_export_field(Each& each, TheExport& job) {
  each_common_field(each, job);
  each("sse_algorithm", job.sse_algorithm);
  each("sse_key_id", job.sse_key_id);
  each("export_time_ms", job.held.moment_ms);
  each("bytes", job.bytes);
  each("files", job.files);
  each("manifest_bytes", job.manifest_bytes);
  each("last_key", job.last_key);
}

template <typename Each, typename TheImport>
void each_import_field(Each& each, TheImport& job) {
  each_common_field(each, job);
  each("format", job.format);
  each("compression", job.compression);
  each("csv_delimiter", job.csv_delimiter);
  each("csv_header", job.csv_header);
  each("file", job.file);
  each("file_records", job.file_records);
  each("done_bytes", job.done_bytes);
  each("processed_items", job.processed_items);
  each("processed_bytes", job.processed_bytes);
  each("error_count", job.error_count);
  each("errors", job.errors);
}

Error unreadable(const table::Note& note) {
  return Error{ErrorKind::corruption, "the note " + note.name + " can't be read", {}};
}

}  // namespace

std::string_view name_of(JobState state) {
  return state_names[static_cast<std::size_t>(state)];
}

table::Note note_of(const Export& job) {
  table::Note note;
  note.name = std::string(export_notes) + job.id;
  FieldWriter writer(note.text);
  each_export_field(writer, job);
  writer.end();
  if (job.state == JobState::in_progress) {
    note.held = job.held;
  }
  return note;
}

table::Note note_of(const Import& job) {
  table::Note note;
  note.name = std::string(import_notes) + job.id;
  FieldWriter writer(note.text);
  each_import_field(writer, job);
  writer.end();
  return note;
}

Result<Export> read_export(const table::Note& note) {
  json::Parser parser;
  const auto value = parser.parse_copy(note.text);
  if (!value || !value->is_object()) {
    return unreadable(note);
  }
  Export job;
  job.held = note.held.value_or(table::HeldTable());
  const FieldReader reader(*value);
  each_export_field(reader, job);
  return job;
}

Result<Import> read_import(const table::Note& note) {
  json::Parser parser;
  const auto value = parser.parse_copy(note.text);
  if (!value || !value->is_object()) {
    return unreadable(note);
  }
  Import job;
  const FieldReader reader(*value);
  each_import_field(reader, job);
  return job;
}

}  // namespace waybill::transfer
