// How fast contents are written and read, beside plain files of the same sizes on the same disk.
//
//   waybill_object_bench FOLDER [MEBIBYTES]
//
// For each size: so many objects that MEBIBYTES are moved, written with MD5 and block sums, synced and named,
// and read back verified; and the same bytes by write and fsync, and by read. Reads are of what is in the
// kernel's cache, so that they show what verifying costs.
#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "base/check.h"
#include "base/clock.h"
#include "base/entropy.h"
#include "object/content_store.h"

namespace {

namespace object = waybill::object;

constexpr std::size_t piece_bytes = 256 * 1024;

// Runs `work` and gives how many seconds that took.
template <typename Work>
double seconds(const Work& work) {
  const waybill::SystemClock clock;
  const int64_t begun_us = clock.steady_us();
  work();
  return static_cast<double>(clock.steady_us() - begun_us) / 1e6;
}

template <typename Each>
void in_pieces(std::size_t size, const Each& each) {
  for (std::size_t at = 0; at < size; at += piece_bytes) {
    each(at, std::min(piece_bytes, size - at));
  }
}

class Bench {
 public:
  Bench(const std::string& folder, std::size_t total_bytes)
      : folder_(folder), total_bytes_(total_bytes), store_(opened(folder + "/store")) {
    std::filesystem::create_directories(folder_ + "/plain");
  }

  void run(std::size_t size) {
    const std::size_t count = std::max<std::size_t>(1, std::min<std::size_t>(total_bytes_ / size, 2000));
    std::string bytes(size, '\0');
    entropy_.fill(bytes.data(), bytes.size());
    const double mebibytes = static_cast<double>(size * count) / (1024 * 1024);
    const double plain_write = seconds([&] { write_plain(bytes, count); });
    const double write = seconds([&] { write_contents(bytes, count); });
    const double plain_read = seconds([&] { read_plain(bytes.size(), count); });
    const double read = seconds([&] { read_contents(); });
    std::printf("%10zu bytes x %5zu   write %8.1f MB/s (plain %8.1f)   read %8.1f MB/s (plain %8.1f)\n", size,
                count, mebibytes / write, mebibytes / plain_write, mebibytes / read, mebibytes / plain_read);
    for (const auto& id : ids_) {
      WAYBILL_CHECK(store_.remove(id).has_value());
    }
    ids_.clear();
    for (std::size_t i = 0; i < count; ++i) {
      std::filesystem::remove(plain_path(i));
    }
  }

  // One content of many parts, in the kernel.
  void join(std::size_t part_bytes, std::size_t count) {
    std::string bytes(part_bytes, '\0');
    entropy_.fill(bytes.data(), bytes.size());
    write_contents(bytes, count);
    const double taken = seconds([&] { WAYBILL_CHECK(store_.join(ids_).has_value()); });
    std::printf("join of %zu parts of %zu bytes: %.0f ms, %.1f MB/s\n", count, part_bytes, taken * 1000,
                static_cast<double>(part_bytes * count) / (1024 * 1024) / taken);
  }

 private:
  object::ContentStore opened(const std::string& path) {
    std::filesystem::create_directories(folder_);
    auto store = object::ContentStore::open({path, &clock_, &entropy_, nullptr});
    WAYBILL_CHECK(store.has_value());
    return *std::move(store);
  }

  std::string plain_path(std::size_t i) const { return folder_ + "/plain/" + std::to_string(i); }

  void write_plain(const std::string& bytes, std::size_t count) const {
    for (std::size_t i = 0; i < count; ++i) {
      const int file = ::open(plain_path(i).c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
      in_pieces(bytes.size(), [&](std::size_t at, std::size_t length) {
        WAYBILL_CHECK(::write(file, bytes.data() + at, length) == static_cast<ssize_t>(length));
      });
      WAYBILL_CHECK(::fsync(file) == 0);
      ::close(file);
    }
  }

  void write_contents(const std::string& bytes, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      auto writer = store_.begin({bytes.size(), {}});
      in_pieces(bytes.size(), [&](std::size_t at, std::size_t length) {
        WAYBILL_CHECK(writer->append({bytes.data() + at, length}).has_value());
      });
      const auto stored = writer->commit();
      WAYBILL_CHECK(stored.has_value());
      ids_.push_back(stored->id);
    }
  }

  void read_plain(std::size_t size, std::size_t count) const {
    std::string buffer(piece_bytes, '\0');
    for (std::size_t i = 0; i < count; ++i) {
      const int file = ::open(plain_path(i).c_str(), O_RDONLY | O_CLOEXEC);
      in_pieces(size, [&](std::size_t, std::size_t length) {
        WAYBILL_CHECK(::read(file, buffer.data(), length) == static_cast<ssize_t>(length));
      });
      ::close(file);
    }
  }

  void read_contents() const {
    std::string buffer(piece_bytes, '\0');
    for (const auto& id : ids_) {
      const auto reader = store_.read(id);
      for (uint64_t at = 0; at < reader->bytes(); at += piece_bytes) {
        WAYBILL_CHECK(reader->read(at, buffer).has_value());
      }
    }
  }

  std::string folder_;
  std::size_t total_bytes_;
  waybill::SystemClock clock_;
  waybill::SystemEntropy entropy_;
  object::ContentStore store_;
  std::vector<object::ContentId> ids_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: waybill_object_bench FOLDER [MEBIBYTES]\n");
    return 2;
  }
  const std::size_t total = (argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 256) * 1024 * 1024;
  Bench bench(argv[1], total);
  for (const std::size_t size : {4UL << 10, 64UL << 10, 1UL << 20, 16UL << 20, 256UL << 20}) {
    if (size <= total) {
      bench.run(size);
    }
  }
  bench.join(5UL << 20, 100);
  return 0;
}
