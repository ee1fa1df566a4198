#pragma once

#include <cstddef>
#include <string_view>
#include <utility>

#include "media/image.h"
#include "media/tasks.h"

namespace waybill::media {

// Bytes that libvips has allocated.
class Blob {
 public:
  Blob(void* data, std::size_t bytes) : data_(data), bytes_(bytes) {}
  ~Blob() {
    if (data_ != nullptr) {
      vips().free(data_);
    }
  }
  Blob(Blob&& other) noexcept : data_(std::exchange(other.data_, nullptr)), bytes_(other.bytes_) {}
  Blob& operator=(Blob&&) = delete;

  void shorten(std::size_t bytes) { bytes_ = bytes; }
  std::string_view bytes() const { return {static_cast<const char*>(data_), bytes_}; }

 private:
  void* data_;
  std::size_t bytes_;
};

struct Encoded {
  Blob file;
  Picture picture;
};

// A file of the image without any metadata. It shrinks where the format cannot hold it: WebP has sides of at
// most 16,383 pixels, JPEG of 65,500. What is transparent becomes white in a JPEG. `format` is one that can
// be written.
Result<Encoded> encode(const Image& image, Format format, int quality);

}  // namespace waybill::media
