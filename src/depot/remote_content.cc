#include "depot/remote_content.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace waybill::depot {

std::size_t RemoteContent::Window::copy(uint64_t from, std::span<char> out) const {
  const auto begin = static_cast<std::size_t>(from - offset);
  const auto count = std::min(out.size(), bytes.size() - begin);
  std::memcpy(out.data(), bytes.data() + begin, count);
  return count;
}

Result<std::unique_ptr<object::PlacedContent>> RemoteContent::open(std::shared_ptr<SharedState> state,
                                                                   const object::ContentId& id) {
  state->opened(id);  // before it is looked for, so that nobody removes it in between
  std::unique_ptr<RemoteContent> content(new RemoteContent(std::move(state), id));
  WAYBILL_TRY_ASSIGN(auto tail, content->state_->bucket.read_tail(id.text(), tail_bytes));
  content->file_bytes_ = tail.object_bytes;
  content->tail_ = {tail.object_bytes - tail.bytes.size(), std::move(tail.bytes)};
  return std::unique_ptr<object::PlacedContent>(std::move(content));
}

RemoteContent::~RemoteContent() {
  state_->closed(id_);
  if (took_memory_) {
    state_->ahead.give_back(ahead_bytes);
  }
}

Status RemoteContent::read(uint64_t offset, std::span<char> out) const {
  if (offset > file_bytes_ || out.size() > file_bytes_ - offset) {
    return Error{ErrorKind::corruption, "A stored content is damaged. Restore it from a backup.",
                 state_->bucket.name_of(id_.text()) + " ends too early"};
  }
  const std::lock_guard lock(mutex_);
  while (!out.empty()) {
    WAYBILL_TRY_ASSIGN(const std::size_t got, read_some(offset, out));
    offset += got;
    out = out.subspan(got);
  }
  return {};
}

// The tail is held already, so nothing behind its beginning is ever asked for.
Result<std::size_t> RemoteContent::read_some(uint64_t offset, std::span<char> out) const {
  if (tail_.holds(offset)) {
    return tail_.copy(offset, out);
  }
  const uint64_t left = tail_.offset - offset;
  if (out.size() <= small_read_bytes) {
    if (!near_.holds(offset)) {
      WAYBILL_TRY(fill(near_, offset, static_cast<std::size_t>(std::min<uint64_t>(left, near_bytes))));
    }
    return near_.copy(offset, out);
  }
  if (!ahead_.holds(offset)) {
    const bool reads_on = offset != 0 && offset == read_end_;
    const auto wanted = static_cast<std::size_t>(std::min<uint64_t>(left, out.size()));
    if (!reads_on || wanted >= ahead_bytes || !has_room_ahead()) {
      WAYBILL_TRY(state_->bucket.read(id_.text(), offset, out.first(wanted)));
      read_end_ = offset + wanted;
      return wanted;
    }
    WAYBILL_TRY(fill(ahead_, offset, static_cast<std::size_t>(std::min<uint64_t>(left, ahead_bytes))));
  }
  const auto got = ahead_.copy(offset, out);
  read_end_ = offset + got;
  return got;
}

Status RemoteContent::fill(Window& window, uint64_t offset, std::size_t bytes) const {
  window.bytes.resize(bytes);
  window.offset = offset;
  auto filled = state_->bucket.read(id_.text(), offset, window.bytes);
  if (!filled) {
    window.bytes.clear();
  }
  return filled;
}

bool RemoteContent::has_room_ahead() const {
  took_memory_ = took_memory_ || state_->ahead.take(ahead_bytes);
  return took_memory_;
}

}  // namespace waybill::depot
