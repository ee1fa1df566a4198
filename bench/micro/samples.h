#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/json.h"
#include "http/message.h"
#include "item/value.h"
#include "table/table.h"

// One application's data throughout: the jobs of a photo editor, each an item of 1 KB, with two global
// indexes and a time to live. Nothing in it depends on the machine, the time or chance.
namespace waybill::micro {

inline constexpr int64_t now_ms = 1'759'665'600'000;  // 2025-10-05, 12:00 UTC
inline constexpr std::string_view access_key_id = "AKIDEXAMPLE";
inline constexpr std::string_view access_key_secret = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";

// Key jobId (S); indexes userId-createdAt-index and status-createdAt-index, both ALL; time to live in ttl.
table::TablePtr jobs_table();

// Job number `number` (0 to 999,999) in AWS's JSON: {"jobId":{"S":"…"},…}. They differ in their keys alone.
std::string job_json(int number);
item::Item job(int number);

// A text with the bytes behind it that the JSON parser may read.
class PaddedText {
 public:
  explicit PaddedText(std::string_view text) : bytes_(text), size_(text.size()) {
    bytes_.append(json::padding_bytes, ' ');
  }

  std::string_view view() const { return std::string_view(bytes_).substr(0, size_); }

 private:
  std::string bytes_;
  std::size_t size_;
};

// A parsed document with its parser, to be shared by copies of a lambda.
class Document {
 public:
  explicit Document(std::string_view text) : text_(text), root_(*parser_.parse(text_.view())) {}

  const json::Value& root() const { return root_; }
  json::Value at(std::string_view name) const { return *root_.find(name); }

 private:
  PaddedText text_;
  json::Parser parser_;
  json::Value root_;
};

inline std::shared_ptr<const Document> document(std::string_view text) {
  return std::make_shared<const Document>(text);
}

// Bodies of requests, as the SDKs send them.
std::string get_item_body();
std::string put_item_body();
std::string update_item_body();  // SET of two attributes under a condition
std::string query_body();        // 20 items of an index, newest first

// A whole request as an SDK signs and sends it, and its parsed form, which points into the text.
class SampleRequest {
 public:
  SampleRequest(std::string_view operation, std::string_view body);
  SampleRequest(const SampleRequest&) = delete;
  SampleRequest& operator=(const SampleRequest&) = delete;

  std::string_view text() const { return text_.view(); }
  std::string_view head() const { return text().substr(0, head_bytes_); }
  const http::Request& parsed() const { return parsed_; }

 private:
  PaddedText text_;
  std::size_t head_bytes_;
  http::Request parsed_;
};

inline std::shared_ptr<const SampleRequest> request(std::string_view operation, std::string_view body) {
  return std::make_shared<const SampleRequest>(operation, body);
}

}  // namespace waybill::micro
