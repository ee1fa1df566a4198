#include <libdeflate.h>
#include <png.h>

#include "asset/dice.h"
#include "asset/png_format.h"
#include "asset/png_reader.h"
#include "asset/png_writer.h"
#include "asset/support.h"
#include "base/bytes.h"

namespace waybill::asset {
namespace {

Image some_image(int width, int height, bool opaque) {
  Image image(width, height);
  Dice dice("image", width * 1000 + height);
  for (std::size_t i = 0; i < image.rgba.size(); ++i) {
    // Smooth in places and rough in others, so that rows choose different filters.
    const auto smooth = static_cast<uint8_t>(i / 7);
    image.rgba[i] = i % 1000 < 500 ? smooth : static_cast<uint8_t>(dice.below(256));
    if (i % 4 == 3 && opaque) {
      image.rgba[i] = 255;
    }
  }
  return image;
}

// What libpng makes of a file: RGBA samples.
std::vector<uint8_t> decoded_by_libpng(const std::string& file, int& width, int& height) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  EXPECT_NE(png_image_begin_read_from_memory(&image, file.data(), file.size()), 0) << image.message;
  image.format = PNG_FORMAT_RGBA;
  std::vector<uint8_t> samples(PNG_IMAGE_SIZE(image));
  EXPECT_NE(png_image_finish_read(&image, nullptr, samples.data(), 0, nullptr), 0) << image.message;
  width = static_cast<int>(image.width);
  height = static_cast<int>(image.height);
  return samples;
}

struct Layout {
  int colour = PNG_COLOR_TYPE_RGBA;
  int filters = PNG_ALL_FILTERS;
  int depth = 8;
  int interlace = PNG_INTERLACE_NONE;
};

// A PNG of random samples, as libpng writes it. Pieces of 1,000 bytes become IDAT chunks.
std::string encoded_by_libpng(int width, int height, const Layout& layout, std::vector<uint8_t>& samples) {
  png_structp writer = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
  png_infop info = png_create_info_struct(writer);
  std::string file;
  png_set_write_fn(
      writer, &file,
      [](png_structp to, png_bytep data, std::size_t size) {
        static_cast<std::string*>(png_get_io_ptr(to))->append(reinterpret_cast<const char*>(data), size);
      },
      nullptr);
  png_set_IHDR(writer, info, static_cast<uint32_t>(width), static_cast<uint32_t>(height), layout.depth,
               layout.colour, layout.interlace, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  if (layout.colour == PNG_COLOR_TYPE_PALETTE) {
    const std::vector<png_color> palette(256);
    png_set_PLTE(writer, info, palette.data(), 256);
  }
  png_set_filter(writer, 0, layout.filters);
  png_set_compression_buffer_size(writer, 1000);
  png_write_info(writer, info);
  const std::size_t row_bytes = png_get_rowbytes(writer, info);
  samples.resize(row_bytes * static_cast<std::size_t>(height));
  Dice dice("samples", width);
  for (auto& sample : samples) {
    sample = static_cast<uint8_t>(dice.below(256));
  }
  std::vector<png_bytep> rows;
  for (std::size_t y = 0; y < static_cast<std::size_t>(height); ++y) {
    rows.push_back(samples.data() + y * row_bytes);
  }
  png_write_image(writer, rows.data());
  png_write_end(writer, nullptr);
  png_destroy_write_struct(&writer, &info);
  return file;
}

TEST(Png, IsReadByOthersAndByUs) {
  for (const auto& [width, height] :
       {std::pair(1, 1), std::pair(1, 9), std::pair(17, 1), std::pair(123, 45)}) {
    for (const bool opaque : {false, true}) {
      const Image image = some_image(width, height, opaque);
      const std::string file = write_png(image);
      int other_width = 0;
      int other_height = 0;
      EXPECT_EQ(decoded_by_libpng(file, other_width, other_height), image.rgba);
      EXPECT_EQ(other_width, width);
      EXPECT_EQ(other_height, height);
      const auto back = read_png(file);
      ASSERT_TRUE(back) << back.error().message;
      EXPECT_EQ(back->rgba, image.rgba);
      EXPECT_EQ(back->width, width);
    }
  }
}

TEST(Png, OfOthersIsReadWithEveryFilterAndColour) {
  for (const int colour : {PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GA, PNG_COLOR_TYPE_RGB, PNG_COLOR_TYPE_RGBA}) {
    for (const int filter :
         {PNG_FILTER_NONE, PNG_FILTER_SUB, PNG_FILTER_UP, PNG_FILTER_AVG, PNG_FILTER_PAETH}) {
      std::vector<uint8_t> samples;
      const std::string file = encoded_by_libpng(37, 29, {.colour = colour, .filters = filter}, samples);
      const auto image = read_png(file);
      ASSERT_TRUE(image) << image.error().message;
      int width = 0;
      int height = 0;
      EXPECT_EQ(decoded_by_libpng(file, width, height), image->rgba) << colour << " " << filter;
    }
  }
}

TEST(Png, ThatIsOtherThanWhatWeReadIsRefusedWithAHint) {
  const auto refusal = [](const Layout& layout) {
    std::vector<uint8_t> samples;
    const auto image = read_png(encoded_by_libpng(20, 20, layout, samples));
    EXPECT_FALSE(image);
    return image ? std::string() : image.error().message;
  };
  EXPECT_EQ(refusal({.colour = PNG_COLOR_TYPE_PALETTE}), "the PNG has a palette; convert it to RGB or RGBA");
  EXPECT_EQ(refusal({.depth = 16}), "the PNG has 16 bits a sample; convert it to 8");
  EXPECT_EQ(refusal({.interlace = PNG_INTERLACE_ADAM7}),
            "the PNG is interlaced; save it without interlacing");
  EXPECT_EQ(read_png("GIF89a").error().message, "the file is not a PNG");
  EXPECT_EQ(read_png("").error().message, "the file is not a PNG");
}

TEST(Png, ThatIsCutOffOrChangedIsNoticed) {
  const std::string file = write_png(some_image(21, 13, false));
  for (std::size_t length = 0; length < file.size(); ++length) {
    EXPECT_FALSE(read_png(std::string_view(file).substr(0, length))) << length;
  }
  for (std::size_t at = 0; at < file.size(); ++at) {
    std::string changed = file;
    changed[at] = static_cast<char>(changed[at] ^ 0x10);
    EXPECT_FALSE(read_png(changed)) << at;
  }
}

std::string chunk(std::string_view type, std::string_view data) {
  std::string out;
  append_u32_be(out, static_cast<uint32_t>(data.size()));
  const std::string body = std::string(type) + std::string(data);
  out += body;
  append_u32_be(out, libdeflate_crc32(0, body.data(), body.size()));
  return out;
}

std::string header(uint32_t width, uint32_t height) {
  std::string data;
  append_u32_be(data, width);
  append_u32_be(data, height);
  data += std::string("\x08\x06\0\0\0", 5);
  return std::string(png::signature) + chunk("IHDR", data);
}

std::string zlib(std::string_view bytes) {
  auto* const compressor = libdeflate_alloc_compressor(9);
  std::string packed(libdeflate_zlib_compress_bound(compressor, bytes.size()), '\0');
  packed.resize(
      libdeflate_zlib_compress(compressor, bytes.data(), bytes.size(), packed.data(), packed.size()));
  libdeflate_free_compressor(compressor);
  return packed;
}

TEST(Png, WithHostileSizesIsRefused) {
  const auto refusal = [](const std::string& file) {
    const auto image = read_png(file);
    EXPECT_FALSE(image);
    return image ? std::string() : image.error().message;
  };
  const std::string end = chunk("IEND", {});
  EXPECT_EQ(refusal(header(0, 5) + end), "the PNG is damaged: it has no pixels");
  EXPECT_EQ(refusal(header(0xffffffff, 0xffffffff) + end),
            "the PNG has 4294967295 x 4294967295 pixels; at most 16777216 are read");
  EXPECT_EQ(refusal(header(16385, 1024) + end), "the PNG has 16385 x 1024 pixels; at most 16777216 are read");
  EXPECT_EQ(refusal(header(4096, 4096) + chunk("IDAT", zlib("tiny")) + end),
            "the PNG is damaged: it has fewer pixels than its header says");
  const std::string too_long(10'000'000, '\0');
  const std::string wrong_size =
      "the PNG is damaged: its pixels cannot be decompressed to the size in its header";
  EXPECT_EQ(refusal(header(4, 4) + chunk("IDAT", zlib(too_long)) + end), wrong_size);
  EXPECT_EQ(refusal(header(4, 4) + chunk("IDAT", zlib("tiny")) + end), wrong_size);
  EXPECT_EQ(refusal(header(4, 4) + end), wrong_size);
  EXPECT_EQ(refusal(header(4, 4) + chunk("IDAT", zlib(std::string(17 * 4, '\x05'))) + end),
            "the PNG is damaged: a row has an unknown filter");
  EXPECT_EQ(refusal(header(4, 4) + chunk("ABCD", "x") + end),
            "the PNG is damaged: it has an unknown critical chunk");
  EXPECT_EQ(refusal(header(4, 4) + chunk("tRNS", "x") + end),
            "the PNG has a transparent colour; convert it to RGBA");
  EXPECT_TRUE(
      read_png(header(4, 4) + chunk("tEXt", "a") + chunk("IDAT", zlib(std::string(17 * 4, '\0'))) + end));
}

}  // namespace
}  // namespace waybill::asset
