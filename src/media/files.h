#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/descriptor.h"
#include "base/result.h"

namespace waybill::media {

// The bytes of a regular file. Errors: not_found, too_large, invalid for what is no regular file.
Result<std::string> read_input(const std::string& path, int64_t bytes_max);

// A file that comes into being: written under a name of its own, then put in its place. What was not put
// there is gone with its owner. Nothing is synced: files of jobs under way end with the machine, and what is
// to stay is stored elsewhere, whole.
class OutputFile {
 public:
  // `part` is added to the path for the name of what is not whole yet.
  OutputFile(std::string path, std::string_view part);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  // The whole content. Errors: too_large beyond `bytes_max`; unavailable where the disk is full or
  // fails; not_found where there is no such folder; invalid where it may not be written to.
  Status write(std::string_view bytes, int64_t bytes_max);

  // In its place.
  Status publish();

  // Takes it out of its place again.
  void withdraw();

 private:
  const std::string path_;
  const std::string part_path_;
  bool is_written_ = false;
};

}  // namespace waybill::media
