#include "expression/lexer.h"

#include <gtest/gtest.h>

#include <vector>

#include "expression/reserved.h"

namespace waybill::expression {
namespace {

std::vector<std::string> tokens_of(std::string_view text) {
  std::vector<std::string> tokens;
  for (Lexer lexer(text); lexer.current().kind != TokenKind::end; lexer.advance()) {
    tokens.emplace_back(lexer.current().text);
  }
  return tokens;
}

std::string error_at(std::string_view text, int token) {
  Lexer lexer(text);
  for (int i = 0; i < token; ++i) {
    lexer.advance();
  }
  return lexer.syntax_error();
}

TEST(Lexer, CutsExpressions) {
  EXPECT_EQ(tokens_of(" a.b[10]<>:v_1\tAND\n#0>=size(c)"),
            (std::vector<std::string>{"a", ".", "b", "[", "10", "]", "<>", ":v_1", "AND", "#0", ">=", "size",
                                      "(", "c", ")"}));
  EXPECT_EQ(tokens_of(""), std::vector<std::string>());
  EXPECT_EQ(tokens_of("_a # : ü!"), (std::vector<std::string>{"_", "a", "#", ":", "ü", "!"}));
}

TEST(Lexer, KeywordsIgnoreCase) {
  EXPECT_TRUE(Lexer("between").current().is_keyword("BETWEEN"));
  EXPECT_TRUE(Lexer("BeTween").current().is_keyword("BETWEEN"));
  EXPECT_FALSE(Lexer("betweens").current().is_keyword("BETWEEN"));
  EXPECT_FALSE(Lexer("#and").current().is_keyword("AND"));
}

TEST(Lexer, ShowsTheTokensAroundAnError) {
  EXPECT_EQ(error_at("INVALID SYNTAX HERE", 0), R"(Syntax error; token: "INVALID", near: "INVALID SYNTAX")");
  EXPECT_EQ(error_at("a-b", 1), R"(Syntax error; token: "-", near: "a-b")");
  EXPECT_EQ(error_at("a = = :v", 2), R"(Syntax error; token: "=", near: "= = :v")");
  EXPECT_EQ(error_at("a =", 2), R"(Syntax error; token: "<EOF>", near: "=")");
  EXPECT_EQ(error_at("NOT #flag  ", 2), R"(Syntax error; token: "<EOF>", near: "#flag")");
  EXPECT_EQ(error_at("  ", 0), R"(Syntax error; token: "<EOF>", near: "")");
}

TEST(Reserved, KnowsTheWordsInEitherCase) {
  for (const auto* word : {"ABORT", "status", "Size", "ZONE", "LOCALTIMESTAMP", "ttl", "name"}) {
    EXPECT_TRUE(is_reserved(word)) << word;
  }
  for (const auto* word : {"pk", "", "statuses", "localtimestamps_of_old", "a"}) {
    EXPECT_FALSE(is_reserved(word)) << word;
  }
}

}  // namespace
}  // namespace waybill::expression
