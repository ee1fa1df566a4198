// Files of strangers: whatever they are, the answer is an error, soon, and the next picture is served.
#include <sys/stat.h>
#include <zlib.h>

#include <filesystem>

#include "base/bytes.h"
#include "media/fixture.h"

namespace waybill::media {
namespace {

using std::literals::operator""sv;
using HostileTest = MediaTest;

void append_chunk(std::string& file, std::string_view name, std::string_view data) {
  append_u32_be(file, static_cast<uint32_t>(data.size()));
  const std::string body = std::string(name) + std::string(data);
  file += body;
  append_u32_be(file, static_cast<uint32_t>(::crc32(0, reinterpret_cast<const Bytef*>(body.data()),
                                                    static_cast<uInt>(body.size()))));
}

// A PNG of one colour that says to have so many pixels, and holds `rows` of them.
std::string png_bomb(uint32_t width, uint32_t height, uint32_t rows) {
  std::string header;
  append_u32_be(header, width);
  append_u32_be(header, height);
  header += "\x08\x02\0\0\0"sv;
  const std::string raw(std::size_t{rows} * (3 * std::size_t{width} + 1), '\0');
  std::string packed(::compressBound(raw.size()), '\0');
  uLongf bytes = packed.size();
  ::compress(reinterpret_cast<Bytef*>(packed.data()), &bytes, reinterpret_cast<const Bytef*>(raw.data()),
             raw.size());
  packed.resize(bytes);
  std::string file = "\x89PNG\r\n\x1a\n";
  append_chunk(file, "IHDR", header);
  append_chunk(file, "IDAT", packed);
  append_chunk(file, "IEND", "");
  return file;
}

TEST_F(HostileTest, what_is_no_image_is_unsupported) {
  for (const auto bytes :
       {"hello"sv, "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>"sv, "%PDF-1.4\n%%EOF"sv,
        "P6 1 1 255\nabc"sv, "push graphic-context\nimage over 0,0 0,0 'https://example.com/x'\n"sv,
        "BM\0\0\0\0"sv, "II*\0\x08\0\0\0"sv}) {
    const auto error = convert_error(bytes);
    EXPECT_EQ(error.kind, ErrorKind::unsupported) << bytes;
    EXPECT_EQ(error.message, "the file is no image that is known: use JPEG, PNG, WebP, GIF or AVIF");
  }
  EXPECT_EQ(convert_error("").message, "the file is empty");
}

TEST_F(HostileTest, the_first_bytes_alone_are_not_enough) {
  for (const auto bytes : {"\xff\xd8\xff"sv, "\x89PNG\r\n\x1a\n"sv, "GIF89a"sv, "RIFF\x04\0\0\0WEBP"sv,
                           "\0\0\0\x14"
                           "ftypavif\0\0\0\0mif1"sv,
                           "\x89PNG\r\n\x1a\n<svg/>"sv, "GIF89a%PDF-1.4"sv}) {
    EXPECT_EQ(convert_error(bytes).kind, ErrorKind::invalid) << bytes;
  }
}

TEST_F(HostileTest, files_that_are_cut_off_are_invalid) {
  for (const auto* suffix : {".jpg", ".png", ".webp", ".avif"}) {
    const auto whole = file_of(photo(300, 200), suffix);
    for (const auto share : {3, 5, 9}) {
      const auto error = convert_error(
          std::string_view(whole).substr(0, whole.size() * static_cast<std::size_t>(share) / 10));
      EXPECT_EQ(error.kind, ErrorKind::invalid) << suffix << " " << share << ": " << error.message;
    }
  }
}

TEST_F(HostileTest, bombs_are_refused_by_what_their_header_says) {
  const auto error = convert_error(png_bomb(20'000, 20'000, 10));
  EXPECT_EQ(error.kind, ErrorKind::too_large);
  EXPECT_EQ(error.message,
            "the image has 20000 by 20000 pixels, more than the 100000000 that are taken: make it smaller");
  EXPECT_EQ(convert_error(png_bomb(100'000, 1, 1)).kind, ErrorKind::too_large);
  EXPECT_EQ(convert_error(png_bomb(0x7fffffff, 0x7fffffff, 0)).kind, ErrorKind::invalid);
  EXPECT_EQ(convert_error(png_bomb(0, 10, 0)).kind, ErrorKind::invalid);
}

TEST_F(HostileTest, headers_that_promise_more_than_is_there_are_invalid) {
  EXPECT_EQ(convert_error(png_bomb(5'000, 5'000, 3)).kind, ErrorKind::invalid);
  auto jpeg = file_of(photo(64, 64), ".jpg");
  const auto frame = jpeg.find("\xff\xc0\0\x11\x08"sv);
  ASSERT_NE(frame, std::string::npos);
  jpeg.replace(frame + 5, 4, "\x20\0\x20\0"sv);  // 8,192 by 8,192
  EXPECT_EQ(convert_error(jpeg).kind, ErrorKind::invalid);
}

TEST_F(HostileTest, limits_of_bytes_and_pixels_are_those_that_were_set) {
  options_.limits.pixels_max = 64 * 64;
  options_.limits.input_bytes_max = 20'000;
  EXPECT_TRUE(studio().convert(convert_task(file_of(photo(64, 64), ".jpg"))));
  std::filesystem::remove(path("image.webp"));
  std::filesystem::remove(path("thumbnail.webp"));
  EXPECT_EQ(convert_error(file_of(photo(65, 64), ".jpg")).kind, ErrorKind::too_large);
  EXPECT_EQ(convert_error(std::string(20'001, 'x')).message,
            "the file has 20001 bytes, more than the 20000 that are taken");
}

TEST_F(HostileTest, results_that_are_too_large_are_not_written) {
  options_.limits.output_bytes_max = 1'000;
  EXPECT_EQ(convert_error(file_of(photo(640, 480), ".jpg")).kind, ErrorKind::too_large);
}

#if !__has_feature(address_sanitizer)
TEST_F(HostileTest, memory_is_bounded_and_the_next_task_is_served) {
  options_.limits.memory_bytes_max = 400 << 20;
  const auto error = convert_error(png_bomb(9'900, 9'900, 9'900));
  EXPECT_EQ(error.kind, ErrorKind::limit_exceeded) << error.message;
  const auto converted = studio().convert(convert_task(file_of(photo(64, 64), ".jpg")));
  EXPECT_TRUE(converted) << converted.error().message;
}
#endif

TEST_F(HostileTest, wall_time_is_bounded_and_the_next_task_is_served) {
  options_.limits.wall_ms_max = 700;
  const auto error = convert_error(png_bomb(9'900, 9'900, 9'900));
  EXPECT_EQ(error.kind, ErrorKind::limit_exceeded);
  EXPECT_EQ(error.message, "the image could not be processed: it takes more than 700 ms");
  const auto converted = studio().convert(convert_task(file_of(photo(64, 64), ".jpg")));
  EXPECT_TRUE(converted) << converted.error().message;
}

TEST_F(HostileTest, what_is_no_regular_file_is_not_waited_for) {
  const auto pipe = path("pipe");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  for (const auto& input : {pipe, std::string("/dev/zero"), folder_}) {
    const auto analysis = studio().analyse({input});
    ASSERT_FALSE(analysis);
    EXPECT_EQ(analysis.error().kind, ErrorKind::invalid) << input;
  }
}

// Bytes changed here and there, in every format: an answer each time, and never a dead studio.
TEST_F(HostileTest, damaged_files_are_answered) {
  for (const auto* suffix : {".jpg", ".png", ".webp", ".gif", ".avif"}) {
    const auto whole = file_of(photo(120, 90), suffix);
    for (int round = 0; round < 40; ++round) {
      auto bytes = whole;
      for (int change = 0; change < 1 + round % 8; ++change) {
        const auto place =
            (std::size_t{noise(round, change)} * 256 + noise(change, round)) * bytes.size() / 65'536;
        bytes[place] = static_cast<char>(noise(round + 1, change + 7));
      }
      const auto analysis = studio().analyse({write("in", bytes)});
      if (!analysis) {
        EXPECT_FALSE(analysis.error().message.empty());
        EXPECT_NE(analysis.error().kind, ErrorKind::internal)
            << suffix << " " << round << analysis.error().detail;
      }
    }
  }
  EXPECT_TRUE(studio().analyse({write("in", file_of(photo(64, 64), ".jpg"))}));
}

}  // namespace
}  // namespace waybill::media
