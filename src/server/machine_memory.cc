#include "server/machine_memory.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <limits>

namespace waybill::server {
namespace {

constexpr uint64_t kibibyte = 1024;

// "MemTotal:       24689232 kB"
uint64_t total_bytes(const std::string& root) {
  std::ifstream file(root + "/proc/meminfo");
  std::string name;
  uint64_t kibibytes = 0;
  while (file >> name) {
    if (name == "MemTotal:" && file >> kibibytes) {
      return kibibytes * kibibyte;
    }
    file.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  }
  return 0;
}

// A number, or "max" for none.
uint64_t limit_bytes(const std::string& path) {
  std::ifstream file(path);
  std::string word;
  file >> word;
  uint64_t bytes = 0;
  const auto [end, failure] = std::from_chars(word.data(), word.data() + word.size(), bytes);
  const bool whole = failure == std::errc() && end == word.data() + word.size() && bytes > 0;
  return whole ? bytes : std::numeric_limits<uint64_t>::max();
}

}  // namespace

uint64_t machine_memory_bytes(const std::string& root) {
  return std::min({total_bytes(root), limit_bytes(root + "/sys/fs/cgroup/memory.max"),
                   limit_bytes(root + "/sys/fs/cgroup/memory/memory.limit_in_bytes")});
}

uint64_t default_store_memory_mb(uint64_t machine_bytes) {
  constexpr uint64_t least_mb = 256;
  return std::max((machine_bytes >> 20) * 3 / 5, least_mb);
}

}  // namespace waybill::server
