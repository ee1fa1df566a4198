// AWS's published examples of Signature Version 4: each has one right signature.
#include "http/canonical_request.h"

#include <gtest/gtest.h>

#include <string>

#include "http/amz_time.h"
#include "http/signing.h"
#include "http/uri.h"

namespace waybill::http {
namespace {

struct Vector {
  std::string name;
  std::string signature;
  std::string method = "GET";
  std::string path = "/";
  std::string query = {};
  std::string body = {};
  std::vector<std::pair<std::string, std::string>> headers = {};
  std::string signed_headers = "host;x-amz-date";
};

class Vectors : public testing::TestWithParam<Vector> {};

TEST_P(Vectors, HaveTheirSignature) {
  const Vector& vector = GetParam();
  TestRequest request;
  request.method = vector.method;
  request.path = vector.path;
  request.query = vector.query;
  request.body = vector.body;
  request.headers = {{"Host", "example.amazonaws.com"}, {"X-Amz-Date", "20150830T123600Z"}};
  request.headers.insert(request.headers.end(), vector.headers.begin(), vector.headers.end());
  request.time = "20150830T123600Z";
  request.service = "service";
  request.signed_headers = vector.signed_headers;
  EXPECT_EQ(request.signature(), vector.signature) << vector.name;
}

const std::string vanilla = "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31";
const std::string unreserved = "-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

const Vector vectors[] = {
    {.name = "get-vanilla", .signature = vanilla},
    {.name = "get-slash", .signature = vanilla, .path = "//"},
    {.name = "get-slash-dot-slash", .signature = vanilla, .path = "/./"},
    {.name = "get-relative", .signature = vanilla, .path = "/example/.."},
    {.name = "get-relative-relative", .signature = vanilla, .path = "/example1/example2/../.."},
    {.name = "post-vanilla",
     .signature = "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b",
     .method = "POST"},
    {.name = "get-utf8",
     .signature = "8318018e0b0f223aa2bbf98705b62bb787dc9c0e678f255a891fd03141be5d85",
     .path = "/\xe1\x88\xb4"},
    {.name = "get-unreserved",
     .signature = "07ef7494c76fa4850883e2b006601f940f8a34d404d0cfa977f52a65bbf5f24f",
     .path = "/" + unreserved},
    {.name = "get-vanilla-empty-query-key",
     .signature = "a67d582fa61cc504c4bae71f336f98b97f1ea3c7a6bfe1b6e45aec72011b9aeb",
     .query = "Param1=value1"},
    {.name = "get-vanilla-query-order-key-case",
     .signature = "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500",
     .query = "Param2=value2&Param1=value1"},
    {.name = "get-vanilla-utf8-query",
     .signature = "2cdec8eed098649ff3a119c94853b13c643bcf08f8b0a1d91e12c9027818dd04",
     .query = "\xe1\x88\xb4=bar"},
    {.name = "get-header-key-duplicate",
     .signature = "c9d5ea9f3f72853aea855b47ea873832890dbdd183b4468f858259531a5138ea",
     .headers = {{"My-Header1", "value2"}, {"My-Header1", "value2"}, {"My-Header1", "value1"}},
     .signed_headers = "host;my-header1;x-amz-date"},
    {.name = "get-header-value-order",
     .signature = "08c7e5a9acfcfeb3ab6b2185e75ce8b1deb5e634ec47601a50643f830c755c01",
     .headers = {{"My-Header1", "value4"},
                 {"My-Header1", "value1"},
                 {"My-Header1", "value3"},
                 {"My-Header1", "value2"}},
     .signed_headers = "host;my-header1;x-amz-date"},
    {.name = "get-header-value-trim",
     .signature = "acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736",
     .headers = {{"My-Header1", "value1"}, {"My-Header2", "\"a   b   c\""}},
     .signed_headers = "host;my-header1;my-header2;x-amz-date"},
    {.name = "post-x-www-form-urlencoded",
     .signature = "ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a",
     .method = "POST",
     .body = "Param1=value1",
     .headers = {{"Content-Type", "application/x-www-form-urlencoded"}},
     .signed_headers = "content-type;host;x-amz-date"},
};

INSTANTIATE_TEST_SUITE_P(Published, Vectors, testing::ValuesIn(vectors));

std::string canonical(const TestRequest& request, CanonicalForm form) {
  form.signed_headers = "host";
  form.payload_hash = "HASH";
  std::string text;
  append_canonical_request(text, request.view(), form);
  return text;
}

TEST(CanonicalRequest, EncodesThePathOnceMore) {
  TestRequest request = TestRequest::for_presigning();
  request.path = "/a%20b/../c%2Fd//e/";
  EXPECT_EQ(canonical(request, {}), "GET\n/c%252Fd/e/\n\nhost:localhost:8000\n\nhost\nHASH");
  EXPECT_EQ(canonical(request, {.object_store = true}),
            "GET\n/a%20b/../c/d//e/\n\nhost:localhost:8000\n\nhost\nHASH");
}

TEST(CanonicalRequest, SortsTheQueryByNameThenValue) {
  TestRequest request = TestRequest::for_presigning();
  request.query = "b=2&&a=%7e%zz+&b=1&X-Amz-Signature=x&c&a-b=3";
  EXPECT_EQ(canonical(request, {.presigned = true}),
            "GET\n/\na=~%25zz%2B&a-b=3&b=1&b=2&c=\nhost:localhost:8000\n\nhost\nHASH");
}

TEST(AmzTime, ReadsAndWrites) {
  EXPECT_EQ(parse_amz_time("20150830T123600Z"), 1440938160);
  EXPECT_EQ(format_amz_time(1440938160), "20150830T123600Z");
  EXPECT_EQ(parse_http_time("Sun, 06 Nov 1994 08:49:37 GMT"), 784111777);
  EXPECT_EQ(parse_amz_time("19700101T000000Z"), 0);
  for (const char* const text :
       {"", "20150830T123600", "20150830 123600Z", "20150230T123600Z", "20151330T123600Z", "20150830T243600Z",
        "20150830T126000Z", "20150830T123660Z", "2015083aT123600Z", "-1150830T123600Z", "20150830T1236000Z",
        "2015-08-30T12:36:00Z"}) {
    EXPECT_FALSE(parse_amz_time(text)) << text;
    EXPECT_FALSE(parse_http_time(text)) << text;
  }
}

TEST(Uri, DecodesOnce) {
  EXPECT_EQ(uri_decoded("a%2Fb%252F+%"), "a/b%2F+%");
  EXPECT_EQ(uri_decoded("%4"), "%4");
  EXPECT_EQ(uri_decoded("%41"), "A");
}

}  // namespace
}  // namespace waybill::http
