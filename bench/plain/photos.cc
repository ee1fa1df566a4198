#include "plain/photos.h"

#include <fcntl.h>
#include <unistd.h>
#include <vips/vips.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <vector>

#include "base/check.h"

namespace waybill::bench {
namespace {

constexpr int quality = 85;
constexpr int thumbnail_side = 300;
constexpr int photo_quality = 90;

// What is at a corner of the grid of shapes: 0 to 1, by chance.
double corner(uint32_t x, uint32_t y, uint32_t seed) {
  uint32_t hash = x * 0x9e3779b1U ^ y * 0x85ebca77U ^ seed * 0xc2b2ae3dU;
  hash = (hash ^ hash >> 15) * 0x2c1b3c6dU;
  hash = (hash ^ hash >> 12) * 0x297a2d39U;
  return static_cast<double>(hash ^ hash >> 15) / 4294967296.0;
}

// Shapes of `side` pixels that pass into one another, for one row of one colour.
void add_shapes(std::vector<double>& row, int y, int side, double strength, uint32_t seed) {
  const auto below = static_cast<uint32_t>(y / side);
  const double down = static_cast<double>(y % side) / side;
  for (std::size_t x = 0; x < row.size(); ++x) {
    const auto left = static_cast<uint32_t>(x) / static_cast<uint32_t>(side);
    const double right = static_cast<double>(x % static_cast<std::size_t>(side)) / side;
    const double above = std::lerp(corner(left, below, seed), corner(left + 1, below, seed), right);
    const double under = std::lerp(corner(left, below + 1, seed), corner(left + 1, below + 1, seed), right);
    row[x] += strength * std::lerp(above, under, down);
  }
}

std::vector<unsigned char> pixels_of(const Photo& photo) {
  constexpr uint32_t colours = 3;
  std::vector<unsigned char> pixels(static_cast<std::size_t>(photo.width) *
                                    static_cast<std::size_t>(photo.height) * colours);
  uint32_t random = photo.seed;
  std::vector<double> row(static_cast<std::size_t>(photo.width));
  for (int y = 0; y < photo.height; ++y) {
    for (uint32_t colour = 0; colour < colours; ++colour) {
      std::fill(row.begin(), row.end(), 0);
      add_shapes(row, y, 700, 110, photo.seed + colour);
      add_shapes(row, y, 90, 70, photo.seed + colour / 2 + 10);
      add_shapes(row, y, 11, 40, photo.seed + 20);
      add_shapes(row, y, 3, 16, photo.seed + 30);
      const auto at = static_cast<std::size_t>(y) * row.size() * colours;
      for (std::size_t x = 0; x < row.size(); ++x) {
        random = random * 1664525 + 1013904223;
        const double grain = static_cast<double>(random >> 29);
        pixels[at + x * colours + colour] =
            static_cast<unsigned char>(std::clamp(row[x] + grain, 0.0, 255.0));
      }
    }
  }
  return pixels;
}

std::size_t save(VipsImage* image, const std::string& path) {
  void* data = nullptr;
  std::size_t bytes = 0;
  WAYBILL_CHECK(vips_webpsave_buffer(image, &data, &bytes, "Q", quality, "strip", TRUE, nullptr) == 0);
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  WAYBILL_CHECK(::write(file, data, bytes) == static_cast<ssize_t>(bytes));
  ::close(file);
  g_free(data);
  return bytes;
}

}  // namespace

void begin_vips(const char* program) {
  WAYBILL_CHECK(vips_init(program) == 0);
  vips_concurrency_set(1);
  vips_cache_set_max(0);
}

void write_photo(const Photo& photo, const std::string& path) {
  const auto pixels = pixels_of(photo);
  VipsImage* image = vips_image_new_from_memory(pixels.data(), pixels.size(), photo.width, photo.height, 3,
                                                VIPS_FORMAT_UCHAR);
  const bool is_png = path.ends_with(".png");
  WAYBILL_CHECK((is_png ? vips_pngsave(image, path.c_str(), nullptr)
                        : vips_jpegsave(image, path.c_str(), "Q", photo_quality, nullptr)) == 0);
  g_object_unref(image);
}

PlainImage convert_plainly(const PlainTask& task) {
  std::ifstream file(task.input, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  VipsImage* opened =
      vips_image_new_from_buffer(bytes.data(), bytes.size(), "", "access", VIPS_ACCESS_SEQUENTIAL, nullptr);
  WAYBILL_CHECK(opened != nullptr);
  VipsImage* image = vips_image_copy_memory(opened);
  g_object_unref(opened);
  VipsImage* small = nullptr;
  PlainImage made{image->Xsize, image->Ysize, save(image, task.image)};
  WAYBILL_CHECK(vips_thumbnail_image(image, &small, thumbnail_side, "height", thumbnail_side, nullptr) == 0);
  save(small, task.thumbnail);
  g_object_unref(small);
  g_object_unref(image);
  return made;
}

}  // namespace waybill::bench
