#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/descriptor.h"
#include "base/result.h"

// Words with their counts, in order, in files that have no name: each is gone with its last descriptor,
// whatever becomes of the process.
//
//   run  = *entry                                in the order of the words' bytes, each word once
//   entry = length count-high count-low word     three varints (base/bytes.h), and `length` bytes
namespace waybill::text {

// A finished run.
struct Run {
  Descriptor file;
  uint64_t bytes = 0;
};

class RunWriter {
 public:
  // Error invalid where no file can be made in `folder`.
  static Result<RunWriter> open(const std::string& folder);

  // Words come in order. Error unavailable where the disk does not take them.
  Status add(std::string_view word, uint64_t count);

  Result<Run> finish();

 private:
  RunWriter(Descriptor file, std::string folder) : file_(std::move(file)), folder_(std::move(folder)) {}

  Status flush();

  Descriptor file_;
  std::string folder_;
  std::string buffer_;
  uint64_t bytes_ = 0;
};

class RunReader {
 public:
  explicit RunReader(Run run) : run_(std::move(run)) {}

  // Goes to the next word, at first to the first one; false at the end. Error unavailable where the file can
  // not be read back.
  Result<bool> next();

  // Both until the next call of next().
  std::string_view word() const { return word_; }
  uint64_t count() const { return count_; }

 private:
  Status fill(std::size_t bytes);
  Result<uint32_t> read_number();

  Run run_;
  uint64_t read_ = 0;   // bytes of the file
  std::string buffer_;  // what is read and not yet given out is from at_ on
  std::size_t at_ = 0;
  std::string_view word_;
  uint64_t count_ = 0;
};

}  // namespace waybill::text
