#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

namespace waybill::transfer {

enum class Compression : unsigned char { none, gzip, zstd };

// "NONE", "GZIP", "ZSTD"; by_name() goes by the end of a file's name.
std::string_view name_of(Compression compression);
Compression compression_of(std::string_view name);
Compression compression_by_name(std::string_view file_name);

std::string gzip(std::string_view bytes);

// The content of a file, decompressed piece by piece: files of any size, of any number of compressed parts.
class ByteSource {
 public:
  virtual ~ByteSource() = default;

  // Appends the next piece to `out`; false at the end. Error invalid where the file can't be read or is
  // damaged.
  virtual Result<bool> read(std::string& out) = 0;

  // How much of the file has been read, as it lies on disk.
  virtual uint64_t file_bytes() const = 0;
};

Result<std::unique_ptr<ByteSource>> open_source(const std::string& path, Compression compression);

}  // namespace waybill::transfer
