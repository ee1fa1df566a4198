#include "api/jobs/batch_answers.h"

#include <utility>

#include "base/json.h"

namespace waybill::api::jobs {
namespace {

constexpr std::size_t head_bytes = 128;  // of one answer, about

bool is_json(const http::Response& response) {
  return response.content_type.ends_with("json");
}

void write_headers(json::Writer& writer, const http::Response& response) {
  if (response.headers.empty()) {
    return;
  }
  writer.key("headers").begin_object();
  for (const auto& [name, value] : response.headers) {
    writer.key(name).string(value);
  }
  writer.end_object();
}

void write_answer(json::Writer& writer, const http::Response& response) {
  writer.begin_object().key("status").integer(response.status);
  write_headers(writer, response);
  if (!response.body.empty()) {
    is_json(response) ? writer.key("body").raw(response.body) : writer.key("body").string(response.body);
  }
  writer.end_object();
}

}  // namespace

void BatchAnswers::set(std::size_t place, http::Response response) {
  answers_[place] = std::move(response);
  if (owed_.fetch_sub(1, std::memory_order_acq_rel) > 1) {
    return;
  }
  http::Response all;
  all.content_type = "application/json";
  std::size_t bytes = 0;
  for (const auto& answer : answers_) {
    bytes += answer.body.size() + head_bytes;
  }
  all.body.reserve(bytes);
  json::Writer writer(all.body);
  writer.begin_object().key("responses").begin_array();
  for (const auto& answer : answers_) {
    write_answer(writer, answer);
  }
  writer.end_array().end_object();
  responder_.send(std::move(all));
}

}  // namespace waybill::api::jobs
