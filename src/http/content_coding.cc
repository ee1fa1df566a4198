#include "http/content_coding.h"

#include <libdeflate.h>

#include <algorithm>

#include "base/bytes.h"
#include "base/check.h"

namespace waybill::http {
namespace {

constexpr std::size_t padding_bytes = 64;
constexpr std::size_t gzip_bytes_min = 18;       // header and trailer
constexpr std::size_t deflate_ratio_max = 1032;  // a property of the format
constexpr int level = 1;

const Refusal damaged{400, "body is not what its Content-Encoding says"};
const Refusal too_large{413, "body is too large once decoded"};

void allocate(DecodedBody& output, std::size_t bytes) {
  output.bytes = std::make_unique_for_overwrite<char[]>(bytes + padding_bytes);
  output.allocated_bytes = bytes + padding_bytes;
}

}  // namespace

ContentCoder::ContentCoder() = default;

ContentCoder::~ContentCoder() {
  libdeflate_free_compressor(compressor_);
  libdeflate_free_decompressor(decompressor_);
}

Refusal ContentCoder::decode(ContentCoding coding, std::string_view input, std::size_t bytes_max,
                             DecodedBody& output) {
  if (decompressor_ == nullptr) {
    decompressor_ = libdeflate_alloc_decompressor();
    WAYBILL_CHECK(decompressor_ != nullptr);
  }
  return coding == ContentCoding::gzip ? decode_gzip(input, bytes_max, output)
                                       : decode_zlib(input, bytes_max, output);
}

// The size of the content is in the last four bytes. Where that lies, decompression fails.
Refusal ContentCoder::decode_gzip(std::string_view input, std::size_t bytes_max, DecodedBody& output) {
  if (input.size() < gzip_bytes_min) {
    return damaged;
  }
  const std::size_t size = load_u32_le(input.data() + input.size() - 4);
  if (size > input.size() * deflate_ratio_max) {
    return damaged;
  }
  if (size > bytes_max) {
    return too_large;
  }
  allocate(output, size);
  std::size_t consumed = 0;
  const auto result = libdeflate_gzip_decompress_ex(decompressor_, input.data(), input.size(),
                                                    output.bytes.get(), size, &consumed, &output.size);
  return result == LIBDEFLATE_SUCCESS && consumed == input.size() && output.size == size ? Refusal{}
                                                                                         : damaged;
}

// zlib does not tell the size of the content: try with room that doubles.
Refusal ContentCoder::decode_zlib(std::string_view input, std::size_t bytes_max, DecodedBody& output) {
  for (std::size_t room = std::max<std::size_t>(input.size() * 4, 4096);; room *= 2) {
    room = std::min(room, bytes_max);
    allocate(output, room);
    std::size_t consumed = 0;
    const auto result = libdeflate_zlib_decompress_ex(decompressor_, input.data(), input.size(),
                                                      output.bytes.get(), room, &consumed, &output.size);
    if (result == LIBDEFLATE_SUCCESS) {
      return consumed == input.size() ? Refusal{} : damaged;
    }
    if (result != LIBDEFLATE_INSUFFICIENT_SPACE) {
      return damaged;
    }
    if (room == bytes_max) {
      return too_large;
    }
  }
}

std::string ContentCoder::gzip(std::string_view body) {
  if (compressor_ == nullptr) {
    compressor_ = libdeflate_alloc_compressor(level);
    WAYBILL_CHECK(compressor_ != nullptr);
  }
  std::string output(body.size(), '\0');
  output.resize(
      libdeflate_gzip_compress(compressor_, body.data(), body.size(), output.data(), output.size()));
  return output;
}

}  // namespace waybill::http
