#pragma once

#include <cstdint>
#include <string>

// Photos that nobody has taken, and what an image service makes of them, with libvips and nothing around it.
namespace waybill::bench {

// Once for the process, before all else here. One thread for each image, as in Waybill's children.
void begin_vips(const char* program);

struct Photo {
  int width = 0;
  int height = 0;
  uint32_t seed = 1;
};

// Soft shapes of several sizes with some grain on them, about as dense as what cameras give. A JPEG, or a PNG
// where the name ends so.
void write_photo(const Photo& photo, const std::string& path);

struct PlainTask {
  std::string input;
  std::string image;
  std::string thumbnail;
};

struct PlainImage {
  int width = 0;
  int height = 0;
  std::size_t bytes = 0;  // of the WebP
};

// A WebP of quality 85 and a thumbnail of 300 pixels at most, as an image service has them.
PlainImage convert_plainly(const PlainTask& task);

}  // namespace waybill::bench
