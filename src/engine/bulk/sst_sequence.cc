#include "engine/bulk/sst_sequence.h"

#include <utility>

namespace waybill::engine {

namespace {

constexpr uint64_t file_bytes_max = 64ULL << 20;

Status checked(const rocksdb::Status& status) {
  if (status.ok()) {
    return {};
  }
  return Error{ErrorKind::unavailable, "Rows could not be written to a file: " + status.ToString(), {}};
}

}  // namespace

SstSequence::SstSequence(const Database& database, rocksdb::ColumnFamilyHandle* family, std::string prefix)
    : options_(database.db().GetOptions(family)), family_(family), prefix_(std::move(prefix)) {}

Status SstSequence::begin_file() {
  files_.push_back(prefix_ + std::to_string(files_.size()) + ".sst");
  file_bytes_ = 0;
  writer_ = std::make_unique<rocksdb::SstFileWriter>(rocksdb::EnvOptions(options_), options_, family_);
  return checked(writer_->Open(files_.back()));
}

Status SstSequence::end_file() {
  const auto status = writer_->Finish();
  writer_.reset();
  return checked(status);
}

Status SstSequence::put(std::string_view key, std::string_view value) {
  if (writer_ && file_bytes_ >= file_bytes_max) {
    WAYBILL_TRY(end_file());
  }
  if (!writer_) {
    WAYBILL_TRY(begin_file());
  }
  file_bytes_ += key.size() + value.size();
  return checked(writer_->Put(slice(key), slice(value)));
}

Status SstSequence::finish() {
  return writer_ ? end_file() : Status();
}

}  // namespace waybill::engine
