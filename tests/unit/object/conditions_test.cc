#include "object/conditions.h"

#include <gtest/gtest.h>

#include "object/etag.h"
#include "object/http_date.h"

namespace waybill::object {
namespace {

constexpr int64_t modified_s = 1'000'000;
const ObjectState object{"abc", modified_s * 1000 + 999};

TEST(Etag, Lists) {
  for (const auto list : {"\"abc\"", "abc", "*", " * ", "\"x\", \"abc\"", "x,abc", "\"x\",W/\"y\" , \"abc\"",
                          " \"abc\" ", ",,\"abc\"", "\"a,b\",\"abc\""}) {
    EXPECT_TRUE(names_etag(list, "abc", TagComparison::strong)) << list;
  }
  for (const auto list : {"", "\"ab\"", "\"abcd\"", "\"abc", "abc\"", "\"x\"abc", "W/\"abc\"", ",", "\"\"",
                          "* , x", "\"x\" \"abc\"", "\"a,abc,b\""}) {
    EXPECT_FALSE(names_etag(list, "abc", TagComparison::strong)) << list;
  }
  EXPECT_TRUE(names_etag("W/\"abc\"", "abc", TagComparison::weak));
  EXPECT_EQ(quoted_etag("abc"), "\"abc\"");
}

TEST(HttpDate, ThreeForms) {
  constexpr int64_t seconds = 784'111'777;
  EXPECT_EQ(http_date(seconds), "Sun, 06 Nov 1994 08:49:37 GMT");
  EXPECT_EQ(parse_http_date("Sun, 06 Nov 1994 08:49:37 GMT"), seconds);
  EXPECT_EQ(parse_http_date("Sunday, 06-Nov-94 08:49:37 GMT"), seconds);
  EXPECT_EQ(parse_http_date("Sun Nov  6 08:49:37 1994"), seconds);
  EXPECT_EQ(parse_http_date("Thu, 01 Jan 1970 00:00:00 GMT"), 0);
  for (const auto text :
       {"", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 CET", "Sun, 31 Feb 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 6 Nov 1994 08:49:37 GMT", "1994-11-06T08:49:37Z",
        "Sun, 06 Nov 1994 08:49:37 GMT ", "Sun Nov 6 08:49:37 1994", "Son, 06 Nov 1994 08:49:37 GMT"}) {
    EXPECT_FALSE(parse_http_date(text)) << text;
  }
  for (int64_t at = 0; at < 4'000'000'000; at += 86'399'123) {
    EXPECT_EQ(parse_http_date(http_date(at)), at);
  }
}

// The four headers, each absent, true or false, in all combinations, with the precedence of S3's reference.
TEST(Conditions, ReadsInAllCombinations) {
  for (int combination = 0; combination < 81; ++combination) {
    const int match = combination % 3;
    const int none_match = combination / 3 % 3;
    const int modified = combination / 9 % 3;
    const int unmodified = combination / 27;
    Conditions conditions;
    if (match != 0) {
      conditions.if_match = match == 1 ? "\"abc\"" : "\"other\"";
    }
    if (none_match != 0) {
      conditions.if_none_match = none_match == 1 ? "\"other\"" : "\"abc\"";
    }
    if (modified != 0) {
      conditions.if_modified_since_seconds = modified == 1 ? modified_s - 1 : modified_s;
    }
    if (unmodified != 0) {
      conditions.if_unmodified_since_seconds = unmodified == 1 ? modified_s : modified_s - 1;
    }
    ReadVerdict expected = ReadVerdict::proceed;
    if (match == 2 || (match == 0 && unmodified == 2)) {
      expected = ReadVerdict::precondition_failed;
    } else if (none_match == 2 || (none_match == 0 && modified == 2)) {
      expected = ReadVerdict::not_modified;
    }
    EXPECT_EQ(decide_read(conditions, object), expected) << combination;
    EXPECT_EQ(decide_copy_source(conditions, object),
              expected == ReadVerdict::not_modified ? ReadVerdict::precondition_failed : expected);
  }
}

TEST(Conditions, Writes) {
  const auto with = [](std::optional<std::string> match, std::optional<std::string> none_match) {
    return Conditions{std::move(match), std::move(none_match), {}, {}};
  };
  EXPECT_EQ(decide_write({}, nullptr), WriteVerdict::proceed);
  EXPECT_EQ(decide_write({}, &object), WriteVerdict::proceed);
  EXPECT_EQ(decide_write(with({}, "*"), nullptr), WriteVerdict::proceed);
  EXPECT_EQ(decide_write(with({}, "*"), &object), WriteVerdict::precondition_failed);
  EXPECT_EQ(decide_write(with("\"abc\"", {}), &object), WriteVerdict::proceed);
  EXPECT_EQ(decide_write(with("\"x\"", {}), &object), WriteVerdict::precondition_failed);
  EXPECT_EQ(decide_write(with("\"abc\"", {}), nullptr), WriteVerdict::not_there);
  EXPECT_EQ(decide_write(with("*", {}), nullptr), WriteVerdict::not_there);
  EXPECT_EQ(decide_write(with({}, "\"x\""), &object), WriteVerdict::proceed);
}

}  // namespace
}  // namespace waybill::object
