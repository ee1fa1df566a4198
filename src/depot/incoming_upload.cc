#include "depot/incoming_upload.h"

#include <algorithm>
#include <utility>

#include "base/log.h"

namespace waybill::depot {
namespace {

constexpr std::size_t copied_piece_bytes = 1 << 20;
constexpr std::size_t reserved_step_bytes = 1 << 20;

Error too_many_uploads() {
  return {ErrorKind::unavailable, "Too many uploads are under way at once. Please try again.", "SlowDown"};
}

Error too_many_parts() {
  return {ErrorKind::limit_exceeded,
          "The content would have too many pieces. Send it in fewer and larger parts.", "InvalidRequest"};
}

}  // namespace

IncomingUpload::~IncomingUpload() {
  state_->gathered.give_back(reserved_bytes_);
  if (!id_) {
    return;
  }
  if (!is_published_ && !upload_.id.empty()) {
    if (const auto aborted = state_->bucket.abort(upload_); !aborted) {
      log_error("an upload that was given up could not be aborted, and will be later: " +
                aborted.error().detail);
    }
  }
  state_->ended(*id_);
}

Status IncomingUpload::append(std::string_view bytes) {
  while (!bytes.empty()) {
    const auto piece = bytes.substr(0, part_bytes - gathered_.size());
    WAYBILL_TRY(gather(piece));
    if (gathered_.size() == part_bytes) {
      WAYBILL_TRY(send_gathered());
    }
    bytes.remove_prefix(piece.size());
  }
  return {};
}

// Memory is counted in steps: small contents cost nothing to count.
Status IncomingUpload::gather(std::string_view bytes) {
  while (gathered_.size() + bytes.size() > reserved_bytes_ + reserved_step_bytes) {
    if (!state_->gathered.take(reserved_step_bytes)) {
      return too_many_uploads();
    }
    reserved_bytes_ += reserved_step_bytes;
  }
  if (reserved_bytes_ > 0) {
    gathered_.reserve(part_bytes);  // once, where it would grow by doubling
  }
  gathered_.append(bytes);
  return {};
}

Status IncomingUpload::begin_upload() {
  if (id_) {
    return {};
  }
  id_ = state_->begin_id();
  upload_.key = id_->text();
  WAYBILL_TRY_ASSIGN(upload_.id, state_->bucket.create_upload(upload_.key));
  return {};
}

Status IncomingUpload::begin_part() {
  if (tags_.size() >= part_count_max) {
    return too_many_parts();
  }
  return begin_upload();
}

Status IncomingUpload::send_gathered() {
  if (gathered_.empty()) {
    return {};
  }
  WAYBILL_TRY(begin_part());
  WAYBILL_TRY_ASSIGN(auto tag,
                     state_->bucket.put_part(upload_, static_cast<int>(tags_.size()) + 1, gathered_));
  tags_.push_back(std::move(tag));
  gathered_.clear();
  return {};
}

Result<bool> IncomingUpload::copy_part(const object::ContentId& from, uint64_t offset, uint64_t bytes) {
  if (!state_->can_copy) {
    return false;
  }
  WAYBILL_TRY(begin_part());
  WAYBILL_TRY_ASSIGN(auto tag, state_->bucket.copy_part(upload_, static_cast<int>(tags_.size()) + 1,
                                                        {from.text(), offset, bytes}));
  if (!tag) {
    state_->can_copy = false;
    return false;
  }
  tags_.push_back(*std::move(tag));
  return true;
}

Status IncomingUpload::gather_copy(const RemoteContent& from, uint64_t offset, uint64_t bytes) {
  std::string piece;
  while (bytes > 0) {
    piece.resize(static_cast<std::size_t>(std::min<uint64_t>(bytes, copied_piece_bytes)));
    WAYBILL_TRY(from.read(offset, piece));
    WAYBILL_TRY(append(piece));
    offset += piece.size();
    bytes -= piece.size();
  }
  return {};
}

// What is too small for a part is read and gathered, together with as much of what follows as it needs to
// become one.
Status IncomingUpload::append_copy(const object::PlacedContent& from, uint64_t offset, uint64_t bytes) {
  const auto& remote = static_cast<const RemoteContent&>(from);  // of the same place, and so in S3 as well
  if (!gathered_.empty() && gathered_.size() < part_bytes_min) {
    const auto missing = std::min<uint64_t>(bytes, part_bytes_min - gathered_.size());
    WAYBILL_TRY(gather_copy(remote, offset, missing));
    offset += missing;
    bytes -= missing;
  }
  while (bytes >= part_bytes_min) {
    WAYBILL_TRY(send_gathered());
    const auto count = std::min(bytes, copy_bytes_max);
    WAYBILL_TRY_ASSIGN(const bool is_copied, copy_part(remote.id(), offset, count));
    if (!is_copied) {
      break;
    }
    offset += count;
    bytes -= count;
  }
  return gather_copy(remote, offset, bytes);
}

// The id is made last, so that it tells when the content was published.
Result<object::ContentId> IncomingUpload::put() {
  auto id = state_->make_id();
  WAYBILL_TRY(state_->bucket.put(id.text(), gathered_));
  return id;
}

Result<object::ContentId> IncomingUpload::publish() {
  if (!id_) {
    return put();
  }
  WAYBILL_TRY(send_gathered());
  WAYBILL_TRY(state_->bucket.complete(upload_, tags_));
  is_published_ = true;
  state_->published(*id_);
  return *id_;
}

}  // namespace waybill::depot
