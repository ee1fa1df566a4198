#include "transfer/record_reader.h"

#include <algorithm>

namespace waybill::transfer {

// The line end of the record that begins at begin_, or npos where it is not in the buffer yet.
std::size_t RecordReader::end_of_record() {
  if (kind_ == RecordKind::line) {
    const auto end = buffer_.find('\n', scanned_);
    scanned_ = buffer_.size();
    return end;
  }
  for (; scanned_ < buffer_.size(); ++scanned_) {
    if (buffer_[scanned_] == '"') {
      in_quotes_ = !in_quotes_;
    } else if (buffer_[scanned_] == '\n' && !in_quotes_) {
      return scanned_;
    }
  }
  return std::string::npos;
}

// Goes to the next line end. False where there is nothing more at all.
Result<bool> RecordReader::step() {
  too_long_ = false;
  std::size_t dropped = 0;
  for (;;) {
    auto end = end_of_record();
    if (end == std::string::npos && at_end_) {
      end = buffer_.size();
    }
    if (end != std::string::npos) {
      const bool nothing = end == begin_ && at_end_ && end == buffer_.size();
      record_ = std::string_view(buffer_).substr(begin_, std::min(end - begin_, record_bytes_max));
      too_long_ = too_long_ || end - begin_ > record_bytes_max;
      const std::size_t behind = std::min(end + 1, buffer_.size());
      bytes_ += behind - begin_ + dropped;
      begin_ = scanned_ = behind;
      in_quotes_ = false;
      return !nothing;
    }
    buffer_.erase(0, begin_);
    begin_ = 0;
    if (buffer_.size() > record_bytes_max) {
      // Of what is too long the beginning is enough.
      too_long_ = true;
      dropped += buffer_.size() - record_bytes_max;
      buffer_.resize(record_bytes_max);
    }
    scanned_ = buffer_.size();
    WAYBILL_TRY_ASSIGN(const bool more, source_->read(buffer_));
    at_end_ = !more;
  }
}

Result<bool> RecordReader::next() {
  for (;;) {
    WAYBILL_TRY_ASSIGN(const bool more, step());
    if (!more) {
      return false;
    }
    if (record_.ends_with('\r')) {
      record_.remove_suffix(1);
    }
    if (!record_.empty()) {
      ++records_;
      return true;
    }
  }
}

}  // namespace waybill::transfer
