#include "text/analyze_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>

#include "base/descriptor.h"

namespace waybill::text {

namespace {

constexpr std::size_t piece_bytes = 1 << 20;

Error cannot_read(const std::string& path, const std::string& why) {
  return invalid("cannot read " + path + ": " + why);
}

// Its size. Opening does not wait, and reading could for ever, where the path leads to a pipe.
Result<uint64_t> check_file(const Descriptor& file, const std::string& path) {
  struct stat about{};
  if (file.number() < 0 || ::fstat(file.number(), &about) != 0) {
    return cannot_read(path, std::strerror(errno));
  }
  if (!S_ISREG(about.st_mode)) {
    return cannot_read(path, "it is not a regular file; give the path of one");
  }
  return static_cast<uint64_t>(about.st_size);
}

Result<std::size_t> read_piece(const Descriptor& file, const std::string& path, char* piece) {
  while (true) {
    const auto got = ::read(file.number(), piece, piece_bytes);
    if (got >= 0) {
      return static_cast<std::size_t>(got);
    }
    if (errno != EINTR) {
      return cannot_read(path, std::strerror(errno));
    }
  }
}

}  // namespace

Result<std::optional<Figures>> analyze_file(const std::string& path, const FileAnalysis& analysis) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  FileProgress progress;
  WAYBILL_TRY_ASSIGN(progress.bytes_total, check_file(file, path));
  WAYBILL_TRY_ASSIGN(auto analyzer, Analyzer::open(analysis.options));
  const auto piece = std::make_unique<char[]>(piece_bytes);
  while (!analysis.stop.stop_requested()) {
    WAYBILL_TRY_ASSIGN(const std::size_t bytes, read_piece(file, path, piece.get()));
    if (bytes == 0) {
      return analyzer.finish(analysis.stop);
    }
    WAYBILL_TRY(analyzer.feed({piece.get(), bytes}));
    progress.bytes_read += bytes;
    if (analysis.progress) {
      analysis.progress(progress);
    }
  }
  return std::optional<Figures>();
}

}  // namespace waybill::text
