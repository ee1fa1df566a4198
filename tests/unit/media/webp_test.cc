#include "media/webp.h"

#include <gtest/gtest.h>

#include <string>

#include "base/bytes.h"

namespace waybill::media {
namespace {

std::string sized(std::string_view content) {
  std::string size(4, '\0');
  store_u32_le(size.data(), static_cast<uint32_t>(content.size()));
  return size + std::string(content);
}

std::string chunk(std::string_view name, std::string_view content) {
  return std::string(name) + sized(content) + std::string(content.size() % 2, '\0');
}

std::string file(const std::string& chunks) {
  return "RIFF" + sized("WEBP" + chunks);
}

std::string stripped(std::string bytes) {
  bytes.resize(remove_webp_metadata(bytes.data(), bytes.size()));
  return bytes;
}

TEST(Webp, loses_what_is_not_pixels) {
  const auto head = [](char flags) { return chunk("VP8X", std::string(1, flags) + "123456789"); };
  const auto pixels = chunk("ALPH", "odd") + chunk("VP8 ", "pixels");
  const auto with =
      head(0x3c) + chunk("ICCP", "profile") + pixels + chunk("EXIF", "place") + chunk("XMP ", "name");
  EXPECT_EQ(stripped(file(with)), file(head(0x10) + pixels));
}

TEST(Webp, without_metadata_stays) {
  const auto plain = file(chunk("VP8L", "pixels"));
  EXPECT_EQ(stripped(plain), plain);
  EXPECT_EQ(stripped(file("")), file(""));
}

TEST(Webp, that_is_none_stays) {
  const auto whole = file(chunk("VP8 ", "pixels") + chunk("EXIF", "place"));
  for (std::size_t cut = 0; cut < whole.size(); ++cut) {
    EXPECT_EQ(stripped(whole.substr(0, cut)), whole.substr(0, cut));
  }
  for (const auto& odd :
       {std::string("EXI"), std::string("EXIF\xff\xff\xff\xff"), std::string("EXIF\x01\0\0\0a", 9)}) {
    EXPECT_EQ(stripped(file(odd)), file(odd));
  }
}

}  // namespace
}  // namespace waybill::media
