#include "base/json.h"

#include <gtest/gtest.h>

namespace waybill::json {
namespace {

std::string quoted(std::string_view text) {
  std::string out;
  append_string(out, text);
  return out;
}

TEST(JsonTest, ReadsEveryKindOfValue) {
  Parser parser;
  const auto root = parser.parse_copy(R"({"a":null,"b":true,"c":12,"d":"x\u00e9","e":[1,2],"f":{"g":1.5}})");
  ASSERT_TRUE(root);
  EXPECT_TRUE(root->find("a")->is_null());
  EXPECT_TRUE(root->find("b")->boolean());
  EXPECT_EQ(root->find("c")->integer(), 12);
  EXPECT_EQ(root->find("d")->string(), "x\xc3\xa9");
  EXPECT_EQ(root->find("e")->size(), 2U);
  EXPECT_EQ(root->find("f")->find("g")->number(), 1.5);
  EXPECT_FALSE(root->find("f")->find("g")->integer());
  EXPECT_FALSE(root->find("h"));
}

TEST(JsonTest, TheLastOfTwoMembersCounts) {
  Parser parser;
  const auto root = parser.parse_copy(R"({"a":1,"a":2})");
  ASSERT_TRUE(root);
  EXPECT_EQ(root->find("a")->integer(), 2);
}

TEST(JsonTest, RefusesWhatIsNotJson) {
  Parser parser;
  const std::string deep(5000, '[');
  for (const std::string& text :
       {std::string(), std::string("{"), std::string("{\"a\":}"), std::string("{\"a\":1}x"),
        std::string("\"\xff\""), std::string("\"\\ud800\""), std::string("[1e999]"), std::string("nul"),
        deep}) {
    const auto root = parser.parse_copy(text);
    EXPECT_FALSE(root) << text.substr(0, 20);
    if (!root) {
      EXPECT_EQ(root.error().kind, ErrorKind::malformed);
    }
  }
}

TEST(JsonTest, AParserServesSmallDocumentsAfterALargeOne) {
  Parser parser;
  EXPECT_TRUE(parser.parse_copy("\"" + std::string(3 << 20, 'x') + "\""));
  const auto small = parser.parse_copy("{\"a\":1}");
  ASSERT_TRUE(small);
  EXPECT_EQ(small->find("a")->integer(), 1);
}

TEST(JsonTest, EscapesStrings) {
  EXPECT_EQ(quoted("plain"), "\"plain\"");
  EXPECT_EQ(quoted("a\"b\\c\n\x01"), "\"a\\\"b\\\\c\\n\\u0001\"");
  EXPECT_EQ(quoted("\xc3\xa9"), "\"\xc3\xa9\"");
  EXPECT_EQ(quoted(std::string_view("\0", 1)), "\"\\u0000\"");
}

// One byte at a time, by the book.
std::string quoted_slowly(std::string_view text) {
  std::string out = "\"";
  for (const char character : text) {
    const auto byte = static_cast<unsigned char>(character);
    const std::string_view named = "\bb\ff\nn\rr\tt\"\"\\\\";
    bool written = false;
    for (std::size_t i = 0; i < named.size(); i += 2) {
      if (named[i] == character) {
        out += '\\';
        out += named[i + 1];
        written = true;
      }
    }
    if (!written && byte < 0x20) {
      constexpr char hex[] = "0123456789abcdef";
      out += std::string("\\u00") + hex[byte >> 4] + hex[byte & 15];
    } else if (!written) {
      out += character;
    }
  }
  return out + '"';
}

TEST(JsonTest, EscapesEveryByteAtEveryPlace) {
  for (int byte = 0; byte < 256; ++byte) {
    for (std::size_t size = 1; size <= 17; ++size) {
      for (std::size_t at = 0; at < size; ++at) {
        std::string text(size, '\x21');
        text[at] = static_cast<char>(byte);
        ASSERT_EQ(quoted(std::string_view(text)), quoted_slowly(text))
            << byte << " at " << at << " of " << size;
      }
    }
  }
}

TEST(JsonTest, EscapesTextsLongerThanItsBuffer) {
  for (const std::size_t size : {2040U, 2047U, 2048U, 2049U, 4096U, 10'001U}) {
    for (const std::size_t every : {3U, 8U, 5000U}) {
      std::string text(size, 'x');
      for (std::size_t i = 0; i < size; i += every) {
        text[i] = static_cast<char>(i % 35);
      }
      ASSERT_EQ(quoted(std::string_view(text)), quoted_slowly(text));
    }
  }
}

TEST(JsonTest, WritesNestedValuesWithCommas) {
  std::string out;
  Writer writer(out);
  writer.begin_object().key("a").integer(1).key("b").begin_array().string("x").boolean(true).end_array();
  writer.key("c").real(1).key("d").real(0.5).end_object();
  EXPECT_EQ(out, R"({"a":1,"b":["x",true],"c":1.0,"d":0.5})");
}

}  // namespace
}  // namespace waybill::json
