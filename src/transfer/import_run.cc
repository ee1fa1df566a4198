#include "transfer/import_run.h"

#include <condition_variable>
#include <mutex>
#include <utility>

#include "base/log.h"
#include "item/json.h"
#include "table/key.h"
#include "table/validate.h"
#include "transfer/csv.h"
#include "transfer/files.h"
#include "transfer/store_calls.h"

namespace waybill::transfer {

namespace {

constexpr std::size_t puts_max = 256;  // that are submitted together
constexpr std::size_t puts_bytes_max = 1 << 20;
constexpr int flights_max = 4;
constexpr int64_t note_records = 16'384;
constexpr int64_t note_bytes = 16 << 20;
constexpr std::size_t errors_max = 100;
constexpr std::size_t error_text_max = 200;

}  // namespace

// Puts that the store has been given and has not answered yet.
//
// Thread safety: every method may be called from any thread.
class ImportRun::Flights {
 public:
  // Waits until there is room for one more.
  Status take_off() {
    std::unique_lock lock(mutex_);
    landed_.wait(lock, [this] { return count_ < flights_max; });
    if (failure_) {
      return *failure_;
    }
    ++count_;
    return {};
  }

  void land(const std::vector<store::Outcome>& outcomes) {
    const std::lock_guard lock(mutex_);
    --count_;
    for (const auto& outcome : outcomes) {
      if (outcome.kind == store::OutcomeKind::failed && !failure_) {
        failure_ = outcome.error;
      } else if (outcome.kind == store::OutcomeKind::refused && !failure_) {
        failure_ = outcome.results.front().refusal;
      }
    }
    landed_.notify_all();
  }

  // Waits until none is left.
  Status drain() {
    std::unique_lock lock(mutex_);
    landed_.wait(lock, [this] { return count_ == 0; });
    return failure_ ? Status(*failure_) : Status();
  }

 private:
  std::mutex mutex_;  // guards what follows
  std::condition_variable landed_;
  int count_ = 0;
  std::optional<Error> failure_;
};

ImportRun::ImportRun(store::Store& store, Import job, Report<Import> report)
    : store_(store),
      job_(std::move(job)),
      report_(std::move(report)),
      flights_(std::make_shared<Flights>()) {}

Result<std::optional<Import>> ImportRun::run() {
  table_ = store_.find_table(job_.table_name);
  if (!table_ || table_->uuid != job_.table_id) {
    return Error{ErrorKind::internal, "the table of the import is gone", {}};
  }
  WAYBILL_TRY_ASSIGN(const auto files, list_source(job_.folder, job_.prefix));
  job_.total_bytes = 0;
  for (const auto& file : files) {
    job_.total_bytes += static_cast<int64_t>(file.bytes);
  }
  if (job_.file.empty()) {
    WAYBILL_TRY(verify(files, [this] {
      ended_early_ = !report_(job_);
      return !ended_early_;
    }));
  }
  uint64_t bytes_before = 0;
  for (const auto& file : files) {
    if (file.key >= job_.file && !ended_early_) {
      if (auto read = read_file(file, bytes_before); !read) {
        static_cast<void>(flights_->drain());
        return std::move(read).error();
      }
    }
    bytes_before += file.bytes;
  }
  WAYBILL_TRY(note_progress());
  if (ended_early_) {
    return std::optional<Import>();
  }
  write_errors();
  job_.state = JobState::completed;
  return std::optional(job_);
}

Status ImportRun::read_file(const SourceFile& file, uint64_t bytes_before) {
  const int64_t skipped = file.key == job_.file ? job_.file_records : 0;
  job_.file = file.key;
  job_.file_records = skipped;
  const auto compression =
      job_.compression.empty() ? compression_by_name(file.key) : compression_of(job_.compression);
  WAYBILL_TRY_ASSIGN(auto source, open_source(file.path, compression));
  const bool is_csv = job_.format == "CSV";
  RecordReader records(std::move(source), is_csv ? RecordKind::csv : RecordKind::line);
  if (is_csv) {
    WAYBILL_TRY(read_header(records));
  }
  const uint64_t header_records = records.records();
  uint64_t bytes_counted = records.bytes();
  while (!ended_early_) {
    WAYBILL_TRY_ASSIGN(const bool more, records.next());
    if (!more) {
      break;
    }
    const auto bytes = static_cast<int64_t>(records.bytes() - std::exchange(bytes_counted, records.bytes()));
    if (static_cast<int64_t>(records.records() - header_records) <= skipped) {
      continue;
    }
    ++job_.file_records;
    ++job_.processed_items;
    job_.processed_bytes += bytes;
    job_.done_bytes = static_cast<int64_t>(bytes_before + records.file_bytes());
    ++since_note_;
    bytes_since_note_ += bytes;
    WAYBILL_TRY(take(records));
  }
  return {};
}

Status ImportRun::read_header(RecordReader& records) {
  header_ = job_.csv_header;
  if (!header_.empty()) {
    return {};
  }
  WAYBILL_TRY_ASSIGN(const bool more, records.next());
  if (!more) {
    return {};
  }
  auto first = records.record();
  if (first.starts_with("\xEF\xBB\xBF")) {
    first.remove_prefix(3);  // the mark that spreadsheets put in front of UTF-8
  }
  const auto header = split_csv(first, job_.csv_delimiter.front());
  if (!header) {
    return invalid("the header of " + job_.file + " can't be read: " + header.error().message);
  }
  header_ = *header;
  return {};
}

// One record as a put, checked against the table.
Result<store::Transaction> ImportRun::read_record(const RecordReader& records) {
  if (records.is_too_long()) {
    return invalid("the record is too long to be an item");
  }
  std::string text;
  if (job_.format == "CSV") {
    WAYBILL_TRY_ASSIGN(const auto fields, split_csv(records.record(), job_.csv_delimiter.front()));
    WAYBILL_TRY_ASSIGN(text, csv_to_json(header_, fields, *table_));
  }
  const auto parsed = parser_.parse_copy(text.empty() ? records.record() : std::string_view(text));
  if (!parsed) {
    return invalid("the record is no JSON");
  }
  const auto object = !text.empty()         ? std::optional(*parsed)
                      : parsed->is_object() ? parsed->find("Item")
                                            : std::nullopt;
  if (!object || !object->is_object()) {
    return invalid("the record has no Item");
  }
  store::Action put;
  put.table = table_;
  WAYBILL_TRY_ASSIGN(put.item, item::parse_item(*object));
  put.item_bytes = item::size_bytes(put.item.view());
  WAYBILL_TRY(table::check_item(*table_, put.item.view(), put.item_bytes, table::Change::put));
  put.key = table::primary_key(table_->key, put.item.view());
  store::Transaction transaction;
  transaction.actions.push_back(std::move(put));
  return transaction;
}

Status ImportRun::take(RecordReader& records) {
  if (auto put = read_record(records)) {
    puts_bytes_ += put->actions.front().item_bytes;
    puts_.push_back(*std::move(put));
    ++job_.items;
  } else {
    count_error(records, put.error());
  }
  if (puts_.size() >= puts_max || puts_bytes_ >= puts_bytes_max) {
    WAYBILL_TRY(submit());
    ended_early_ = !report_(job_);
  }
  if (since_note_ >= note_records || bytes_since_note_ >= note_bytes) {
    return note_progress();
  }
  return {};
}

Status ImportRun::submit() {
  puts_bytes_ = 0;
  if (puts_.empty()) {
    return {};
  }
  WAYBILL_TRY(flights_->take_off());
  store_.commit_each(
      std::exchange(puts_, {}),
      [flights = flights_](const std::vector<store::Outcome>& outcomes) { flights->land(outcomes); });
  return {};
}

Status ImportRun::note_progress() {
  since_note_ = bytes_since_note_ = 0;
  WAYBILL_TRY(submit());
  WAYBILL_TRY(flights_->drain());
  return put_note(store_, note_of(job_));
}

void ImportRun::count_error(const RecordReader& records, const Error& error) {
  ++job_.error_count;
  if (job_.errors.size() >= errors_max) {
    return;
  }
  std::string line;
  json::Writer out(line);
  out.begin_object().key("file").string(job_.file).key("record").integer(job_.file_records);
  out.key("error").string(error.message);
  // What is no UTF-8 can't stand in JSON, nor half of a character.
  std::string text(records.record().substr(0, error_text_max));
  std::erase_if(text, [](char c) { return static_cast<unsigned char>(c) >= 0x80; });
  out.key("text").string(text).end_object();
  job_.errors.push_back(std::move(line));
}

// For people; the counts are in the import itself.
void ImportRun::write_errors() const {
  if (job_.errors.empty()) {
    return;
  }
  std::string text;
  for (const auto& line : job_.errors) {
    text += line + "\n";
  }
  const auto folder = job_.folder + "/" + std::string(import_errors_folder);
  auto written = make_folder(folder);
  if (written) {
    written = write_file(folder + "/" + job_.id + ".json", text);
  }
  if (!written) {
    log_warning("the errors of import " + job_.id + " could not be written down: " + written.error().message);
  }
}

}  // namespace waybill::transfer
