#include "http/message.h"

#include <gtest/gtest.h>

#include <string>

namespace waybill::http {
namespace {

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
}

TEST(MessageTest, LettersEqualThoseOfTheOtherCaseAndNothingElseDoes) {
  for (std::size_t length = 1; length <= 20; ++length) {
    const std::string plain = std::string("x-amz-target-and-more").substr(0, length);
    for (std::size_t at = 0; at < length; ++at) {
      for (int byte = 0; byte < 256; ++byte) {
        std::string text = plain;
        text[at] = static_cast<char>(byte);
        ASSERT_EQ(equals_ignoring_case(text, plain), lower(text[at]) == plain[at]) << length << " " << at;
      }
    }
    EXPECT_FALSE(equals_ignoring_case(plain, plain + "x"));
  }
  EXPECT_TRUE(equals_ignoring_case("", ""));
  EXPECT_TRUE(equals_ignoring_case("CONTENT-LENGTH", "content-length"));
}

TEST(MessageTest, FindsHeadersByName) {
  Request request;
  request.headers = {{"Host", "a"}, {"X-Amz-Date", "b"}, {"x-amz-date", "c"}};
  EXPECT_EQ(request.header("x-amz-date"), "b");
  EXPECT_EQ(request.header("x-amz-dat"), "");
  EXPECT_TRUE(request.has_header("host"));
  EXPECT_FALSE(request.has_header("hosts"));
  EXPECT_TRUE(request.duplicate_header("x-amz-date"));
  EXPECT_FALSE(request.duplicate_header("host"));
}

}  // namespace
}  // namespace waybill::http
