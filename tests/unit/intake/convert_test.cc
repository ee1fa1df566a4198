// What becomes of the values of columns (I9).
#include "intake/convert.h"

#include <gtest/gtest.h>

#include "intake/array_text.h"
#include "intake/digest.h"
#include "intake/json_value.h"
#include "intake/row_ulid.h"
#include "intake/timestamp.h"
#include "item/json.h"

namespace waybill::intake {
namespace {

// As DynamoDB's JSON; "absent", or what is wrong.
std::string converted(const Conversion& conversion, std::string_view text) {
  std::string encoded;
  const auto done = append_converted(encoded, conversion, text);
  if (!done) {
    return "error: " + done.error().message;
  }
  if (!*done) {
    return "absent";
  }
  std::string json;
  item::append_json(json, item::ValueView(encoded.data()));
  return json;
}

std::string as(Kind kind, std::string_view text) {
  return converted({kind, Kind::text, Precision::milliseconds}, text);
}

TEST(Convert, scalars) {
  EXPECT_EQ(as(Kind::text, "Zoë 🦆"), R"({"S":"Zoë 🦆"})");
  EXPECT_EQ(as(Kind::text, ""), R"({"S":""})");
  EXPECT_EQ(as(Kind::text, "\xff"),
            "error: it is no UTF-8: the database has no encoding, or another one than it says");
  EXPECT_EQ(as(Kind::integer, "-9223372036854775808"), R"({"N":"-9223372036854775808"})");
  EXPECT_EQ(as(Kind::integer, "1.5"), "error: \"1.5\" is no whole number that an item can have");
  EXPECT_EQ(as(Kind::number, "12345678901234567890123456789012345678"),
            R"({"N":"12345678901234567890123456789012345678"})");
  EXPECT_EQ(as(Kind::number, "1.500"), R"({"N":"1.5"})");
  EXPECT_EQ(as(Kind::number, "NaN"), "error: \"NaN\" is no number that an item can have");
  EXPECT_EQ(as(Kind::number, "1e+300"), "error: \"1e+300\" is no number that an item can have");
  EXPECT_EQ(as(Kind::boolean, "t"), R"({"BOOL":true})");
  EXPECT_EQ(as(Kind::boolean, "maybe"), "error: \"maybe\" is no bool");
  EXPECT_EQ(as(Kind::binary, "\\x00ff10"), R"({"B":"AP8Q"})");
  EXPECT_EQ(as(Kind::uuid, "6b0f8a5e-0000-4000-8000-000000000001"),
            R"({"S":"6b0f8a5e-0000-4000-8000-000000000001"})");
}

TEST(Convert, timestamps) {
  EXPECT_EQ(as(Kind::timestamp, "2025-01-15 10:30:00+00"), R"({"S":"2025-01-15T10:30:00.000Z"})");
  EXPECT_EQ(as(Kind::timestamp, "2025-01-15 10:30:00.123999+00"), R"({"S":"2025-01-15T10:30:00.123Z"})");
  EXPECT_EQ(converted({Kind::timestamp, Kind::text, Precision::microseconds}, "2025-01-15 10:30:00.12345+00"),
            R"({"S":"2025-01-15T10:30:00.123450Z"})");
  EXPECT_EQ(converted({Kind::timestamp, Kind::text, Precision::seconds}, "2025-01-15 10:30:00.9+00"),
            R"({"S":"2025-01-15T10:30:00Z"})");
  EXPECT_EQ(as(Kind::timestamp, "2025-01-15 05:00:00-05:30"), R"({"S":"2025-01-15T10:30:00.000Z"})");
  EXPECT_EQ(as(Kind::timestamp, "2025-01-15 10:30:00"), R"({"S":"2025-01-15T10:30:00.000Z"})");
  EXPECT_EQ(as(Kind::timestamp, "2024-02-29"), R"({"S":"2024-02-29T00:00:00.000Z"})");
  EXPECT_EQ(as(Kind::timestamp, "0044-03-15 12:00:00+00 BC"), R"({"S":"-000043-03-15T12:00:00.000Z"})");
  EXPECT_EQ(as(Kind::timestamp, "12025-01-01 00:00:00+00"), R"({"S":"+012025-01-01T00:00:00.000Z"})");
  EXPECT_EQ(as(Kind::timestamp, "infinity"), "error: \"infinity\" is no moment");
  EXPECT_EQ(as(Kind::timestamp, "294276-12-31 23:59:59+00"),
            "error: \"294276-12-31 23:59:59+00\" is no moment");
  EXPECT_EQ(as(Kind::epoch_ms, "1970-01-01 00:00:01.5+00"), R"({"N":"1500"})");
  EXPECT_EQ(as(Kind::epoch_ms, "1969-12-31 23:59:59.9995+00"), R"({"N":"-1"})");
  EXPECT_EQ(as(Kind::epoch_s, "2025-01-15 10:30:00.9+00"), R"({"N":"1736937000"})");
}

// Each day of eight hundred years, there and back.
TEST(Convert, dates_are_those_of_the_calendar) {
  int64_t day = parse_timestamp("1599-12-31").value() / 86'400'000'000;
  for (const int64_t end = day + 800 * 366; day < end; ++day) {
    const int64_t us = day * 86'400'000'000;
    const std::string text = iso_text(us, Precision::seconds);
    ASSERT_EQ(parse_timestamp(text.substr(0, 10)).value(), us) << text;
  }
}

TEST(Convert, json) {
  EXPECT_EQ(as(Kind::json, R"({"a": [1, "x", null, true], "b": {}})"),
            R"({"M":{"a":{"L":[{"N":"1"},{"S":"x"},{"NULL":true},{"BOOL":true}]},"b":{"M":{}}}})");
  EXPECT_EQ(as(Kind::json, "null"), "absent");
  EXPECT_EQ(as(Kind::json, R"("\u00e9\ud83e\udd86\n\"")"), "{\"S\":\"é🦆\\n\\\"\"}");
  EXPECT_EQ(as(Kind::json, R"({"a":1,"a":2})"), R"({"M":{"a":{"N":"2"}}})");
  EXPECT_EQ(as(Kind::json, "0.1234567890123456789012345678901234567"),
            R"({"N":"0.1234567890123456789012345678901234567"})");
  for (const std::string_view wrong :
       {"", "{", "[1,]", "{\"a\"}", "\"\\ud800\"", "\"\\x\"", "[1] 2", "truth", "\"open", "{1:2}", "-"}) {
    EXPECT_TRUE(as(Kind::json, wrong).starts_with("error: ")) << wrong;
  }
  std::string deep(40, '[');
  EXPECT_TRUE(as(Kind::json, deep + std::string(40, ']')).starts_with("error: "));
}

TEST(Convert, arrays) {
  const Conversion texts{Kind::list, Kind::text, Precision::milliseconds};
  const Conversion numbers{Kind::list, Kind::integer, Precision::milliseconds};
  EXPECT_EQ(converted(texts, R"({a,"b c",NULL,"NULL","q\"\\",""})"),
            R"({"L":[{"S":"a"},{"S":"b c"},{"NULL":true},{"S":"NULL"},{"S":"q\"\\"},{"S":""}]})");
  EXPECT_EQ(converted(texts, "{}"), R"({"L":[]})");
  EXPECT_EQ(converted(numbers, "{{1,2},{3,4}}"),
            R"({"L":[{"L":[{"N":"1"},{"N":"2"}]},{"L":[{"N":"3"},{"N":"4"}]}]})");
  EXPECT_EQ(converted(numbers, "[0:1]={1,2}"), R"({"L":[{"N":"1"},{"N":"2"}]})");
  EXPECT_TRUE(converted(texts, "{a").starts_with("error: "));
  EXPECT_TRUE(converted(texts, "{\"a}").starts_with("error: "));
  const Conversion set{Kind::set, Kind::text, Precision::milliseconds};
  EXPECT_EQ(converted(set, "{b,a,b}"), R"({"SS":["a","b"]})");
  EXPECT_EQ(converted(set, R"(["b","a"])"), R"({"SS":["a","b"]})");
  EXPECT_EQ(converted(set, "{}"), "absent");
  EXPECT_EQ(converted(set, "{a,NULL}"), "error: a set can hold neither NULL nor arrays; type: list can");
  EXPECT_EQ(converted({Kind::set, Kind::integer, Precision::milliseconds}, "{10,9}"), R"({"NS":["9","10"]})");
  const std::vector<std::string> odd = {"a,b", "", "{", "\"\\", "NULL"};
  const auto read = parse_array(array_text(odd)).value();
  ASSERT_EQ(read.nodes.size(), odd.size());
  for (std::size_t at = 0; at < odd.size(); ++at) {
    EXPECT_EQ(read.nodes[at].text, odd[at]);
    EXPECT_FALSE(read.nodes[at].is_null);
  }
}

TEST(Convert, types_of_columns_say_what_becomes_of_them) {
  const auto kind = [](uint32_t oid) { return choose_conversion(Attribute(), oid).kind; };
  EXPECT_EQ(kind(2950), Kind::uuid);
  EXPECT_EQ(kind(3802), Kind::json);
  EXPECT_EQ(kind(23), Kind::integer);
  EXPECT_EQ(kind(1184), Kind::timestamp);
  EXPECT_EQ(kind(1007), Kind::list);
  EXPECT_EQ(choose_conversion(Attribute(), 1007).element, Kind::integer);
  EXPECT_EQ(kind(1082), Kind::text);  // a date
  EXPECT_EQ(kind(99999), Kind::text);
}

TEST(RowUlid, I6_is_the_same_for_the_same_row_and_sorts_by_its_time) {
  const std::string id = "6b0f8a5e-0000-4000-8000-000000000001";
  const int64_t us = parse_timestamp("2025-01-15 10:30:00.123456+00").value();
  EXPECT_EQ(row_ulid(id, us), row_ulid(id, us));
  EXPECT_EQ(row_ulid(id, us).size(), 26U);
  EXPECT_EQ(row_ulid(id, us).substr(0, 10), "01JHMR6K5V");
  EXPECT_NE(row_ulid(id, us), row_ulid("other", us));
  EXPECT_LT(row_ulid(id, us), row_ulid("other", us + 1));
  EXPECT_LT(row_ulid("other", us), row_ulid(id, us + 1));
  EXPECT_EQ(row_ulid(id, -5).substr(0, 10), "0000000000");
}

TEST(Digests, are_the_same_in_any_order_and_can_be_taken_away) {
  std::string one;
  std::string two;
  ASSERT_TRUE(append_json_value(one, R"({"a":1,"b":{"c":2,"d":[3]}})"));
  ASSERT_TRUE(append_json_value(two, R"({"b":{"d":[3],"c":2.0},"a":1})"));
  const auto item = [](const std::string& value) {
    item::Item made;
    item::append_name(made.encoded, "x");
    made.encoded += value;
    return made;
  };
  const std::vector<std::string> names = {"x", "y"};
  const Digest first = digest_of(item(one).view(), names);
  EXPECT_EQ(first, digest_of(item(two).view(), names));
  Digest sum = first;
  sum.add({~uint64_t{0}, ~uint64_t{0}});
  sum.add({0, 1});
  EXPECT_EQ(sum, first);
  sum.add(digest_of("z"));
  sum.subtract(digest_of("z"));
  EXPECT_EQ(sum, first);
  EXPECT_EQ(digest_of_hex(first.hex()), first);
  EXPECT_FALSE(digest_of_hex("12"));
}

}  // namespace
}  // namespace waybill::intake
