#include "depot/answers.h"

#include <gtest/gtest.h>

#include "depot/location.h"

namespace waybill::depot {
namespace {

TEST(Answers, Texts) {
  const std::string xml =
      "<?xml version=\"1.0\"?><L xmlns=\"x\"><C><Key>a&amp;b</Key></C><C><Key>&quot;c&quot;</Key></C></L>";
  EXPECT_EQ(texts_of(xml, "Key"), (std::vector<std::string>{"a&b", "\"c\""}));
  EXPECT_EQ(text_of(xml, "Key"), "a&b");
  EXPECT_EQ(text_of(xml, "Other"), "");
  EXPECT_EQ(elements_of(xml, "C").size(), 2U);
  EXPECT_TRUE(texts_of("<Key>cut off", "Key").empty());
}

TEST(Answers, ContentRanges) {
  EXPECT_EQ(read_content_range("bytes 0-9/100"), (ContentRange{0, 9, 100}));
  for (const char* wrong : {"", "bytes", "bytes 0-9", "bytes 0-9/*", "bytes 9-0/100", "bytes 0-100/100",
                            "bytes 0-9/100x", "items 0-9/100", "bytes */100"}) {
    EXPECT_FALSE(read_content_range(wrong)) << wrong;
  }
}

TEST(Answers, WhatMayPass) {
  const auto answer = [](int status, const std::string& code) {
    return http::ClientAnswer{status, code.empty() ? "" : "<Error><Code>" + code + "</Code></Error>"};
  };
  EXPECT_TRUE(is_passing(answer(500, "")));
  EXPECT_TRUE(is_passing(answer(503, "SlowDown")));
  EXPECT_TRUE(is_passing(answer(429, "")));
  EXPECT_TRUE(is_passing(answer(400, "RequestTimeout")));
  EXPECT_TRUE(is_passing(answer(200, "InternalError")));  // of a completion that has begun its answer
  EXPECT_FALSE(is_passing(answer(200, "")));
  EXPECT_FALSE(is_passing(answer(403, "AccessDenied")));
  EXPECT_FALSE(is_passing(answer(404, "NoSuchBucket")));
}

TEST(Location, Reads) {
  EXPECT_EQ(*read_location("s3://photos"), (Location{"photos", ""}));
  EXPECT_EQ(*read_location("s3://photos/"), (Location{"photos", ""}));
  EXPECT_EQ(*read_location("s3://photos/a/b-1"), (Location{"photos", "a/b-1/"}));
  EXPECT_EQ(*read_location("s3://photos/a/b-1/"), (Location{"photos", "a/b-1/"}));
  EXPECT_EQ(text_of(*read_location("s3://photos/a/")), "s3://photos/a");
  EXPECT_EQ(text_of(*read_location("s3://photos")), "s3://photos");
  for (const char* wrong : {"", "photos", "s3://", "s3:///a", "s3://Photos/a", "s3://photos/a//b",
                            "s3://photos/../b", "s3://photos/a b", "s3://photos/a&b", "https://photos/a"}) {
    EXPECT_FALSE(read_location(wrong)) << wrong;
  }
}

}  // namespace
}  // namespace waybill::depot
