#include "base/bytes.h"

#include <gtest/gtest.h>

#include "base/entropy.h"

namespace waybill {
namespace {

std::string base64(std::string_view bytes) {
  std::string out;
  append_base64(out, bytes);
  return out;
}

TEST(BytesTest, Base64RoundTripsEveryLength) {
  std::string bytes;
  for (int i = 0; i < 300; ++i) {
    EXPECT_EQ(decode_base64(base64(bytes)), bytes);
    bytes.push_back(static_cast<char>(i * 7));
  }
  EXPECT_EQ(base64("a"), "YQ==");
  EXPECT_EQ(base64("ab"), "YWI=");
  EXPECT_EQ(base64("abc"), "YWJj");
}

TEST(BytesTest, Base64RefusesWhatItDoesNotWrite) {
  for (const char* text : {"a", "YQ=", "YQ", "Y===", "YQ==YQ==", "YW-j", "=YQ=", "YQ= ", "YR==", "YWJ="}) {
    EXPECT_FALSE(decode_base64(text)) << text;
  }
}

TEST(BytesTest, VarintsRoundTrip) {
  for (const uint32_t value : {0U, 1U, 127U, 128U, 300U, 16383U, 16384U, 400U * 1024, 0xffffffffU}) {
    std::string out;
    append_varint(out, value);
    const char* at = out.data();
    EXPECT_EQ(read_varint(at), value);
    EXPECT_EQ(at, out.data() + out.size());
  }
}

TEST(EntropyTest, MakesIdsInTheirForms) {
  SystemEntropy entropy;
  const std::string uuid = make_uuid4(entropy);
  ASSERT_EQ(uuid.size(), 36U);
  EXPECT_EQ(uuid[14], '4');
  EXPECT_NE(std::string("89ab").find(uuid[19]), std::string::npos);
  EXPECT_NE(make_uuid4(entropy), uuid);
  EXPECT_EQ(make_request_id(entropy).size(), 52U);
}

}  // namespace
}  // namespace waybill
