// The parts of S3 that are pure: which operation a request is, what XML says, which pages may come.
#include <gtest/gtest.h>

#include "api/s3/cors.h"
#include "api/s3/errors.h"
#include "api/s3/operations.h"
#include "api/s3/request.h"
#include "api/s3/xml.h"
#include "api/s3/xml_reader.h"

namespace waybill::api::s3 {
namespace {

std::string operation_of(std::string method, std::string path, std::string query = {},
                         std::vector<http::Header> headers = {}) {
  http::Request request;
  request.method = method;
  request.path = path;
  request.query = query;
  request.headers = std::move(headers);
  const auto* const found = find_operation(read_request(request));
  return found == nullptr ? "-" : std::string(found->name);
}

TEST(S3Operations, AreChosenByMethodPathAndParameters) {
  EXPECT_EQ(operation_of("GET", "/"), "ListBuckets");
  EXPECT_EQ(operation_of("GET", "/objects"), "ListBuckets");
  EXPECT_EQ(operation_of("GET", "/objects/"), "ListBuckets");
  EXPECT_EQ(operation_of("PUT", "/photos"), "CreateBucket");
  EXPECT_EQ(operation_of("PUT", "/photos/"), "CreateBucket");
  EXPECT_EQ(operation_of("GET", "/photos", "list-type=2&prefix=a"), "ListObjectsV2");
  EXPECT_EQ(operation_of("GET", "/photos", "prefix=a"), "ListObjects");
  EXPECT_EQ(operation_of("GET", "/photos", "location"), "GetBucketLocation");
  EXPECT_EQ(operation_of("GET", "/photos", "lifecycle"), "-");
  EXPECT_EQ(operation_of("PUT", "/photos/a/b"), "PutObject");
  EXPECT_EQ(operation_of("PUT", "/photos/a", "partNumber=1&uploadId=x"), "UploadPart");
  EXPECT_EQ(operation_of("PUT", "/photos/a", "", {{"X-Amz-Copy-Source", "b/c"}}), "CopyObject");
  EXPECT_EQ(operation_of("PUT", "/photos/a", "uploadId=x", {{"x-amz-copy-source", "b/c"}}), "UploadPartCopy");
  EXPECT_EQ(operation_of("PUT", "/photos/a", "acl"), "-");
  EXPECT_EQ(operation_of("POST", "/photos", "delete="), "DeleteObjects");
  EXPECT_EQ(operation_of("POST", "/photos/a", "uploads"), "CreateMultipartUpload");
  EXPECT_EQ(operation_of("PATCH", "/photos/a"), "-");
}

TEST(S3Request, NamesAreDecodedOnceAndAreNoPaths) {
  http::Request request;
  request.path = "/objects/photos/a%2Fb/../%2e%2e/c+d%00";
  const auto read = read_request(request);
  EXPECT_EQ(read.bucket, "photos");
  EXPECT_EQ(read.key, std::string("a/b/../../c+d\0", 14));
  request.path = "/objectsx/a";
  EXPECT_EQ(read_request(request).bucket, "objectsx");
  request.path = "/a/b";
  request.headers = {{"Host", "photos.localhost:8000"}};
  EXPECT_EQ(read_request(request).bucket, "photos");
  EXPECT_EQ(read_request(request).key, "a/b");
}

TEST(S3Xml, WhatIsWrittenIsRead) {
  Xml xml;
  xml.open_root("Delete");
  xml.element("Key", "a<b>&\"c\r\n\x01");
  xml.close("Delete");
  const auto read = read_xml(std::move(xml).take());
  ASSERT_TRUE(read);
  EXPECT_EQ(read->name, "Delete");
  EXPECT_EQ(read->text_of("Key"), "a<b>&\"c\r\n\x01");
}

TEST(S3Xml, OnlyElementsAndTextsAreTaken) {
  EXPECT_TRUE(
      read_xml("<?xml version='1.0'?>\n<!-- x --><a:b c=\"d\" e='f'><g/>&#228;&#x1F600;<!-- y --></a:b>"));
  for (const auto* const text :
       {"", "a", "<a>", "<a></b>", "<a><b></a></b>", "<a>&unknown;</a>", "<a>&#xD800;</a>", "<a>&#;</a>",
        "<a b></a>", "<!DOCTYPE a [<!ENTITY x 'y'>]><a>&x;</a>", "<a/><b/>", "<a>\xFF</a>", "<a",
        "<a b=\"c></a>", "<1><1><1><1><1><1><1><1><1></1></1></1></1></1></1></1></1></1>"}) {
    EXPECT_FALSE(read_xml(text)) << text;
  }
}

TEST(S3Errors, HaveTheServicesCodes) {
  EXPECT_EQ(error_form({ErrorKind::not_found, "", "NoSuchBucket"}).code, "NoSuchBucket");
  EXPECT_EQ(error_form({ErrorKind::not_found, "", "NoSuchBucket"}).status, 404);
  EXPECT_EQ(error_form({ErrorKind::bad_digest, "", ""}).code, "BadDigest");
  EXPECT_EQ(error_form({ErrorKind::invalid_signature, "", "expired"}).code, "AccessDenied");
  EXPECT_EQ(error_form({ErrorKind::internal, "secret path", "x"}).status, 500);
  EXPECT_EQ(told_message({ErrorKind::internal, "secret path", "x"}).find("secret"), std::string::npos);
}

TEST(S3Cors, PagesOfOtherSitesAreKeptOutWhereNoKeysAre) {
  Request request;
  EXPECT_TRUE(may_come_from(request, true));
  for (const auto* const here :
       {"http://localhost:3000", "http://127.0.0.1", "http://[::1]:80", "http://a.localhost"}) {
    request.headers["origin"] = here;
    EXPECT_TRUE(may_come_from(request, true)) << here;
  }
  for (const auto* const there :
       {"https://example.com", "null", "http://localhost.example.com", "http://127.0.0.1.example"}) {
    request.headers["origin"] = there;
    EXPECT_FALSE(may_come_from(request, true)) << there;
    EXPECT_TRUE(may_come_from(request, false)) << there;
  }
}

}  // namespace
}  // namespace waybill::api::s3
