#include "asset/png_writer.h"

#include <libdeflate.h>

#include <array>
#include <cstdlib>
#include <string_view>

#include "asset/png_format.h"
#include "base/bytes.h"
#include "base/check.h"

namespace waybill::asset {

namespace {

constexpr int compression_level = 6;
constexpr char colour_rgb = 2;
constexpr char colour_rgba = 6;

void append_chunk(std::string& out, std::string_view type, std::string_view data) {
  append_u32_be(out, static_cast<uint32_t>(data.size()));
  const std::size_t begin = out.size();
  out.append(type).append(data);
  append_u32_be(out, libdeflate_crc32(0, out.data() + begin, out.size() - begin));
}

bool is_opaque(const Image& image) {
  for (std::size_t i = 3; i < image.rgba.size(); i += 4) {
    if (image.rgba[i] != 255) {
      return false;
    }
  }
  return true;
}

std::vector<uint8_t> samples_of(const Image& image, std::size_t channels) {
  std::vector<uint8_t> samples;
  samples.reserve(image.pixels() * channels);
  for (std::size_t i = 0; i < image.rgba.size(); i += 4) {
    samples.insert(samples.end(), &image.rgba[i], &image.rgba[i] + channels);
  }
  return samples;
}

struct Row {
  const uint8_t* samples;
  const uint8_t* above;
  std::size_t bytes;
  std::size_t channels;
};

template <png::Filter filter>
void filter_row(const Row& row, uint8_t* out) {
  for (std::size_t i = 0; i < row.bytes; ++i) {
    const int left = i >= row.channels ? row.samples[i - row.channels] : 0;
    const int above = row.above[i];
    const int corner = i >= row.channels ? row.above[i - row.channels] : 0;
    int guess = 0;
    if constexpr (filter == png::sub) {
      guess = left;
    } else if constexpr (filter == png::up) {
      guess = above;
    } else if constexpr (filter == png::average) {
      guess = (left + above) / 2;
    } else if constexpr (filter == png::paeth) {
      guess = png::paeth_of(left, above, corner);
    }
    out[i] = static_cast<uint8_t>(row.samples[i] - guess);
  }
}

// Small differences compress best: bytes are weighed as signed numbers.
std::size_t weight_of(const std::vector<uint8_t>& bytes) {
  std::size_t sum = 0;
  for (const uint8_t byte : bytes) {
    sum += static_cast<std::size_t>(std::abs(static_cast<int8_t>(byte)));
  }
  return sum;
}

void append_filtered(std::string& out, const Row& row,
                     std::array<std::vector<uint8_t>, png::filters>& tries) {
  filter_row<png::none>(row, tries[png::none].data());
  filter_row<png::sub>(row, tries[png::sub].data());
  filter_row<png::up>(row, tries[png::up].data());
  filter_row<png::average>(row, tries[png::average].data());
  filter_row<png::paeth>(row, tries[png::paeth].data());
  std::size_t best = 0;
  std::size_t best_weight = weight_of(tries[0]);
  for (std::size_t i = 1; i < tries.size(); ++i) {
    if (const std::size_t weight = weight_of(tries[i]); weight < best_weight) {
      best = i;
      best_weight = weight;
    }
  }
  out.push_back(static_cast<char>(best));
  out.append(reinterpret_cast<const char*>(tries[best].data()), tries[best].size());
}

std::string filtered(const Image& image, std::size_t channels) {
  const std::size_t row_bytes = static_cast<std::size_t>(image.width) * channels;
  const auto samples = samples_of(image, channels);
  const std::vector<uint8_t> nothing(row_bytes);
  std::array<std::vector<uint8_t>, png::filters> tries;
  tries.fill(nothing);
  std::string rows;
  rows.reserve((row_bytes + 1) * static_cast<std::size_t>(image.height));
  for (std::size_t y = 0; y < static_cast<std::size_t>(image.height); ++y) {
    const uint8_t* const above = y > 0 ? samples.data() + (y - 1) * row_bytes : nothing.data();
    append_filtered(rows, {samples.data() + y * row_bytes, above, row_bytes, channels}, tries);
  }
  return rows;
}

std::string compressed(std::string_view bytes) {
  auto* const compressor = libdeflate_alloc_compressor(compression_level);
  WAYBILL_CHECK(compressor != nullptr);
  std::string packed(libdeflate_zlib_compress_bound(compressor, bytes.size()), '\0');
  packed.resize(
      libdeflate_zlib_compress(compressor, bytes.data(), bytes.size(), packed.data(), packed.size()));
  libdeflate_free_compressor(compressor);
  WAYBILL_CHECK(!packed.empty());
  return packed;
}

}  // namespace

std::string write_png(const Image& image) {
  WAYBILL_CHECK(image.width > 0 && image.height > 0 && image.rgba.size() == image.pixels() * 4);
  const bool opaque = is_opaque(image);
  std::string header;
  append_u32_be(header, static_cast<uint32_t>(image.width));
  append_u32_be(header, static_cast<uint32_t>(image.height));
  header.push_back(8);  // bits a sample
  header.push_back(opaque ? colour_rgb : colour_rgba);
  header.append(3, '\0');  // deflate, the five filters, not interlaced

  std::string out(png::signature);
  append_chunk(out, "IHDR", header);
  append_chunk(out, "sRGB", std::string_view("\0", 1));
  append_chunk(out, "IDAT", compressed(filtered(image, opaque ? 3 : 4)));
  append_chunk(out, "IEND", {});
  return out;
}

}  // namespace waybill::asset
