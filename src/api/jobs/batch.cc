#include "api/jobs/batch.h"

#include <algorithm>
#include <array>
#include <string>

namespace waybill::api::jobs {
namespace {

using namespace std::string_view_literals;

// What a request of a batch may say in its head. The rest is the batch's own: who sends it, from where.
constexpr std::array own_headers = {"idempotency-key"sv, "if-match"sv, "waybill-actor"sv};

Error malformed(std::size_t place, std::string_view message) {
  return Error{ErrorKind::malformed, "requests[" + std::to_string(place) + "]: " + std::string(message),
               "requests"};
}

json::Value no_body() {
  thread_local json::Parser parser;
  thread_local const auto empty = parser.parse_copy("{}");
  return *empty;
}

Status read_headers(std::size_t place, const json::Value& headers, http::Request& request) {
  if (!headers.is_object()) {
    return malformed(place, "headers must be an object.");
  }
  for (json::Members at(headers); at.next();) {
    const bool is_own = std::ranges::any_of(
        own_headers, [&](std::string_view name) { return http::equals_ignoring_case(at.key(), name); });
    if (!is_own || !at.value().is_string()) {
      return malformed(place, "headers may have Idempotency-Key, If-Match and Waybill-Actor, as texts.");
    }
    // Before the batch's own, so that it is the one that is found.
    request.headers.insert(request.headers.begin(), {at.key(), at.value().string()});
  }
  return {};
}

Status read_target(std::size_t place, const json::Value& path, http::Request& request) {
  const auto target = path.is_string() ? path.string() : std::string_view();
  if (!target.starts_with(path_prefix)) {
    return malformed(place, "path must be one of this API, \"/v1/…\".");
  }
  const auto mark = target.find('?');
  request.target = target;
  request.path = target.substr(0, mark);
  request.query = mark == target.npos ? std::string_view() : target.substr(mark + 1);
  return {};
}

Result<BatchedRequest> read_one(std::size_t place, const http::Request& outer, const json::Value& value) {
  if (!value.is_object()) {
    return malformed(place, "a request must be an object.");
  }
  BatchedRequest made;
  made.request.method = "POST";
  made.request.peer = outer.peer;
  if (const auto actor = outer.header("waybill-actor"); !actor.empty()) {
    made.request.headers.push_back({"waybill-actor", actor});
  }
  bool has_path = false;
  bool has_body = false;
  for (json::Members at(value); at.next();) {
    const auto key = at.key();
    if (key == "path") {
      WAYBILL_TRY(read_target(place, at.value(), made.request));
      has_path = true;
    } else if (key == "method" && at.value().is_string()) {
      made.request.method = at.value().string();
    } else if (key == "headers") {
      WAYBILL_TRY(read_headers(place, at.value(), made.request));
    } else if (key == "body" && at.value().is_object()) {
      made.body = at.value();
      has_body = true;
    } else {
      return malformed(place, "a request has path, method, headers and body, which is an object.");
    }
  }
  if (!has_path) {
    return malformed(place, "a request must have a path.");
  }
  if (!has_body) {
    made.body = no_body();
  }
  return made;
}

}  // namespace

Result<std::vector<BatchedRequest>> read_batch(const http::Request& outer, const json::Value& body) {
  const auto requests = body.find("requests");
  if (!requests || !requests->is_array() || body.size() != 1) {
    return Error{ErrorKind::malformed, "The body must have an array \"requests\", and nothing else.",
                 "requests"};
  }
  if (requests->size() == 0 || requests->size() > batch_requests_max) {
    return Error{ErrorKind::malformed,
                 "A batch has 1 to " + std::to_string(batch_requests_max) + " requests.", "requests"};
  }
  std::vector<BatchedRequest> made;
  made.reserve(requests->size());
  for (json::Elements at(*requests); at.next();) {
    WAYBILL_TRY_ASSIGN(auto one, read_one(made.size(), outer, at.value()));
    made.push_back(std::move(one));
  }
  return made;
}

const Operation batch{
    "batch",
    "POST",
    Path::Shape::batch,
    "",
    nullptr,
    Needs::nothing,
    {"Carries out requests that come together: each with its own commit and its own answer, none waits for "
     "another. A claim does not wait for jobs here, and the feed of changes is not part of it.",
     "",
     R"({"type":"object","additionalProperties":false,"required":["requests"],"properties":{"requests":{)"
     R"("type":"array","minItems":1,"maxItems":100,"items":{"type":"object","additionalProperties":false,)"
     R"("required":["path"],"properties":{"path":{"type":"string"},"method":{"type":"string","default":"POST"},)"
     R"("headers":{"type":"object","description":"Idempotency-Key, If-Match, Waybill-Actor.",)"
     R"("additionalProperties":{"type":"string"}},"body":{"type":"object"}}}}}})",
     "200",
     R"({"type":"object","required":["responses"],"properties":{"responses":{"type":"array","items":{)"
     R"("type":"object","required":["status"],"properties":{"status":{"type":"integer"},)"
     R"("headers":{"type":"object","additionalProperties":{"type":"string"}},"body":{}}}}}})"}};

}  // namespace waybill::api::jobs
