#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "item/json.h"
#include "partiql/statement.h"

// What the tests of statements share.
namespace waybill::partiql::testing {

// The elements of a JSON array of attribute values, as parameters.
class Parameters {
 public:
  explicit Parameters(std::string_view json_text = "[]") {
    json::Parser parser;
    const auto array = parser.parse_copy(json_text);
    EXPECT_TRUE(array.has_value()) << json_text;
    for (json::Elements elements(*array); elements.next();) {
      std::string& encoded = encoded_.emplace_back();
      EXPECT_TRUE(item::append_value(encoded, elements.value()).has_value()) << json_text;
    }
    for (const auto& encoded : encoded_) {
      values_.emplace_back(encoded.data());
    }
  }

  const std::vector<item::ValueView>& values() const { return values_; }

 private:
  std::vector<std::string> encoded_;
  std::vector<item::ValueView> values_;
};

inline Result<Statement> parse(std::string_view text, std::string_view parameters = "[]") {
  const Parameters given(parameters);
  return parse_statement(text, given.values());
}

inline Statement parsed(std::string_view text, std::string_view parameters = "[]") {
  auto statement = parse(text, parameters);
  EXPECT_TRUE(statement.has_value()) << text << ": " << (statement ? "" : statement.error().message);
  return statement ? *std::move(statement) : Statement{};
}

template <typename T>
std::string message_of(const Result<T>& result) {
  return result ? "(no error)" : result.error().message;
}

inline std::string to_json(item::ItemView item) {
  std::string text;
  item::append_json(text, item);
  return text;
}

inline std::string to_json(item::ValueView value) {
  std::string text;
  item::append_json(text, value);
  return text;
}

inline item::Item make_item(std::string_view json_text) {
  json::Parser parser;
  const auto object = parser.parse_copy(json_text);
  EXPECT_TRUE(object.has_value()) << json_text;
  auto item = item::parse_item(*object);
  EXPECT_TRUE(item.has_value()) << json_text;
  return item ? *std::move(item) : item::Item{};
}

}  // namespace waybill::partiql::testing
