#include "queue/digest.h"

#include <gtest/gtest.h>

namespace waybill::queue {
namespace {

TEST(Digest, IsMd5) {
  EXPECT_EQ(md5_hex(""), "d41d8cd98f00b204e9800998ecf8427e");
  EXPECT_EQ(md5_hex("message digest"), "f96b697d7cb7938d525a2f31aaf161d0");
}

TEST(Digest, OfAttributesIsOverSizedParts) {
  const std::string text("\0\0\0\1a\0\0\0\6String\1\0\0\0\1v", 21);
  EXPECT_EQ(md5_of_attributes({{"a", "String", "v"}}), md5_hex(text));
  const std::string bytes("\0\0\0\1b\0\0\0\6Binary\2\0\0\0\2\0\xff", 22);
  EXPECT_EQ(md5_of_attributes({{"a", "String", "v"}, {"b", "Binary", std::string("\0\xff", 2)}}),
            md5_hex(text + bytes));
}

TEST(Digest, OfTheTraceHeaderIsThatOfAnAttribute) {
  EXPECT_EQ(md5_of_trace_header("Root=1"), md5_of_attributes({{"AWSTraceHeader", "String", "Root=1"}}));
}

}  // namespace
}  // namespace waybill::queue
