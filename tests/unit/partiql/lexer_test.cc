#include "partiql/lexer.h"

#include "partiql/testing.h"

namespace waybill::partiql::testing {
namespace {

std::string joined(std::string_view text) {
  const auto tokens = tokenize(text);
  if (!tokens) {
    return "error: " + tokens.error().message;
  }
  std::string all;
  for (const auto& token : *tokens) {
    all.append(all.empty() ? "" : "|").append(token.text);
  }
  return all;
}

constexpr std::string_view no_detail = "error: Statement wasn't well formed, can't be processed: ";

TEST(Lexer, CutsAStatement) {
  EXPECT_EQ(joined("SELECT a.b[0],\"x y\" FROM T"), "SELECT|a|.|b|[|0|]|,|x y|FROM|T|");
  EXPECT_EQ(joined("a<>b a!=b a<=b a>=b <<1>>"), "a|<>|b|a|!=|b|a|<=|b|a|>=|b|<<|1|>>|");
  EXPECT_EQ(joined("x = ? AND y='it''s'"), "x|=|?|AND|y|=|it's|");
  EXPECT_EQ(joined("\"a\"\"b\""), "a\"b|");
}

TEST(Lexer, ReadsNumbers) {
  for (const auto* number : {"1", "1.5", ".5", "1e6", "1E+6", "1.e-3", "12."}) {
    const auto tokens = tokenize(number);
    ASSERT_TRUE(tokens.has_value()) << number;
    EXPECT_EQ(tokens->at(0).kind, TokenKind::number) << number;
    EXPECT_EQ(tokens->at(0).text, number);
    EXPECT_EQ(tokens->size(), 2U) << number;
  }
  EXPECT_EQ(joined("1 e5"), "1|e5|");
  EXPECT_EQ(joined("1e"), "1|e|");
}

TEST(Lexer, LeavesCommentsOut) {
  EXPECT_EQ(joined("a -- b\nc /* d \n e */ f"), "a|c|f|");
  EXPECT_EQ(joined("-- all"), "");
}

TEST(Lexer, RefusesWhatNoStatementHas) {
  for (const auto* text : {"a # b", "'open", "\"open", "a /* open", "a @ b", "a ! b", "`x`", "1e2147483648",
                           "1e99999999999", "1.5e-2147483647"}) {
    EXPECT_EQ(joined(text), no_detail) << text;
  }
}

TEST(Lexer, KnowsWhereTokensStand) {
  const auto tokens = tokenize("a 'ü'\n  begins_with");
  ASSERT_TRUE(tokens.has_value());
  EXPECT_EQ(tokens->at(1).position.printed(), "at 1:3:3");
  EXPECT_EQ(tokens->at(2).position.printed(), "at 2:3:11");
}

TEST(Lexer, KnowsKeywords) {
  const auto tokens = tokenize("select Inner data \"select\" year");
  ASSERT_TRUE(tokens.has_value());
  EXPECT_TRUE(tokens->at(0).is_keyword("SELECT"));
  EXPECT_TRUE(tokens->at(0).is_reserved());
  EXPECT_TRUE(tokens->at(1).is_reserved());
  EXPECT_FALSE(tokens->at(2).is_reserved());
  EXPECT_FALSE(tokens->at(3).is_reserved());
  EXPECT_FALSE(tokens->at(3).is_keyword("SELECT"));
  EXPECT_FALSE(tokens->at(4).is_reserved());
}

}  // namespace
}  // namespace waybill::partiql::testing
