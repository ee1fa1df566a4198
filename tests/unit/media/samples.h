#pragma once

#include <vips/vips.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "media/pixels.h"

// Pictures to try things on, made with libvips itself in the process of the test.
namespace waybill::media {

struct Rgb {
  uint8_t red = 0;
  uint8_t green = 0;
  uint8_t blue = 0;
};

inline Pixels paint(int width, int height, const std::function<Rgb(int x, int y)>& colour) {
  Pixels pixels{width, height, {}};
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const Rgb rgb = colour(x, y);
      pixels.rgb.insert(pixels.rgb.end(), {rgb.red, rgb.green, rgb.blue});
    }
  }
  return pixels;
}

// Numbers that look like chance and are the same each time.
inline uint8_t noise(int x, int y) {
  uint32_t value = static_cast<uint32_t>(x) * 374761393U + static_cast<uint32_t>(y) * 668265263U;
  value = (value ^ (value >> 13)) * 1274126177U;
  return static_cast<uint8_t>(value >> 24);
}

// Something with colours, slopes and edges, as a photo has.
inline Pixels photo(int width, int height) {
  return paint(width, height, [&](int x, int y) {
    const int shade = noise(x, y) / 16;
    const bool inside = (x / 40 + y / 40) % 5 == 0;
    return Rgb{static_cast<uint8_t>(x * 200 / width + shade), static_cast<uint8_t>(y * 200 / height + shade),
               static_cast<uint8_t>((inside ? 180 : 60) + shade)};
  });
}

using VipsPtr = std::unique_ptr<VipsImage, void (*)(gpointer)>;

inline VipsPtr own(VipsImage* image) {
  return {image, g_object_unref};
}

inline VipsPtr image_of(const Pixels& pixels) {
  VipsImage* raw = vips_image_new_from_memory_copy(pixels.rgb.data(), pixels.rgb.size(), pixels.width,
                                                   pixels.height, 3, VIPS_FORMAT_UCHAR);
  VipsImage* image = nullptr;
  vips_copy(raw, &image, "interpretation", VIPS_INTERPRETATION_sRGB, nullptr);
  g_object_unref(raw);
  return own(image);
}

// The bytes of a file with that end: ".jpg[Q=90]", ".png", ".webp", ".gif", ".avif".
inline std::string file_of(VipsImage* image, const std::string& suffix) {
  void* data = nullptr;
  std::size_t bytes = 0;
  const bool is_avif = suffix == ".avif";
  const int failed = is_avif ? vips_heifsave_buffer(image, &data, &bytes, "compression",
                                                    VIPS_FOREIGN_HEIF_COMPRESSION_AV1, "effort", 0, nullptr)
                             : vips_image_write_to_buffer(image, suffix.c_str(), &data, &bytes, nullptr);
  if (failed != 0) {
    vips_error_exit("cannot make %s", suffix.c_str());
  }
  std::string file(static_cast<const char*>(data), bytes);
  g_free(data);
  return file;
}

inline std::string file_of(const Pixels& pixels, const std::string& suffix) {
  return file_of(image_of(pixels).get(), suffix);
}

// With text fields as EXIF has them, and EXIF's orientation.
inline std::string jpeg_with(const Pixels& pixels, int orientation,
                             const std::map<std::string, std::string>& exif = {}) {
  const auto image = image_of(pixels);
  vips_image_set_int(image.get(), VIPS_META_ORIENTATION, orientation);
  for (const auto& [name, value] : exif) {
    vips_image_set_string(image.get(), name.c_str(), value.c_str());
  }
  return file_of(image.get(), ".jpg[Q=95]");
}

inline VipsPtr open_file(const std::string& path) {
  return own(vips_image_new_from_file(path.c_str(), nullptr));
}

inline std::vector<double> point(VipsImage* image, int x, int y) {
  double* bands = nullptr;
  int count = 0;
  if (vips_getpoint(image, &bands, &count, x, y, nullptr) != 0) {
    return {};
  }
  std::vector<double> found(bands, bands + count);
  g_free(bands);
  return found;
}

}  // namespace waybill::media
