#include "samples.h"

#include <array>
#include <cstdio>

#include "base/bytes.h"
#include "base/check.h"
#include "http/head_parser.h"
#include "http/sha256.h"
#include "http/signer.h"
#include "item/json.h"

namespace waybill::micro {
namespace {

constexpr std::string_view signed_headers = "content-type;host;x-amz-date;x-amz-target";
constexpr std::string_view amz_date = "20251005T120000Z";
constexpr std::string_view scope = "20251005/us-east-1/dynamodb/aws4_request";
constexpr std::size_t headers_max = 100;

table::Index index(table::SpaceId space, std::string_view name, std::string_view partition) {
  table::Index made;
  made.space = space;
  made.name = name;
  made.key.partition = {std::string(partition), item::Type::string};
  made.key.sort = table::KeyAttribute{"createdAt", item::Type::number};
  return made;
}

std::string job_id(int number) {
  std::array<char, 32> text{};
  const int length = std::snprintf(text.data(), text.size(), "01HF9GZ8Q4W3T7R2M6N5%06d", number);
  return {text.data(), static_cast<std::size_t>(length)};
}

// `text` with every "$" replaced by `value`.
std::string filled(std::string_view text, std::string_view value) {
  std::string out;
  for (const char c : text) {
    if (c == '$') {
      out.append(value);
    } else {
      out.push_back(c);
    }
  }
  return out;
}

// The head that boto3 sends, its signature still to be filled in.
std::string unsigned_head(std::string_view operation, std::size_t body_bytes) {
  std::string head;
  head.append("POST / HTTP/1.1\r\nHost: 127.0.0.1:8000\r\nAccept-Encoding: identity\r\n");
  head.append("X-Amz-Target: DynamoDB_20120810.").append(operation).append("\r\n");
  head.append("Content-Type: application/x-amz-json-1.0\r\n");
  head.append(
      "User-Agent: Boto3/1.35.36 md/Botocore#1.35.36 ua/2.0 os/linux#6.1.0-26-amd64 md/arch#x86_64 "
      "lang/python#3.11.2 md/pyimpl#CPython cfg/retry-mode#legacy Botocore/1.35.36\r\n");
  head.append("X-Amz-Date: ").append(amz_date).append("\r\n");
  head.append("Authorization: AWS4-HMAC-SHA256 Credential=").append(access_key_id).append("/").append(scope);
  head.append(", SignedHeaders=").append(signed_headers);
  head.append(", Signature=").append(64, '0').append("\r\n");
  head.append(
      "amz-sdk-invocation-id: 5b1c6a35-0a06-4d2e-9d3b-7f3f5a0f4f52\r\namz-sdk-request: attempt=1\r\n");
  head.append("Content-Length: ").append(std::to_string(body_bytes)).append("\r\n\r\n");
  return head;
}

http::Request parse(std::string_view text, std::size_t head_bytes) {
  http::Request request;
  http::Framing framing;
  WAYBILL_CHECK(!http::parse_head(text.substr(0, head_bytes), headers_max, request, framing));
  request.body = request.raw_body = text.substr(head_bytes);
  request.peer = "127.0.0.1:40312";
  return request;
}

std::string signed_text(std::string_view operation, std::string_view body) {
  const std::string head = unsigned_head(operation, body.size());
  std::string text = head + std::string(body);
  const std::string payload_hash = hex_lower(http::bytes_of(http::sha256(body)));
  http::CanonicalForm form;
  form.signed_headers = signed_headers;
  form.payload_hash = payload_hash;
  const auto key = http::derive_signing_key(access_key_secret, {"20251005", "us-east-1", "dynamodb"});
  const auto digest = http::signature_of(parse(text, head.size()), form, amz_date, scope, key);
  const std::string_view mark = "Signature=";
  return text.replace(text.find(mark) + mark.size(), 64, hex_lower(http::bytes_of(digest)));
}

}  // namespace

table::TablePtr jobs_table() {
  table::Table table;
  table.space = 1;
  table.name = "photoeditor-prod-jobs";
  table.uuid = "5b1c6a35-0a06-4d2e-9d3b-7f3f5a0f4f52";
  table.key.partition = {"jobId", item::Type::string};
  table.attribute_definitions = {{"jobId", item::Type::string},
                                 {"userId", item::Type::string},
                                 {"status", item::Type::string},
                                 {"createdAt", item::Type::number}};
  table.indexes = {index(2, "userId-createdAt-index", "userId"),
                   index(3, "status-createdAt-index", "status")};
  table.ttl.attribute = "ttl";
  table.ttl.space = 4;
  return std::make_shared<const table::Table>(std::move(table));
}

std::string job_json(int number) {
  std::string text = filled(
      R"({"jobId":{"S":"$"},"userId":{"S":"user-12345"},"status":{"S":"QUEUED"},"fileSize":{"N":"2457600"},)"
      R"("fileType":{"S":"image/jpeg"},"originalFileName":{"S":"IMG_20251005_114502.jpg"},)"
      R"("s3TempKey":{"S":"uploads/user-12345/$/IMG_20251005_114502.jpg"},)"
      R"("s3FinalKey":{"S":"final/user-12345/$/edited.jpg"},"provider":{"S":"gemini"},)"
      R"("processingStartedAt":{"N":"1759665601077"},"processingCompletedAt":{"N":"1759665609854"},)"
      R"("analysisResult":{"M":{"labels":{"L":[)"
      R"({"M":{"name":{"S":"Golden retriever"},"confidence":{"N":"0.9812"}}},)"
      R"({"M":{"name":{"S":"Beach"},"confidence":{"N":"0.9377"}}},)"
      R"({"M":{"name":{"S":"Sunset"},"confidence":{"N":"0.884"}}}]},)"
      R"("description":{"S":"A golden retriever runs along a beach at sunset; waves roll in behind it."},)"
      R"("safeSearch":{"M":{"adult":{"S":"VERY_UNLIKELY"},"violence":{"S":"VERY_UNLIKELY"}}}}},)"
      R"("editResult":{"M":{"s3Key":{"S":"final/user-12345/$/edited.jpg"},"width":{"N":"4032"},)"
      R"("height":{"N":"3024"},"format":{"S":"jpeg"},"size":{"N":"1843200"}}},)"
      R"("prompt":{"S":"Brighten the dog, keep the warm light of the sunset, remove the two people in the )"
      R"(background on the left and straighten the horizon."},)"
      R"("correlationId":{"S":"6f9b1c2e-8f0a-4c55-9e0e-3a1c0d5b7e21"},)"
      R"("traceId":{"S":"1-58406520-a006649127e371903a2de979"},"shared":{"BOOL":false},)"
      R"("error":{"NULL":true},"tags":{"SS":["beach","dog","holiday"]},)",
      job_id(number));
  const std::string created = std::to_string(now_ms - 1'000'000 + number);
  text.append(R"("createdAt":{"N":")").append(created);
  text.append(R"("},"updatedAt":{"N":")").append(created);
  return text.append(R"("},"ttl":{"N":"1767441600"}})");
}

item::Item job(int number) {
  return *item::parse_item(document(job_json(number))->root());
}

std::string get_item_body() {
  return filled(R"({"TableName":"photoeditor-prod-jobs","Key":{"jobId":{"S":"$"}},"ConsistentRead":true})",
                job_id(7));
}

std::string put_item_body() {
  return R"({"TableName":"photoeditor-prod-jobs","Item":)" + job_json(7) + "}";
}

std::string update_item_body() {
  return filled(
      R"({"TableName":"photoeditor-prod-jobs","Key":{"jobId":{"S":"$"}},)"
      R"("UpdateExpression":"SET #status = :newStatus, updatedAt = :now",)"
      R"("ConditionExpression":"#status = :expectedStatus",)"
      R"("ExpressionAttributeNames":{"#status":"status"},)"
      R"("ExpressionAttributeValues":{":newStatus":{"S":"PROCESSING"},":expectedStatus":{"S":"QUEUED"},)"
      R"(":now":{"N":"1759665600456"}}})",
      job_id(7));
}

std::string query_body() {
  return R"({"TableName":"photoeditor-prod-jobs","IndexName":"userId-createdAt-index",)"
         R"("KeyConditionExpression":"userId = :userId",)"
         R"("ExpressionAttributeValues":{":userId":{"S":"user-12345"}},"ScanIndexForward":false,"Limit":20})";
}

SampleRequest::SampleRequest(std::string_view operation, std::string_view body)
    : text_(signed_text(operation, body)),
      head_bytes_(text_.view().size() - body.size()),
      parsed_(parse(text_.view(), head_bytes_)) {}

}  // namespace waybill::micro
