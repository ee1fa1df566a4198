#include "object/incoming_file.h"

namespace waybill::object {
namespace {

constexpr std::size_t gathered_bytes_max = 64 * 1024;
constexpr uint64_t started_bytes_min = 4 * 1024 * 1024;

}  // namespace

Result<IncomingFile> IncomingFile::create(std::shared_ptr<Folders> folders) {
  WAYBILL_TRY_ASSIGN(auto incoming, folders->create_incoming());
  return IncomingFile(std::move(folders), std::move(incoming));
}

IncomingFile::~IncomingFile() {
  if (incoming_.file.is_open()) {
    folders_->discard_incoming(incoming_.name);
  }
}

Status IncomingFile::append(std::string_view bytes) {
  if (gathered_.size() + bytes.size() < gathered_bytes_max) {
    gathered_.append(bytes);
    return {};
  }
  WAYBILL_TRY(flush());
  if (bytes.size() < gathered_bytes_max) {
    gathered_.append(bytes);
    return {};
  }
  WAYBILL_TRY(write_all(folders_->disk(), incoming_.file, bytes, written_bytes_));
  wrote(bytes.size());
  return {};
}

Status IncomingFile::append_copy(const PlacedContent& from, uint64_t offset, uint64_t bytes) {
  const auto& placed = static_cast<const PlacedFile&>(from);  // of the same place, and so a file as well
  WAYBILL_TRY(flush());
  WAYBILL_TRY(copy_all(folders_->disk(), placed.file(), incoming_.file, {offset, written_bytes_, bytes}));
  wrote(bytes);
  return {};
}

Status IncomingFile::flush() {
  WAYBILL_TRY(write_all(folders_->disk(), incoming_.file, gathered_, written_bytes_));
  wrote(gathered_.size());
  gathered_.clear();
  return {};
}

// The disk works while the next bytes are hashed, so that little is left to do for the sync at the end.
void IncomingFile::wrote(uint64_t bytes) {
  written_bytes_ += bytes;
  const uint64_t waiting = written_bytes_ - started_bytes_;
  if (waiting >= started_bytes_min) {
    folders_->disk().start_writing_out(incoming_.file.number(), started_bytes_, waiting);
    started_bytes_ = written_bytes_;
  }
}

Result<ContentId> IncomingFile::publish() {
  WAYBILL_TRY(flush());
  WAYBILL_TRY_ASSIGN(auto id, folders_->publish(incoming_));
  incoming_.file.close();
  return id;
}

}  // namespace waybill::object
