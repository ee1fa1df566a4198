#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/json.h"
#include "expression/condition.h"
#include "expression/placeholders.h"
#include "expression/update.h"
#include "item/json.h"

// What the tests of expressions share.
namespace waybill::expression::testing {

// A parsed JSON document that lives as long as this does.
class Document {
 public:
  explicit Document(std::string_view text) : value_(parse(parser_, text)) {}

  const json::Value& value() const { return value_; }

 private:
  static json::Value parse(json::Parser& parser, std::string_view text) {
    auto value = parser.parse_copy(text);
    EXPECT_TRUE(value.has_value()) << text;
    return *value;
  }

  json::Parser parser_;
  json::Value value_;
};

inline item::Item make_item(std::string_view json_text) {
  const Document document(json_text);
  auto item = item::parse_item(document.value());
  EXPECT_TRUE(item.has_value()) << json_text;
  return item ? *item : item::Item{};
}

inline std::string to_json(item::ItemView item) {
  std::string text;
  item::append_json(text, item);
  return text;
}

// The placeholders of one request, from JSON; "" for none.
class Request {
 public:
  explicit Request(std::string_view values = "", std::string_view names = "") {
    PlaceholderSource source;
    if (!names.empty()) {
      names_ = std::make_unique<Document>(names);
      source.names = names_->value();
    }
    if (!values.empty()) {
      values_ = std::make_unique<Document>(values);
      source.values = values_->value();
    }
    auto parsed = Placeholders::parse(source);
    EXPECT_TRUE(parsed.has_value()) << (parsed ? "" : parsed.error().message);
    placeholders = *std::move(parsed);
  }

  Placeholders placeholders;

 private:
  std::unique_ptr<Document> names_;
  std::unique_ptr<Document> values_;
};

// The message of a failure; "" where there is none.
template <typename T>
std::string message_of(const Result<T>& result) {
  if (result) {
    return "";
  }
  EXPECT_EQ(result.error().kind, ErrorKind::invalid);
  return result.error().message;
}

}  // namespace waybill::expression::testing
