#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "store/store.h"
#include "transfer/export_run.h"
#include "transfer/import_source.h"
#include "transfer/job.h"
#include "transfer/record_reader.h"

namespace waybill::transfer {

// Brings the items of files into a table that is being made, from where it was left. Records are put in their
// order: of several with the same key the last one stays. How far it is, is noted when all before is on disk;
// what was put beyond that is put again after a crash, in the same order, which comes to the same.
class ImportRun {
 public:
  ImportRun(store::Store& store, Import job, Report<Import> report);

  // The import as it is when all is in the table; or nullopt where it was ended early. Errors: unavailable
  // where it may succeed later.
  Result<std::optional<Import>> run();

 private:
  class Flights;

  Status read_file(const SourceFile& file, uint64_t bytes_before);
  Status read_header(RecordReader& records);
  Result<store::Transaction> read_record(const RecordReader& records);
  Status take(RecordReader& records);
  Status submit();
  Status note_progress();
  void count_error(const RecordReader& records, const Error& error);
  void write_errors() const;

  store::Store& store_;
  Import job_;
  const Report<Import> report_;
  table::TablePtr table_;
  std::vector<std::string> header_;  // of CSV
  json::Parser parser_;
  std::vector<store::Transaction> puts_;  // not submitted yet
  std::size_t puts_bytes_ = 0;
  int64_t since_note_ = 0;  // records
  int64_t bytes_since_note_ = 0;
  std::shared_ptr<Flights> flights_;
  bool ended_early_ = false;
};

}  // namespace waybill::transfer
