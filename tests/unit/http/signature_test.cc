// One verifier stands before every operation: what it lets through is the whole of authentication.
#include "http/signature.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "access/policy.h"
#include "http/signing.h"

namespace waybill::http {
namespace {

constexpr int64_t signed_ms = 1'709'210'096'000;  // 20240229T123456Z

class SignatureTest : public testing::Test {
 protected:
  SignatureTest() {
    options_.keys = {{example_key_id, example_secret}, {"AKIDSECOND", "another secret of mine"}};
  }

  // "" where accepted, "kind: message" otherwise.
  std::string refusal(const TestRequest& request) {
    ManualClock clock(now_ms_);
    SignatureOptions options = options_;
    options.clock = &clock;
    const auto principal = Verifier(options).verify(request.view());
    if (principal) {
      EXPECT_EQ(principal->access_key_id(), request.key_id);
      return "";
    }
    switch (principal.error().kind) {
      case ErrorKind::missing_authentication:
        return "missing: " + principal.error().message;
      case ErrorKind::incomplete_signature:
        return "incomplete: " + principal.error().message;
      case ErrorKind::invalid_signature:
        return "invalid: " + principal.error().message;
      case ErrorKind::unknown_client:
        return "unknown: " + principal.error().message;
      default:
        return "other: " + principal.error().message;
    }
  }
  bool accepts(const TestRequest& request) { return refusal(request).empty(); }

  int64_t now_ms_ = signed_ms;
  SignatureOptions options_;
};

const std::string mismatch =
    "invalid: The request signature we calculated does not match the signature you provided. Check your AWS "
    "Secret Access Key and signing method. Consult the service documentation for details.";

TEST_F(SignatureTest, AcceptsBothForms) {
  EXPECT_EQ(refusal(TestRequest().sign()), "");
  EXPECT_EQ(refusal(TestRequest::for_presigning().presign()), "");
  TestRequest second;
  second.key_id = "AKIDSECOND";
  second.secret = "another secret of mine";
  EXPECT_EQ(refusal(second.sign()), "");
}

TEST_F(SignatureTest, GivesThePolicyOfTheKey) {
  const auto policy = std::make_shared<const access::Policy>("prj_001", std::vector<access::Grant>());
  options_.keys.front().policy = policy;
  ManualClock clock(now_ms_);
  options_.clock = &clock;
  const Verifier verifier(options_);
  TestRequest first;
  TestRequest second;
  second.key_id = "AKIDSECOND";
  second.secret = "another secret of mine";
  EXPECT_EQ(verifier.verify(first.sign().view())->policy(), policy);
  EXPECT_EQ(verifier.verify(second.sign().view())->policy(), nullptr);
}

TEST_F(SignatureTest, AcceptsADateHeaderAndASecurityToken) {
  TestRequest request;
  request.headers = {
      {"host", "a"}, {"date", "Thu, 29 Feb 2024 12:34:56 GMT"}, {"x-amz-security-token", "tok/+="}};
  request.signed_headers = "date;host;x-amz-security-token";
  EXPECT_EQ(refusal(request.sign()), "");
}

TEST_F(SignatureTest, RefusesWithoutCredentials) {
  EXPECT_EQ(refusal(TestRequest()), "missing: Request is missing Authentication Token");
  for (const std::string value : {"", "Basic YTpi", "AWS AKIDEXAMPLE:abc", "Bearer x"}) {
    TestRequest request;
    request.headers.emplace_back("Authorization", value);
    EXPECT_EQ(refusal(request), "missing: Request is missing Authentication Token") << value;
  }
  TestRequest version_2 = TestRequest::for_presigning();
  version_2.query = "AWSAccessKeyId=AKIDEXAMPLE&Signature=abc&SignatureVersion=2";
  EXPECT_EQ(refusal(version_2), "missing: Request is missing Authentication Token");
}

TEST_F(SignatureTest, NamesWhatIsMissing) {
  TestRequest request;
  request.headers = {{"Host", "a"}, {"Authorization", "AWS4-HMAC-SHA256 x"}};
  EXPECT_TRUE(
      refusal(request).starts_with("incomplete: Authorization header requires 'Credential' parameter. "
                                   "Authorization header requires 'Signature' "
                                   "parameter. Authorization header requires 'SignedHeaders' parameter. "
                                   "Authorization header requires existence "
                                   "of either a 'X-Amz-Date' or a 'Date' header. (Hashed with SHA-256 and "
                                   "encoded with Base64) Authorization="));
  TestRequest query = TestRequest::for_presigning();
  query.query = "X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Date=20240229T123456Z&X-Amz-Expires=1";
  EXPECT_EQ(
      refusal(query),
      "incomplete: AWS query-string parameters must include 'X-Amz-Credential'. AWS query-string parameters "
      "must include 'X-Amz-Signature'. AWS query-string parameters must include 'X-Amz-SignedHeaders'. "
      "Re-examine the query-string parameters.");
}

TEST_F(SignatureTest, RefusesUnknownKeysAndWrongSecrets) {
  TestRequest unknown;
  unknown.key_id = "AKIDNOBODY";
  EXPECT_EQ(refusal(unknown.sign()), "unknown: The security token included in the request is invalid.");
  TestRequest wrong;
  wrong.secret = "wrong";
  EXPECT_EQ(refusal(wrong.sign()), mismatch);
  TestRequest swapped;
  swapped.key_id = "AKIDSECOND";
  EXPECT_EQ(refusal(swapped.sign()), mismatch);
}

TEST_F(SignatureTest, AllowsFiveMinutesOfSkew) {
  const TestRequest request = TestRequest().sign();
  for (const int64_t seconds : {-300, -299, 0, 299, 300}) {
    now_ms_ = signed_ms + seconds * 1000;
    EXPECT_TRUE(accepts(request)) << seconds;
  }
  now_ms_ = signed_ms + 301'000;
  EXPECT_EQ(
      refusal(request),
      "invalid: Signature expired: 20240229T123456Z is now earlier than 20240229T123457Z (20240229T123957Z - "
      "5 min.)");
  now_ms_ = signed_ms - 301'000;
  EXPECT_EQ(refusal(request),
            "invalid: Signature not yet current: 20240229T123456Z is still later than 20240229T123455Z "
            "(20240229T122955Z + 5 min.)");
  options_.skew_ms_max = 10'000'000;  // more than can be configured
  now_ms_ = signed_ms + 900'000;
  EXPECT_TRUE(accepts(request));
  now_ms_ = signed_ms + 901'000;
  EXPECT_FALSE(accepts(request));
}

TEST_F(SignatureTest, PresignedRequestsExpire) {
  const TestRequest request = TestRequest::for_presigning().presign("600");
  now_ms_ = signed_ms + 600'000;
  EXPECT_TRUE(accepts(request));
  now_ms_ = signed_ms + 601'000;
  EXPECT_TRUE(refusal(request).starts_with("invalid: Signature expired: "));
  now_ms_ = signed_ms - 300'000;
  EXPECT_TRUE(accepts(request));
  now_ms_ = signed_ms - 301'000;
  EXPECT_TRUE(refusal(request).starts_with("invalid: Signature not yet current: "));
  now_ms_ = signed_ms;
  EXPECT_TRUE(accepts(TestRequest::for_presigning().presign("604800")));
  for (const char* const expires : {"604801", "0", "-1", "x", "1e3", "99999999999999999999"}) {
    EXPECT_FALSE(accepts(TestRequest::for_presigning().presign(expires))) << expires;
  }
}

TEST_F(SignatureTest, ChecksTheScope) {
  TestRequest other_day;
  other_day.time = "20240228T123456Z";  // of the scope; X-Amz-Date is a day later
  EXPECT_TRUE(
      refusal(other_day.sign()).starts_with("invalid: Date in Credential scope does not match YYYYMMDD"));
  TestRequest other_service;
  other_service.service = "sqs";
  EXPECT_EQ(refusal(other_service.sign()),
            "invalid: Credential should be scoped to correct service: 'dynamodb'.");
  TestRequest other_end;
  other_end.terminator = "aws4_requests";
  EXPECT_EQ(
      refusal(other_end.sign()),
      "invalid: Credential should be scoped with a valid terminator: 'aws4_request', not 'aws4_requests'.");
  options_.region = "eu-west-1";
  EXPECT_EQ(refusal(TestRequest().sign()),
            "invalid: Credential should be scoped to a valid region, not 'us-east-1'.");
  options_.region = "us-east-1";
  EXPECT_TRUE(accepts(TestRequest().sign()));
  for (const char* const credential : {"AKIDEXAMPLE", "AKIDEXAMPLE/20240229/us-east-1/dynamodb",
                                       "AKIDEXAMPLE/20240229/us-east-1/dynamodb/aws4_request/x", "////"}) {
    TestRequest request;
    request.headers.emplace_back("Authorization", std::string("AWS4-HMAC-SHA256 Credential=") + credential +
                                                      ", SignedHeaders=host, Signature=00");
    EXPECT_FALSE(accepts(request)) << credential;
  }
}

TEST_F(SignatureTest, WantsHostAndEveryAmzHeaderSigned) {
  for (const char* const names : {"content-type;x-amz-date;x-amz-target", "content-type;host;x-amz-date",
                                  "content-type;host;x-amz-target", "host"}) {
    TestRequest request;
    request.signed_headers = names;
    EXPECT_NE(refusal(request.sign()).find("must be a 'SignedHeader'"), std::string::npos) << names;
  }
  TestRequest unsigned_type;
  unsigned_type.signed_headers = "host;x-amz-date;x-amz-target";
  EXPECT_TRUE(accepts(unsigned_type.sign()));
}

TEST_F(SignatureTest, WantsAnOrderlyListOfSignedHeaders) {
  for (const char* const names :
       {"host;content-type;x-amz-date;x-amz-target", "Content-Type;host;x-amz-date;x-amz-target",
        "content-type;host;host;x-amz-date;x-amz-target", "content-type;host;x-amz-date;x-amz-target;",
        ";content-type;host;x-amz-date;x-amz-target",
        "content-type;host;not-there;x-amz-date;x-amz-target"}) {
    TestRequest request;
    request.signed_headers = names;
    EXPECT_TRUE(refusal(request.sign()).starts_with("invalid: ")) << names;
  }
}

TEST_F(SignatureTest, RefusesWhatIsThereTwice) {
  TestRequest authorization = TestRequest().sign();
  authorization.headers.push_back(authorization.headers.back());
  EXPECT_EQ(refusal(authorization), "invalid: Authorization header is given more than once.");
  TestRequest target;
  target.headers.emplace_back("x-amz-TARGET", "DynamoDB_20120810.DeleteTable");
  EXPECT_EQ(refusal(target.sign()), "invalid: 'X-Amz-Target' is given more than once.");
  TestRequest both = TestRequest::for_presigning().presign();
  both.headers.emplace_back("Authorization", "AWS4-HMAC-SHA256 x");
  EXPECT_EQ(
      refusal(both),
      "invalid: Found both 'X-Amz-Algorithm' as a query-string param and 'Authorization' as HTTP header.");
  TestRequest parameter = TestRequest::for_presigning().presign();
  parameter.query += "&X-Amz-Expires=604800";
  EXPECT_FALSE(accepts(parameter));
  TestRequest signature = TestRequest().sign();
  signature.header("Authorization") += ", Signature=00";
  EXPECT_FALSE(accepts(signature));
}

TEST_F(SignatureTest, RefusesUnsignedPayloads) {
  for (const char* const value :
       {"UNSIGNED-PAYLOAD", "STREAMING-UNSIGNED-PAYLOAD-TRAILER", "STREAMING-AWS4-HMAC-SHA256-PAYLOAD",
        "STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER", "STREAMING-AWS4-ECDSA-P256-SHA256-PAYLOAD", "x"}) {
    TestRequest request;
    request.headers.emplace_back("X-Amz-Content-Sha256", value);
    request.signed_headers = "content-type;host;x-amz-content-sha256;x-amz-date;x-amz-target";
    EXPECT_NE(refusal(request.sign()).find("is not supported"), std::string::npos) << value;
  }
}

TEST_F(SignatureTest, RefusesOtherAlgorithms) {
  for (const char* const name : {"AWS4-HMAC-SHA1", "AWS4-ECDSA-P256-SHA256", "AWS4-HMAC-SHA256x"}) {
    TestRequest request = TestRequest().sign();
    std::string& value = request.header("Authorization");
    value = name + value.substr(value.find(' '));
    EXPECT_TRUE(refusal(request).starts_with("incomplete: Unsupported AWS 'algorithm': '")) << name;
  }
}

TEST_F(SignatureTest, NoticesEveryChange) {
  const TestRequest good = TestRequest().sign();
  const auto flip = [](std::string text, std::size_t at) {
    text[at] = static_cast<char>(text[at] ^ 1);
    return text;
  };
  for (std::size_t i = 0; i < good.body.size(); ++i) {
    TestRequest request = good;
    request.body = flip(good.body, i);
    EXPECT_EQ(refusal(request), mismatch);
  }
  for (std::size_t h = 0; h < good.headers.size(); ++h) {
    for (std::size_t i = 0; i < good.headers[h].second.size(); ++i) {
      if (good.headers[h].second[i] == ' ' || good.headers[h].second[i] == ',') {
        continue;  // between the parts of Authorization
      }
      TestRequest request = good;
      request.headers[h].second = flip(good.headers[h].second, i);
      EXPECT_FALSE(accepts(request)) << request.headers[h].second;
    }
  }
  for (const char* const path : {"/x", "/%2F", "/%2e", "*"}) {
    TestRequest request = good;
    request.path = path;
    EXPECT_EQ(refusal(request), mismatch);
  }
  TestRequest method = good;
  method.method = "GET";
  EXPECT_EQ(refusal(method), mismatch);
  TestRequest query = good;
  query.query = "a";
  EXPECT_EQ(refusal(query), mismatch);
}

TEST_F(SignatureTest, AcceptsAnythingWhereToldTo) {
  options_.accept_any = true;
  TestRequest nobody;
  nobody.key_id = "anonymous";
  EXPECT_TRUE(accepts(nobody));
  TestRequest wrong;
  wrong.secret = "wrong";
  wrong.time = "19990101T000000Z";
  EXPECT_TRUE(accepts(wrong.sign()));
  EXPECT_TRUE(accepts(TestRequest::for_presigning().presign("0")));
}

// A key id and its secret in place of a signature, for services that take it.
class BearerTest : public SignatureTest {
 protected:
  std::string told(std::string_view authorization) {
    ManualClock clock(now_ms_);
    SignatureOptions options = options_;
    options.clock = &clock;
    Request request;
    request.method = "GET";
    request.path = "/";
    request.headers = {{"Host", "localhost"}, {"Authorization", authorization}};
    const auto principal = Verifier(options).verify_with_bearer(request);
    return principal ? principal->access_key_id() : "refused: " + principal.error().message;
  }
};

TEST_F(BearerTest, TheSecretOfTheKeyPasses) {
  EXPECT_EQ(told("Bearer AKIDSECOND:another secret of mine"), "AKIDSECOND");
}

TEST_F(BearerTest, NothingElseDoes) {
  const std::string no = "refused: There is no such key, or its secret is another.";
  EXPECT_EQ(told("Bearer AKIDSECOND:another secret of min"), no);
  EXPECT_EQ(told("Bearer AKIDSECOND:another secret of mine "), no);
  EXPECT_EQ(told("Bearer AKIDSECOND:"), no);
  EXPECT_EQ(told("Bearer AKIDSECOND"), no);
  EXPECT_EQ(told("Bearer "), no);
  EXPECT_EQ(told("Bearer :"), no);
  EXPECT_EQ(told("Bearer NOBODY:no key has this secret; it only takes the time of one"), no);
  EXPECT_EQ(told(std::string("Bearer ") + example_key_id + ":another secret of mine"), no);
  EXPECT_EQ(told("Basic eDp5"), "refused: Request is missing Authentication Token");
}

TEST_F(BearerTest, WhereAnyCredentialsPassTheNameIsTaken) {
  options_.accept_any = true;
  EXPECT_EQ(told("Bearer somebody:whatever"), "somebody");
  EXPECT_EQ(told("Bearer somebody"), "somebody");
  EXPECT_EQ(told("Bearer "), "anonymous");
}

}  // namespace
}  // namespace waybill::http
