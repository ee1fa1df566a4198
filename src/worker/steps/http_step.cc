#include "worker/steps/http_step.h"

#include <algorithm>
#include <utility>

#include "worker/photo/post.h"
#include "worker/steps/classify.h"
#include "worker/steps/json_pattern.h"
#include "worker/steps/output.h"
#include "worker/trouble.h"

namespace waybill::worker::steps {
namespace {

constexpr int64_t connect_ms_max = 10'000;

Error missing(const Error& error) {
  return final_trouble("STEP_VALUE_MISSING", error.message);
}

bool has_header(const HttpCall& call, std::string_view name) {
  return std::ranges::any_of(call.headers, [&](const auto& header) {
    return std::ranges::equal(header.first, name, [](char a, char b) { return (a | 0x20) == (b | 0x20); });
  });
}

Status add_body(http::ClientRequest& request, const HttpCall& call, const Values& values) {
  if (call.json) {
    WAYBILL_TRY(append_filled(request.body, *call.json, values));
    if (!has_header(call, "content-type")) {
      request.headers.emplace_back("Content-Type: application/json");
    }
  } else if (call.text) {
    WAYBILL_TRY_ASSIGN(request.body, values.text(*call.text));
    if (!has_header(call, "content-type")) {
      request.headers.emplace_back("Content-Type: text/plain; charset=utf-8");
    }
  }
  return {};
}

std::string header_line(const std::string& name, const std::string& value) {
  return name + ": " + value;
}

Result<http::ClientRequest> filled_request(const HttpCall& call, const Values& values) {
  http::ClientRequest request;
  request.method = call.method;
  WAYBILL_TRY_ASSIGN(request.url, values.text(call.url, Values::Form::url));
  for (const auto& [name, pattern] : call.headers) {
    WAYBILL_TRY_ASSIGN(const auto value, values.text(pattern));
    request.headers.push_back(header_line(name, value));
  }
  WAYBILL_TRY(add_body(request, call, values));
  return request;
}

// libcurl's own words may have the host in them, which may be a secret's.
Error no_answer(const Error& error, int64_t took_ms, int64_t timeout_s) {
  if (error.kind == ErrorKind::invalid) {
    return final_trouble("STEP_REQUEST_INVALID", "the request cannot be made: " + error.message);
  }
  if (error.kind == ErrorKind::too_large) {
    return final_trouble("STEP_OUTPUT_TOO_LARGE", "the service answers with more than 1 MiB");
  }
  if (took_ms >= timeout_s * 1000) {
    return passing_trouble("STEP_TIMEOUT",
                           "the service did not answer within " + std::to_string(timeout_s) + " s");
  }
  return passing_trouble("STEP_UNREACHABLE", "the service cannot be reached, or broke off");
}

Result<std::string> output_of(const Step& step, const http::ClientAnswer& answer) {
  const auto type = answer.header("content-type");
  std::string output;
  json::Writer writer(output);
  writer.begin_object().key("status").integer(answer.status);
  const Given given{answer.body, false, type.empty() || type.find("json") != std::string_view::npos};
  if (!answer.body.empty() || step.output == Step::Output::json) {
    WAYBILL_TRY(append_given(writer, "body", given, step.output));
  }
  writer.end_object();
  return output;
}

}  // namespace

Result<http::ClientRequest> make_request(const HttpCall& call, const Values& values,
                                         const std::string& idempotency_key) {
  auto request = filled_request(call, values);
  if (!request) {
    return missing(request.error());
  }
  request->headers.push_back("Idempotency-Key: " + idempotency_key);
  return request;
}

Attempt call_once(const Step& step, const HttpCall& call, const Values& values, const StepRun& run) {
  auto request = make_request(call, values, run.idempotency_key);
  if (!request) {
    return {std::move(request).error()};
  }
  request->stop = run.stop;
  const int64_t timeout_ms = step.timeout_s * 1000;
  const auto client = http::Client::open({.connect_ms = std::min(connect_ms_max, timeout_ms),
                                          .answer_ms = timeout_ms,
                                          .kept_bytes_max = output_bytes_max});
  if (!client) {
    return {client.error()};
  }
  const int64_t begun_ms = run.clock->steady_ms();
  const auto answer = (*client)->send(*request);
  if (!answer) {
    return {no_answer(answer.error(), run.clock->steady_ms() - begun_ms, step.timeout_s)};
  }
  if (auto trouble = trouble_of_status(call, answer->status)) {
    return {*std::move(trouble), photo::retry_after_ms(*answer, *run.clock)};
  }
  return {output_of(step, *answer)};
}

}  // namespace waybill::worker::steps
