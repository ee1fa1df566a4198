#include "api/dynamodb/next_token.h"

#include <gtest/gtest.h>

#include "base/bytes.h"

namespace waybill::api::dynamodb {
namespace {

NextToken sample() {
  NextToken token{300, {}};
  std::string value;
  item::append_scalar(value, item::Type::string, "k");
  item::append_attribute(token.key.encoded, "pk", item::ValueView(value.data()));
  return token;
}

TEST(NextToken, ComesBack) {
  const auto binding = statement_binding("SELECT 1", "x");
  const auto back = parse_token(print_token(sample(), binding), binding);
  ASSERT_TRUE(back.has_value());
  EXPECT_EQ(back->range, 300U);
  EXPECT_TRUE(item::equal(back->key.view(), sample().key.view()));
}

TEST(NextToken, BelongsToItsStatement) {
  const auto token = print_token(sample(), statement_binding("SELECT 1", "x"));
  for (const auto& other : {statement_binding("SELECT 2", "x"), statement_binding("SELECT 1", "y")}) {
    const auto back = parse_token(token, other);
    ASSERT_FALSE(back.has_value());
    EXPECT_EQ(back.error().message, "NextToken does not match request");
  }
}

TEST(NextToken, RefusesWhatIsNone) {
  const auto binding = statement_binding("SELECT 1", "");
  for (const std::string& bytes :
       {std::string(), binding, binding + "\x01", binding + "\x01{", binding + "\x01[]",
        binding + "\xff\xff\xff\xff", binding + "\x01{\"pk\":5}"}) {
    std::string text;
    append_base64(text, bytes);
    const auto back = parse_token(text, binding);
    ASSERT_FALSE(back.has_value());
    EXPECT_EQ(back.error().message, "Invalid NextToken");
  }
  EXPECT_FALSE(parse_token("not base64!", binding).has_value());
}

}  // namespace
}  // namespace waybill::api::dynamodb
