#include "transfer/compression.h"

#include <fcntl.h>
#include <libdeflate.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <array>
#include <cerrno>
#include <vector>

#include "base/check.h"
#include "transfer/files.h"

namespace waybill::transfer {

namespace {

constexpr std::size_t piece_bytes = 1 << 18;
constexpr int gzip_level = 6;
constexpr std::array<std::string_view, 3> names = {"NONE", "GZIP", "ZSTD"};

class PlainSource final : public ByteSource {
 public:
  PlainSource(int file, std::string path) : file_(file), path_(std::move(path)) {}
  ~PlainSource() override { ::close(file_); }
  PlainSource(const PlainSource&) = delete;
  PlainSource& operator=(const PlainSource&) = delete;

  Result<bool> read(std::string& out) override {
    const std::size_t before = out.size();
    out.resize(before + piece_bytes);
    ssize_t got = 0;
    do {
      got = ::read(file_, out.data() + before, piece_bytes);
    } while (got < 0 && errno == EINTR);
    out.resize(before + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    if (got < 0) {
      return file_error("read", path_);
    }
    bytes_ += static_cast<uint64_t>(got);
    return got > 0;
  }
  uint64_t file_bytes() const override { return bytes_; }
  const std::string& path() const { return path_; }

 private:
  const int file_;
  const std::string path_;
  uint64_t bytes_ = 0;
};

// What the decompressing sources have in common: input that is refilled from the file.
class PackedSource : public ByteSource {
 public:
  explicit PackedSource(std::unique_ptr<PlainSource> file) : file_(std::move(file)) {}
  uint64_t file_bytes() const override { return file_->file_bytes(); }

  Result<bool> read(std::string& out) final {
    const std::size_t before = out.size();
    while (out.size() == before) {
      if (at_ == input_.size()) {
        input_.clear();
        at_ = 0;
        WAYBILL_TRY_ASSIGN(const bool more, file_->read(input_));
        if (!more) {
          return is_whole() ? Result<bool>(false) : Result<bool>(damaged());
        }
      }
      WAYBILL_TRY(unpack(out));
    }
    return true;
  }

 protected:
  // Uses up some of the input and appends what it gives.
  virtual Status unpack(std::string& out) = 0;
  // Whether the input may end here.
  virtual bool is_whole() const = 0;

  std::string_view input() const { return std::string_view(input_).substr(at_); }
  void use(std::size_t bytes) { at_ += bytes; }
  Error damaged() const { return invalid(file_->path() + " is damaged: it can't be decompressed"); }

 private:
  std::unique_ptr<PlainSource> file_;
  std::string input_;
  std::size_t at_ = 0;
};

class GzipSource final : public PackedSource {
 public:
  explicit GzipSource(std::unique_ptr<PlainSource> file) : PackedSource(std::move(file)) {
    constexpr int gzip_window = 15 + 16;
    WAYBILL_CHECK(inflateInit2(&stream_, gzip_window) == Z_OK);
  }
  ~GzipSource() override { inflateEnd(&stream_); }
  GzipSource(const GzipSource&) = delete;
  GzipSource& operator=(const GzipSource&) = delete;

 protected:
  Status unpack(std::string& out) override {
    const std::size_t before = out.size();
    out.resize(before + piece_bytes);
    const auto from = input();
    // zlib does not write through it.
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(from.data()));
    stream_.avail_in = static_cast<uInt>(from.size());
    stream_.next_out = reinterpret_cast<Bytef*>(out.data() + before);
    stream_.avail_out = piece_bytes;
    const int result = inflate(&stream_, Z_NO_FLUSH);
    out.resize(out.size() - stream_.avail_out);
    use(from.size() - stream_.avail_in);
    whole_ = result == Z_STREAM_END;
    if (result != Z_OK && result != Z_STREAM_END) {
      return damaged();
    }
    // Another part may follow.
    return !whole_ || inflateReset(&stream_) == Z_OK ? Status() : Status(damaged());
  }
  bool is_whole() const override { return whole_; }

 private:
  z_stream stream_{};
  bool whole_ = true;
};

class ZstdSource final : public PackedSource {
 public:
  explicit ZstdSource(std::unique_ptr<PlainSource> file)
      : PackedSource(std::move(file)), stream_(ZSTD_createDStream()) {
    WAYBILL_CHECK(stream_ != nullptr);
  }
  ~ZstdSource() override { ZSTD_freeDStream(stream_); }
  ZstdSource(const ZstdSource&) = delete;
  ZstdSource& operator=(const ZstdSource&) = delete;

 protected:
  Status unpack(std::string& out) override {
    const std::size_t before = out.size();
    out.resize(before + piece_bytes);
    ZSTD_inBuffer from{input().data(), input().size(), 0};
    ZSTD_outBuffer to{out.data() + before, piece_bytes, 0};
    left_ = ZSTD_decompressStream(stream_, &to, &from);
    out.resize(before + to.pos);
    use(from.pos);
    return ZSTD_isError(left_) == 0 ? Status() : Status(damaged());
  }
  bool is_whole() const override { return left_ == 0; }

 private:
  ZSTD_DStream* const stream_;
  std::size_t left_ = 0;
};

}  // namespace

std::string_view name_of(Compression compression) {
  return names[static_cast<std::size_t>(compression)];
}

Compression compression_of(std::string_view name) {
  return name == "GZIP" ? Compression::gzip : name == "ZSTD" ? Compression::zstd : Compression::none;
}

Compression compression_by_name(std::string_view file_name) {
  return file_name.ends_with(".gz")    ? Compression::gzip
         : file_name.ends_with(".zst") ? Compression::zstd
                                       : Compression::none;
}

std::string gzip(std::string_view bytes) {
  auto* compressor = libdeflate_alloc_compressor(gzip_level);
  WAYBILL_CHECK(compressor != nullptr);
  std::string packed(libdeflate_gzip_compress_bound(compressor, bytes.size()), '\0');
  packed.resize(
      libdeflate_gzip_compress(compressor, bytes.data(), bytes.size(), packed.data(), packed.size()));
  libdeflate_free_compressor(compressor);
  WAYBILL_CHECK(!packed.empty());
  return packed;
}

Result<std::unique_ptr<ByteSource>> open_source(const std::string& path, Compression compression) {
  const int number = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (number < 0) {
    return file_error("read", path);
  }
  auto file = std::make_unique<PlainSource>(number, path);
  switch (compression) {
    case Compression::gzip:
      return std::unique_ptr<ByteSource>(std::make_unique<GzipSource>(std::move(file)));
    case Compression::zstd:
      return std::unique_ptr<ByteSource>(std::make_unique<ZstdSource>(std::move(file)));
    case Compression::none:
      break;
  }
  return std::unique_ptr<ByteSource>(std::move(file));
}

}  // namespace waybill::transfer
