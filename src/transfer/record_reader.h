#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "transfer/compression.h"

namespace waybill::transfer {

// How a file falls into records: lines, or lines of CSV, whose quoted fields may hold line ends.
enum class RecordKind : unsigned char { line, csv };

// Reads a file record by record. Empty lines are no records.
class RecordReader {
 public:
  // A record of the largest item, with every character escaped, is shorter than this.
  static constexpr std::size_t record_bytes_max = 8 << 20;

  RecordReader(std::unique_ptr<ByteSource> source, RecordKind kind)
      : source_(std::move(source)), kind_(kind) {}

  // Goes to the next record; false at the end.
  Result<bool> next();

  // Of the record that it stands on, without its line end; lives until next() is called. Of one that is too
  // long only the beginning is there.
  std::string_view record() const { return record_; }
  bool is_too_long() const { return too_long_; }

  uint64_t records() const { return records_; }  // so far
  uint64_t bytes() const { return bytes_; }      // of content, so far
  uint64_t file_bytes() const { return source_->file_bytes(); }

 private:
  std::size_t end_of_record();
  Result<bool> step();

  std::unique_ptr<ByteSource> source_;
  const RecordKind kind_;
  std::string buffer_;
  std::size_t begin_ = 0;    // of the record that is looked for
  std::size_t scanned_ = 0;  // up to where it has no end
  bool in_quotes_ = false;   // there
  bool at_end_ = false;
  bool too_long_ = false;
  std::string_view record_;
  uint64_t records_ = 0;
  uint64_t bytes_ = 0;
};

}  // namespace waybill::transfer
