#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "http/message.h"
#include "http/signer.h"

namespace waybill::http {

// The key of AWS's own examples.
inline const std::string example_key_id = "AKIDEXAMPLE";
inline const std::string example_secret = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";

// A request that is put together and signed by a test. Owns its text.
struct TestRequest {
  std::string method = "POST";
  std::string path = "/";
  std::string query;
  std::string body = R"({"TableName":"orders"})";
  std::vector<std::pair<std::string, std::string>> headers = {
      {"Host", "localhost:8000"},
      {"Content-Type", "application/x-amz-json-1.0"},
      {"X-Amz-Date", "20240229T123456Z"},
      {"X-Amz-Target", "DynamoDB_20120810.DescribeTable"}};
  std::string key_id = example_key_id;
  std::string secret = example_secret;
  std::string time = "20240229T123456Z";
  std::string region = "us-east-1";
  std::string service = "dynamodb";
  std::string terminator = "aws4_request";
  std::string signed_headers = "content-type;host;x-amz-date;x-amz-target";

  Request view() const {
    Request request;
    request.method = method;
    request.target = path;
    request.path = path;
    request.query = query;
    request.body = request.raw_body = body;
    for (const auto& [name, value] : headers) {
      request.headers.push_back({name, value});
    }
    return request;
  }

  std::string date() const { return time.substr(0, 8); }
  std::string scope() const { return date() + "/" + region + "/" + service + "/" + terminator; }

  std::string signature(bool presigned = false) const {
    const std::string payload_hash = hex_lower(bytes_of(sha256(body)));
    CanonicalForm form;
    form.signed_headers = signed_headers;
    form.payload_hash = payload_hash;
    form.presigned = presigned;
    const HmacKey key = derive_signing_key(secret, {date(), region, service});
    return hex_lower(bytes_of(signature_of(view(), form, time, scope(), key)));
  }

  // Adds the Authorization header.
  TestRequest& sign() {
    headers.emplace_back("Authorization", "AWS4-HMAC-SHA256 Credential=" + key_id + "/" + scope() +
                                              ", SignedHeaders=" + signed_headers +
                                              ", Signature=" + signature());
    return *this;
  }

  // Signs in the query.
  TestRequest& presign(const std::string& expires = "60") {
    query += std::string(query.empty() ? "" : "&") +
             "X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=" + key_id + "%2F" + date() + "%2F" + region +
             "%2F" + service + "%2Faws4_request&X-Amz-Date=" + time + "&X-Amz-Expires=" + expires +
             "&X-Amz-SignedHeaders=host";
    query += "&X-Amz-Signature=" + signature(true);
    return *this;
  }

  // A presigned request carries nothing but Host.
  static TestRequest for_presigning() {
    TestRequest request;
    request.method = "GET";
    request.body.clear();
    request.headers = {{"Host", "localhost:8000"}};
    request.signed_headers = "host";
    return request;
  }

  std::string& header(std::string_view name) {
    for (auto& [candidate, value] : headers) {
      if (candidate == name) {
        return value;
      }
    }
    return headers.emplace_back(name, "").second;
  }
};

}  // namespace waybill::http
