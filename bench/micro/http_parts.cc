// http: the head of a request, the head of an answer.
#include <benchmark/benchmark.h>

#include <memory>
#include <string>

#include "base/check.h"
#include "http/head_parser.h"
#include "http/response_writer.h"
#include "part.h"
#include "samples.h"

namespace waybill::micro {
namespace {

constexpr std::size_t headers_max = 100;

// As a connection does it: the request's memory is used again.
Work parse_head() {
  const auto sample = request("GetItem", get_item_body());
  auto parsed = std::make_shared<http::Request>();
  return {.once =
              [sample, parsed] {
                std::size_t head_bytes = 0;
                http::Framing framing;
                const auto end = http::find_head_end(sample->text(), head_bytes);
                benchmark::DoNotOptimize(end);
                const auto refusal =
                    http::parse_head(sample->text().substr(0, head_bytes), headers_max, *parsed, framing);
                benchmark::DoNotOptimize(refusal);
              },
          .bytes = static_cast<int64_t>(sample->head().size())};
}

// The answer to a GetItem: the body's checksum is a header, so the body is gone through as well.
Work write_answer() {
  auto response = std::make_shared<http::Response>();
  response->content_type = "application/x-amz-json-1.0";
  response->body = R"({"Item":)" + job_json(7) + "}";
  response->request_id = std::string(52, 'A');
  response->amz_crc32 = true;
  auto out = std::make_shared<std::string>();
  auto date = std::make_shared<http::DateText>();
  return {.once =
              [response, out, date] {
                out->clear();
                http::ResponseFrame frame;
                frame.date = date->at(now_ms / 1000);
                frame.body = response->body;
                http::append_response_head(*out, *response, frame);
                out->append(response->body);
                benchmark::DoNotOptimize(out->data());
              },
          .bytes = static_cast<int64_t>(response->body.size())};
}

}  // namespace

void add_http_parts(Parts& parts) {
  parts.push_back({"http.parse_head", parse_head});
  parts.push_back({"http.write_answer", write_answer});
}

}  // namespace waybill::micro
