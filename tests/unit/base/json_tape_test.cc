// json.h reads the parser's own tape; here every value of many documents is asked both ways.
#include "base/json_tape.h"

#include <gtest/gtest.h>
#include <simdjson.h>

#include <random>
#include <string>

#include "base/json.h"

namespace waybill::json {
namespace {

namespace dom = simdjson::dom;

Type type_of(dom::element element) {
  switch (element.type()) {
    case dom::element_type::NULL_VALUE:
      return Type::null;
    case dom::element_type::BOOL:
      return Type::boolean;
    case dom::element_type::STRING:
      return Type::string;
    case dom::element_type::ARRAY:
      return Type::array;
    case dom::element_type::OBJECT:
      return Type::object;
    default:
      return Type::number;
  }
}

void expect_same(const Value& ours, dom::element theirs);

void expect_same_number(const Value& ours, dom::element theirs) {
  EXPECT_EQ(ours.number(), theirs.get_double().value_unsafe());
  int64_t integer = 0;
  if (!theirs.get_int64().get(integer)) {
    EXPECT_EQ(ours.integer(), integer);
  }
}

void expect_same_array(const Value& ours, dom::array theirs) {
  EXPECT_EQ(ours.size(), theirs.size());
  Elements elements(ours);
  for (const auto element : theirs) {
    ASSERT_TRUE(elements.next());
    expect_same(elements.value(), element);
  }
  EXPECT_FALSE(elements.next());
}

void expect_same_object(const Value& ours, dom::object theirs) {
  EXPECT_EQ(ours.size(), theirs.size());
  Members members(ours);
  for (const auto member : theirs) {
    ASSERT_TRUE(members.next());
    EXPECT_EQ(members.key(), member.key);
    expect_same(members.value(), member.value);
    EXPECT_TRUE(ours.find(member.key));
  }
  EXPECT_FALSE(members.next());
  EXPECT_FALSE(ours.find("no such member"));
}

void expect_same(const Value& ours, dom::element theirs) {
  ASSERT_EQ(ours.type(), type_of(theirs));
  EXPECT_EQ(ours.is_null(), theirs.is_null());
  EXPECT_EQ(ours.is_string(), theirs.is_string());
  EXPECT_EQ(ours.is_array(), theirs.is_array());
  EXPECT_EQ(ours.is_object(), theirs.is_object());
  switch (ours.type()) {
    case Type::null:
      return;
    case Type::boolean:
      EXPECT_EQ(ours.boolean(), theirs.get_bool().value_unsafe());
      return;
    case Type::number:
      expect_same_number(ours, theirs);
      return;
    case Type::string:
      EXPECT_EQ(ours.string(), theirs.get_string().value_unsafe());
      return;
    case Type::array:
      expect_same_array(ours, theirs.get_array().value_unsafe());
      return;
    case Type::object:
      expect_same_object(ours, theirs.get_object().value_unsafe());
      return;
  }
}

class Documents {
 public:
  explicit Documents(uint64_t seed) : random_(seed) {}

  std::string next() {
    text_.clear();
    value(0);
    return text_;
  }

 private:
  uint64_t below(uint64_t bound) { return random_() % bound; }

  void string() {
    static constexpr std::string_view pieces[] = {
        "a", "name", "\\\"",           "\\u00e9",
        "é", "\\n",  "\\ud83d\\ude00", "a longer piece of text that fills a few words"};
    text_.push_back('"');
    for (auto count = below(5); count > 0; --count) {
      text_.append(pieces[below(std::size(pieces))]);
    }
    text_.push_back('"');
  }

  // The bits of some of these look like words of the tape.
  void number() {
    static constexpr std::string_view numbers[] = {"0",
                                                   "-1",
                                                   "1.5",
                                                   "-0.0",
                                                   "1e300",
                                                   "9223372036854775807",
                                                   "-9223372036854775808",
                                                   "9223372036854775808",
                                                   "18446744073709551615",
                                                   "6557241057451442176",
                                                   "8863084066665136128",
                                                   "2449958197289549824",
                                                   "1.2e17",
                                                   "12345678901234567890"};
    text_.append(numbers[below(std::size(numbers))]);
  }

  void container(int depth, bool object) {
    text_.push_back(object ? '{' : '[');
    const auto count = below(6);
    for (uint64_t i = 0; i < count; ++i) {
      if (i > 0) {
        text_.push_back(',');
      }
      if (object) {
        string();
        text_.push_back(':');
      }
      value(depth + 1);
    }
    text_.push_back(object ? '}' : ']');
  }

  void value(int depth) {
    switch (below(depth > 5 ? 5 : depth == 0 ? 20 : 9)) {
      case 0:
        text_.append("null");
        return;
      case 1:
        text_.append("true");
        return;
      case 2:
        text_.append("false");
        return;
      case 3:
        string();
        return;
      case 4:
        number();
        return;
      case 5:
      case 6:
        container(depth, false);
        return;
      default:
        container(depth, true);
    }
  }

  std::mt19937_64 random_;
  std::string text_;
};

TEST(JsonTapeTest, SaysWhatTheParsersOwnObjectsSay) {
  Parser ours;
  dom::parser theirs;
  Documents documents(20251005);
  for (int i = 0; i < 20'000 && !HasFailure(); ++i) {
    const std::string text = documents.next();
    const auto root = ours.parse_copy(text);
    ASSERT_TRUE(root) << text;
    expect_same(*root, theirs.parse(text).value_unsafe());
    ASSERT_FALSE(HasFailure()) << text;
  }
}

TEST(JsonTapeTest, CountsManyElements) {
  Parser ours;
  dom::parser theirs;
  std::string text = "[0";
  for (int i = 1; i < 100'000; ++i) {
    text.append(",").append(std::to_string(i));
  }
  text.push_back(']');
  expect_same(*ours.parse_copy(text), theirs.parse(text).value_unsafe());
}

}  // namespace
}  // namespace waybill::json
