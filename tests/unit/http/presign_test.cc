// URLs that are signed here are good for what they were signed for, and the head of a request to an object
// store is verified by itself (A11).
#include "http/presign.h"

#include <gtest/gtest.h>

#include "base/clock.h"
#include "http/signature.h"

namespace waybill::http {
namespace {

constexpr int64_t now_s = 1'709'210'096;

class PresignTest : public testing::Test {
 protected:
  PresignTest() : clock_(now_s * 1000), verifier_(options()) {}

  SignatureOptions options() const {
    SignatureOptions made;
    made.clock = &clock_;
    made.keys = {{"KEY", "a/secret+of=mine"}};
    made.services = {"s3"};
    return made;
  }

  static std::string url(std::string_view key, std::string_view method = "GET") {
    return presigned_url({"http://127.0.0.1:8000", "KEY", "a/secret+of=mine", "eu-west-1", now_s, 60},
                         {method, "photos", key});
  }

  // The error's detail, or "-" where there is none; "" where it passes.
  std::string refusal(const std::string& url, std::string_view method = "GET") {
    const auto path_at = url.find('/', 8);
    const auto query_at = url.find('?');
    Request request;
    request.method = method;
    request.path = std::string_view(url).substr(path_at, query_at - path_at);
    request.query = std::string_view(url).substr(query_at + 1);
    request.headers = {{"Host", "127.0.0.1:8000"}};
    const auto head = verifier_.verify_head(request);
    if (head) {
      EXPECT_EQ(head->payload_hash, "UNSIGNED-PAYLOAD");
      EXPECT_EQ(head->principal.access_key_id(), "KEY");
      EXPECT_TRUE(head->chain.has_value());
      return "";
    }
    return head.error().detail.empty() ? "-" : head.error().detail;
  }

  ManualClock clock_;
  Verifier verifier_;
};

TEST_F(PresignTest, PassesWithAnyKey) {
  for (const auto* const key : {"a", "a/b c", "a+b%20&=?#", "../ä", "//"}) {
    EXPECT_EQ(refusal(url(key)), "") << key;
  }
  EXPECT_EQ(refusal(url("a", "PUT"), "PUT"), "");
}

TEST_F(PresignTest, IsGoodForItsRequestAndItsTime) {
  EXPECT_EQ(refusal(url("a"), "PUT"), "-");
  std::string other = url("a");
  other.replace(other.find("/photos/a"), 9, "/photos/b");
  EXPECT_EQ(refusal(other), "-");
  clock_.advance_ms(61'000);
  EXPECT_EQ(refusal(url("a")), "expired");
}

TEST_F(PresignTest, AHeadWithoutAHashOfItsBodyIsRefused) {
  Request request;
  request.method = "PUT";
  request.path = "/photos/a";
  request.headers = {{"host", "h"},
                     {"x-amz-date", "20240229T123456Z"},
                     {"authorization",
                      "AWS4-HMAC-SHA256 Credential=KEY/20240229/us-east-1/s3/aws4_request, "
                      "SignedHeaders=host;x-amz-date, Signature=00"}};
  const auto head = verifier_.verify_head(request);
  ASSERT_FALSE(head);
  EXPECT_EQ(head.error().detail, "no payload hash");
}

}  // namespace
}  // namespace waybill::http
