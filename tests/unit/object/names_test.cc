#include "object/names.h"

#include <gtest/gtest.h>

namespace waybill::object {
namespace {

TEST(BucketName, Taken) {
  for (const auto name : {"abc", "photoeditor-dev-temp", "a.b.c", "123", "1.2.3", "1.2.3.4.5", "a-.b",
                          "192.168.5.x", "1234.1.1.1", "docexamplebucket1"}) {
    EXPECT_TRUE(check_bucket_name(name)) << name;
  }
  EXPECT_TRUE(check_bucket_name(std::string(63, 'a')));
}

TEST(BucketName, Refused) {
  for (const auto name : {"",
                          "ab",
                          "Abc",
                          "a_b",
                          "-abc",
                          "abc-",
                          ".abc",
                          "abc.",
                          "a..b",
                          "192.168.5.4",
                          "xn--abc",
                          "sthree-abc",
                          "amzn-s3-demo-abc",
                          "abc-s3alias",
                          "abc--ol-s3",
                          "abc.mrap",
                          "abc--x-s3",
                          "abc--table-s3",
                          "a/b",
                          "a b c",
                          "../../etc",
                          "b\xc3\xbc"
                          "cher"}) {
    EXPECT_EQ(check_bucket_name(name).error().kind, ErrorKind::invalid) << name;
  }
  EXPECT_FALSE(check_bucket_name(std::string(64, 'a')));
  EXPECT_FALSE(check_bucket_name(std::string_view("ab\0c", 4)));
}

TEST(Key, AnyUtf8OfUpTo1024Bytes) {
  EXPECT_TRUE(check_key("a"));
  EXPECT_TRUE(check_key("../../etc/passwd"));
  EXPECT_TRUE(check_key("/"));
  EXPECT_TRUE(check_key(std::string_view("a\0\x01\n", 4)));
  EXPECT_TRUE(check_key("\xf0\x9f\x98\x80/\xc3\xbc"));
  EXPECT_TRUE(check_key(std::string(1024, 'k')));
  EXPECT_EQ(check_key(std::string(1025, 'k')).error().kind, ErrorKind::limit_exceeded);
  EXPECT_EQ(check_key("").error().kind, ErrorKind::invalid);
  for (const auto key : {"\xff", "a\x80", "\xc0\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xe2\x82"}) {
    EXPECT_EQ(check_key(key).error().kind, ErrorKind::invalid);
  }
}

}  // namespace
}  // namespace waybill::object
