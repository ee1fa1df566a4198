#include <gtest/gtest.h>

#include "item/json.h"
#include "item/value.h"

namespace waybill::item {
namespace {

Result<Item> parse(std::string_view text) {
  json::Parser parser;
  const auto root = parser.parse_copy(text);
  if (!root) {
    return root.error();
  }
  return parse_item(*root);
}

std::string json_of(const Item& item) {
  std::string out;
  append_json(out, item.view());
  return out;
}

std::string message_of(std::string_view text) {
  const auto item = parse(text);
  return item ? "accepted" : item.error().message;
}

TEST(ItemTest, EveryTypeRoundTrips) {
  const std::string text =
      R"({"s":{"S":"x"},"e":{"S":""},"n":{"N":"-1.5"},"b":{"B":"YWJj"},"t":{"BOOL":true},"f":{"BOOL":false},)"
      R"("z":{"NULL":true},"ss":{"SS":["a","b"]},"ns":{"NS":["1","2"]},"bs":{"BS":["YQ==","Yg=="]},)"
      R"("l":{"L":[{"S":"x"},{"L":[]},{"M":{}}]},"m":{"M":{"k":{"N":"1"},"":{"S":"empty name"}}}})";
  const auto item = parse(text);
  ASSERT_TRUE(item) << item.error().message;
  EXPECT_EQ(json_of(*item), text);
}

TEST(ItemTest, FindsAttributes) {
  const auto item = parse(R"({"a":{"S":"x"},"b":{"M":{"c":{"L":[{"N":"1"},{"N":"2"}]}}}})");
  ASSERT_TRUE(item);
  EXPECT_EQ(item->view().find("a")->bytes(), "x");
  const auto list = item->view().find("b")->members().find("c");
  ASSERT_TRUE(list);
  auto cursor = list->elements();
  EXPECT_TRUE(cursor.next() && cursor.next());
  EXPECT_EQ(cursor.value().bytes(), "2");
  EXPECT_FALSE(cursor.next());
  EXPECT_FALSE(item->view().find("missing"));
}

TEST(ItemTest, TellsWrongJsonTypesBeforeWrongValues) {
  EXPECT_EQ(message_of(R"({"a":{"N":"no number"},"b":{"M":{"c":{"L":[{"S":1}]}}}})"),
            "NUMBER_VALUE cannot be converted to String");
  EXPECT_EQ(message_of(R"({"a":{},"b":{"SS":[1.5]}})"), "DECIMAL_VALUE cannot be converted to String");
  EXPECT_EQ(message_of(R"({"a":{"S":"x","N":{}}})"), "Start of structure or map found where not expected");
  EXPECT_EQ(message_of(R"({"a":{"SS":[]},"b":{"BOOL":"true"}})"), "Unexpected token received from parser");
}

TEST(ItemTest, TellsWhyBinariesAreNoBase64) {
  EXPECT_EQ(message_of(R"({"a":{"B":"AAA"}})"),
            "Base64 encoded length is expected a multiple of 4 bytes but found: 3");
  EXPECT_EQ(message_of(R"({"a":{"BS":["A@=="]}})"), "Invalid Base64 character: '@'");
  EXPECT_EQ(message_of(R"({"a":{"B":"AB=="}})"), "Invalid last non-pad Base64 character dectected");
}

TEST(ItemTest, RefusesWrongValuesWithTheServicesTexts) {
  EXPECT_EQ(message_of(R"({"a":{}})"),
            "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes");
  EXPECT_EQ(
      message_of(R"({"a":{"S":"x","N":"1"}})"),
      "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported "
      "datatypes");
  EXPECT_EQ(message_of(R"({"a":{"SS":["x","x"]}})"),
            "1 validation error detected: One or more parameter values were invalid: Input collection [x, x] "
            "contains "
            "duplicates.");
  EXPECT_EQ(message_of(R"({"a":{"NS":["1","1.0"]}})"),
            "1 validation error detected: Input collection contains duplicates");
  EXPECT_EQ(message_of(R"({"a":{"S":1}})"), "NUMBER_VALUE cannot be converted to String");
}

TEST(ItemTest, TheLastOfTwoAttributesWithOneNameCounts) {
  const auto item = parse(R"({"a":{"S":"x"},"b":{"S":"y"},"a":{"S":"z"}})");
  ASSERT_TRUE(item);
  EXPECT_EQ(json_of(*item), R"({"b":{"S":"y"},"a":{"S":"z"}})");
}

std::string nested(int levels) {
  std::string text = R"({"S":"x"})";
  for (int i = 0; i < levels; ++i) {
    text = R"({"L":[)" + text + "]}";
  }
  return R"({"a":)" + text + "}";
}

TEST(ItemTest, NestsTo32Levels) {
  EXPECT_EQ(message_of(nested(nesting_levels_max - 1)), "accepted");
  EXPECT_EQ(message_of(nested(nesting_levels_max)), nested_too_deep().message);
  EXPECT_EQ(message_of(nested(300)), nested_too_deep().message);
}

TEST(ItemTest, ComparesByMeaning) {
  const auto a = parse(R"({"x":{"SS":["a","b"]},"n":{"N":"10"},"m":{"M":{"p":{"S":"1"},"q":{"S":"2"}}}})");
  const auto b = parse(R"({"n":{"N":"1e1"},"m":{"M":{"q":{"S":"2"},"p":{"S":"1"}}},"x":{"SS":["b","a"]}})");
  ASSERT_TRUE(a && b);
  EXPECT_TRUE(equal(a->view(), b->view()));
  const auto c = parse(R"({"x":{"SS":["a"]},"n":{"N":"10"},"m":{"M":{}}})");
  EXPECT_FALSE(equal(a->view(), c->view()));
  EXPECT_EQ(compare(*a->view().find("n"), *b->view().find("n")), 0);
  EXPECT_EQ(compare(*a->view().find("n"), *a->view().find("x")), std::nullopt);
}

TEST(ItemTest, CountsBytesAsTheServiceDoes) {
  const auto size = [](std::string_view text) { return size_bytes(parse(text)->view()); };
  EXPECT_EQ(size(R"({"ab":{"S":"xyz"}})"), 5U);
  EXPECT_EQ(size(R"({"a":{"N":"123"}})"), 4U);
  EXPECT_EQ(size(R"({"a":{"BOOL":true}})"), 2U);
  EXPECT_EQ(size(R"({"a":{"L":[]}})"), 4U);
  EXPECT_EQ(size(R"({"a":{"L":[{"S":"x"}]}})"), 6U);
  EXPECT_EQ(size(R"({"a":{"M":{"k":{"S":"x"}}}})"), 7U);
  EXPECT_EQ(size(R"({"a":{"SS":["xy","z"]}})"), 4U);
}

}  // namespace
}  // namespace waybill::item
