#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace waybill::asset {

// Makes a .zip archive in memory. Every entry has the same date, so that the same files make the same
// archive.
//
//   archive = (local-header data)* central-header* end
//
// Thread safety: none.
class ZipWriter {
 public:
  // Adds a file; compresses it where that makes it smaller. Refuses names that lead out of the folder that
  // the archive is unpacked in, names that are taken, and what would make the archive larger than the format
  // can tell (4 GiB, 65,534 files).
  Status add(const std::string& name, std::string_view bytes);

  std::string finish() &&;

  // Of what was added, and of what became of it.
  uint64_t bytes_before() const { return bytes_before_; }

 private:
  struct Entry {
    std::string name;
    uint16_t method = 0;
    uint32_t crc = 0;
    uint32_t packed_bytes = 0;
    uint32_t bytes = 0;
    uint32_t offset = 0;
  };

  Status check(const std::string& name, std::size_t bytes) const;

  std::string archive_;
  std::vector<Entry> entries_;
  uint64_t bytes_before_ = 0;
};

}  // namespace waybill::asset
