#include "base/text_buffer.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <random>
#include <string>

namespace waybill::json {
namespace {

// What a string becomes, one byte at a time.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    static constexpr std::string_view marks = "\"\\\b\f\n\r\t";
    static constexpr std::string_view letters = "\"\\bfnrt";
    if (const auto mark = marks.find(c); mark != std::string_view::npos) {
      out.append("\\").append(1, letters[mark]);
    } else if (byte < 0x20) {
      char code[8];
      std::snprintf(code, sizeof(code), "\\u%04x", byte);
      out.append(code);
    } else {
      out.push_back(c);
    }
  }
  return out;
}

std::string as_json(std::string_view text) {
  return "\"" + escaped(text) + "\"";
}

std::string put(std::string_view text) {
  std::string out;
  TextBuffer(out).put_string(text);
  return out;
}

TEST(TextBufferTest, EscapesEveryByteAtEveryPlaceOfEveryLength) {
  for (std::size_t length = 0; length <= 40; ++length) {
    const std::string plain(length, 'a');
    EXPECT_EQ(put(plain), as_json(plain));
    for (std::size_t at = 0; at < length; ++at) {
      for (int byte = 0; byte < 256; ++byte) {
        std::string text = plain;
        text[at] = static_cast<char>(byte);
        ASSERT_EQ(put(text), as_json(text)) << length << " " << at << " " << byte;
      }
    }
  }
}

TEST(TextBufferTest, KeepsOrderAcrossItsOwnLimits) {
  std::mt19937_64 random(20251005);
  std::string out;
  std::string expected;
  {
    TextBuffer buffer(out);
    for (int i = 0; i < 20'000; ++i) {
      const std::size_t length_max = random() % 50 == 0 ? 10'000 : random() % 5 == 0 ? 600 : 30;
      std::string text(random() % (length_max + 1), ' ');
      for (char& c : text) {
        c = static_cast<char>(random() % 100 == 0 ? random() : 'a' + random() % 26);
      }
      switch (random() % 5) {
        case 0:
          buffer.put(text);
          expected.append(text);
          break;
        case 1:
          buffer.put("literal");
          expected.append("literal");
          break;
        case 2:
          buffer.put(',');
          expected.push_back(',');
          break;
        case 3:
          buffer.put_string(R"({"S":")", text, R"("})");
          expected.append(R"({"S":")").append(escaped(text)).append(R"("})");
          break;
        default:
          buffer.put_string(text);
          expected.append(as_json(text));
      }
    }
  }
  EXPECT_EQ(out, expected);
}

}  // namespace
}  // namespace waybill::json
