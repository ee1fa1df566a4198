#include "media/format.h"

#include <gtest/gtest.h>

#include <string>

namespace waybill::media {
namespace {

using std::literals::operator""sv;

TEST(Format, is_told_by_the_first_bytes) {
  EXPECT_EQ(format_of("\xff\xd8\xff\xe0\0\x10JFIF"sv), Format::jpeg);
  EXPECT_EQ(format_of("\x89PNG\r\n\x1a\n\0\0\0\rIHDR"sv), Format::png);
  EXPECT_EQ(format_of("RIFF\x10\0\0\0WEBPVP8 "sv), Format::webp);
  EXPECT_EQ(format_of("GIF87a\x01\0"sv), Format::gif);
  EXPECT_EQ(format_of("GIF89a\x01\0"sv), Format::gif);
}

TEST(Format, of_avif_is_a_brand_among_others) {
  EXPECT_EQ(format_of("\0\0\0\x14"
                      "ftypavif\0\0\0\0mif1rest"sv),
            Format::avif);
  EXPECT_EQ(format_of("\0\0\0\x18"
                      "ftypmif1\0\0\0\0miafavis"sv),
            Format::avif);
  EXPECT_EQ(format_of("\0\0\0\x18"
                      "ftypheic\0\0\0\0mif1heic"sv),
            std::nullopt);
  EXPECT_EQ(format_of("\0\0\0\x14"
                      "ftypmif1avifmif1"sv),
            std::nullopt)
      << "the version is no brand";
}

TEST(Format, of_a_box_that_lies_about_its_size_is_none) {
  EXPECT_EQ(format_of("\0\0\0\x14"
                      "ftypmif1\0\0\0\0avi"sv),
            std::nullopt);
  EXPECT_EQ(format_of("\xff\xff\xff\xff"
                      "ftypavif\0\0\0\0avif"sv),
            std::nullopt);
  EXPECT_EQ(format_of("\0\0\0\x04"
                      "ftypavif\0\0\0\0avif"sv),
            std::nullopt);
}

TEST(Format, of_everything_else_is_none) {
  for (const auto bytes :
       {""sv, "\xff"sv, "\xff\xd8"sv, "GIF88a"sv, "RIFF\0\0\0\0WAVE"sv, "RIFF\0\0\0\0WEB"sv,
        "<svg xmlns='http://www.w3.org/2000/svg'/>"sv, "%PDF-1.7"sv, "II*\0"sv, "BM"sv, "<?xml"sv,
        "\xff\x0a"sv, "\0\0\0\x0cJXL \r\n\x87\n"sv, "\0\0\0\x0cjP  \r\n\x87\n"sv, "P6 1 1 255"sv,
        "push graphic-context"sv, " GIF89a"sv}) {
    EXPECT_EQ(format_of(bytes), std::nullopt) << bytes;
  }
}

TEST(Format, has_a_name_and_a_type) {
  for (const auto format : {Format::jpeg, Format::png, Format::webp, Format::gif, Format::avif}) {
    EXPECT_EQ(format_named(name_of(format)), format);
    EXPECT_EQ(mime_type_of(format), "image/" + std::string(name_of(format)));
  }
  EXPECT_EQ(format_named("svg"), std::nullopt);
  EXPECT_TRUE(can_be_written(Format::webp));
  EXPECT_FALSE(can_be_written(Format::gif));
}

}  // namespace
}  // namespace waybill::media
