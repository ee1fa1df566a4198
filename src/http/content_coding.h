#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "http/head_parser.h"

struct libdeflate_compressor;
struct libdeflate_decompressor;

namespace waybill::http {

// A decoded body, with 64 readable bytes behind it.
struct DecodedBody {
  std::unique_ptr<char[]> bytes;
  std::size_t size = 0;
  std::size_t allocated_bytes = 0;

  std::string_view view() const { return {bytes.get(), size}; }
};

// Compresses answers and decompresses requests. Not thread-safe: one for each I/O thread.
class ContentCoder {
 public:
  ContentCoder();
  ~ContentCoder();

  // Undoes gzip (one member, nothing behind it) or deflate (the zlib format). Takes no more memory than
  // `bytes_max`, whatever the input claims. Refuses with 400 what is damaged and with 413 what is too large.
  Refusal decode(ContentCoding coding, std::string_view input, std::size_t bytes_max, DecodedBody& output);

  // The gzip form of `body`, or an empty string where it is not smaller.
  std::string gzip(std::string_view body);

 private:
  Refusal decode_gzip(std::string_view input, std::size_t bytes_max, DecodedBody& output);
  Refusal decode_zlib(std::string_view input, std::size_t bytes_max, DecodedBody& output);

  libdeflate_compressor* compressor_ = nullptr;      // made at first use
  libdeflate_decompressor* decompressor_ = nullptr;  // made at first use
};

}  // namespace waybill::http
