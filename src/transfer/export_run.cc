#include "transfer/export_run.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/bytes.h"
#include "item/json.h"
#include "transfer/compression.h"
#include "transfer/digest.h"
#include "transfer/files.h"
#include "transfer/manifest.h"
#include "transfer/store_calls.h"

namespace waybill::transfer {

namespace {

constexpr std::size_t file_bytes_max = 32 << 20;  // before it is compressed
constexpr int64_t report_bytes = 1 << 20;
constexpr std::string_view unfinished_manifest = "manifest-files.json.part";

// "000001-1a2b3c4d.json.gz": the same for the same part of an export, however often it is written.
std::string data_file_name(const Export& job) {
  constexpr std::size_t digits = 6;
  auto number = std::to_string(job.files + 1);
  number.insert(0, digits - std::min(digits, number.size()), '0');
  return number + "-" + job.id.substr(job.id.rfind('-') + 1) + ".json.gz";
}

}  // namespace

ExportRun::ExportRun(store::Store& store, const Clock& clock, Export job, Report<Export> report)
    : store_(store),
      clock_(clock),
      job_(std::move(job)),
      report_(std::move(report)),
      folder_(job_.folder + "/AWSDynamoDB/" + job_.id + "/") {}

Result<std::optional<Export>> ExportRun::run() {
  WAYBILL_TRY(begin());
  const auto after = decode_base64(job_.last_key);
  if (!after) {
    return Error{ErrorKind::corruption, "the export's last key can't be read", {}};
  }
  WAYBILL_TRY(store_.read_held(job_.held, *after, *this));
  WAYBILL_TRY(std::move(status_));
  if (ended_early_) {
    return std::optional<Export>();
  }
  if (items_ > 0 || job_.files == 0) {
    WAYBILL_TRY(close_file());
  }
  WAYBILL_TRY(write_manifests());
  job_.state = JobState::completed;
  return std::optional(job_);
}

Status ExportRun::begin() {
  if (!job_.held.is_past()) {
    // What was read before is another moment's.
    std::error_code ignored;
    std::filesystem::remove_all(path("data"), ignored);
    job_.files = job_.items = job_.bytes = job_.manifest_bytes = 0;
    job_.last_key.clear();
    job_.held.moment_ms = clock_.wall_ms();
  }
  WAYBILL_TRY(make_folder(path("data")));
  WAYBILL_TRY(write_file(path("_started"), {}));
  WAYBILL_TRY(write_file(path("table.json"), job_.parameters));
  return write_at(path(unfinished_manifest), static_cast<uint64_t>(job_.manifest_bytes), {});
}

bool ExportRun::visit(std::string_view key, item::ItemView item, uint32_t size_bytes) {
  lines_.append(R"({"Item":)");
  item::append_json(lines_, item);
  lines_.append("}\n");
  ++items_;
  bytes_ += size_bytes;
  last_key_ = key;
  if (lines_.size() >= file_bytes_max) {
    status_ = close_file();
  }
  unreported_bytes_ += size_bytes;
  if (unreported_bytes_ >= report_bytes && status_) {
    unreported_bytes_ = 0;
    Export now = job_;
    now.items += items_;
    now.bytes += bytes_;
    ended_early_ = !report_(now);
  }
  return status_ && !ended_early_;
}

Status ExportRun::close_file() {
  const std::string name = data_file_name(job_);
  const std::string packed = gzip(lines_);
  WAYBILL_TRY(write_file(path("data/" + name), packed));
  const auto line = manifest_line({job_.key() + "/data/" + name, items_, md5(packed)});
  WAYBILL_TRY(write_at(path(unfinished_manifest), static_cast<uint64_t>(job_.manifest_bytes), line));
  ++job_.files;
  job_.manifest_bytes += static_cast<int64_t>(line.size());
  job_.items += items_;
  job_.bytes += bytes_;
  job_.last_key = base64(last_key_);
  items_ = bytes_ = 0;
  lines_.clear();
  return put_note(store_, note_of(job_));
}

Status ExportRun::write_manifests() {
  WAYBILL_TRY_ASSIGN(const auto files, read_file(path(unfinished_manifest), uint64_t{1} << 30));
  WAYBILL_TRY(write_file(path("manifest-files.json"), files));
  WAYBILL_TRY(write_file(path("manifest-files.md5"), base64(md5(files))));
  job_.end_ms = clock_.wall_ms();
  const auto summary =
      summary_text({job_.arn(), job_.table_arn, job_.table_id, job_.start_ms, job_.end_ms,
                    job_.held.moment_ms, job_.bucket, job_.prefix, job_.sse_algorithm, job_.sse_key_id,
                    job_.key() + "/manifest-files.json", job_.bytes, job_.items});
  WAYBILL_TRY(write_file(path("manifest-summary.md5"), base64(md5(summary))));
  WAYBILL_TRY(write_file(path("manifest-summary.json"), summary));
  std::error_code ignored;
  std::filesystem::remove(path(unfinished_manifest), ignored);
  return {};
}

}  // namespace waybill::transfer
