#include "client/jobs_client.h"

#include <utility>

#include "base/json.h"

namespace waybill::client {
namespace {

constexpr int64_t connect_ms = 3'000;
constexpr std::size_t message_bytes_max = 1'000;  // of a failure

struct ProblemName {
  std::string_view name;
  ErrorKind kind;
};
constexpr ProblemName problem_names[] = {
    {"malformed", ErrorKind::malformed},
    {"unauthenticated", ErrorKind::unknown_client},
    {"forbidden", ErrorKind::access_denied},
    {"not-found", ErrorKind::not_found},
    {"unknown-operation", ErrorKind::unknown_operation},
    {"conflict", ErrorKind::condition_failed},
    {"lease-lost", ErrorKind::lease_lost},
    {"exists", ErrorKind::record_exists},
    {"key-in-use", ErrorKind::key_in_use},
    {"changed", ErrorKind::version_mismatch},
    {"too-large", ErrorKind::too_large},
    {"invalid", ErrorKind::invalid},
    {"quota", ErrorKind::quota_exceeded},
    {"internal", ErrorKind::unavailable},
    {"unavailable", ErrorKind::unavailable},
};

ErrorKind kind_of(int status, std::string_view type) {
  const auto name = type.substr(type.rfind('/') + 1);
  for (const auto& known : problem_names) {
    if (known.name == name) {
      return known.kind;
    }
  }
  return status >= 500 || status == 408 || status == 429 ? ErrorKind::unavailable : ErrorKind::invalid;
}

std::string member(const json::Value& object, std::string_view name) {
  const auto found = object.is_object() ? object.find(name) : std::nullopt;
  return found && found->is_string() ? std::string(found->string()) : std::string();
}

// Begins a body with the lease; the caller adds members and ends it.
json::Writer& begin_held(json::Writer& writer, const Job& job) {
  return writer.begin_object().key("lease").string(job.lease());
}

void add_object(json::Writer& writer, std::string_view name, std::string_view json) {
  if (!json.empty()) {
    writer.key(name).raw(json);
  }
}

// Cut where a character begins.
std::string_view cut(std::string_view text) {
  if (text.size() <= message_bytes_max) {
    return text;
  }
  std::size_t end = message_bytes_max;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) {
    --end;
  }
  return text.substr(0, end);
}

}  // namespace

Error read_problem(int status, std::string_view body) {
  json::Parser parser;
  const auto problem = parser.parse_copy(body);
  std::string type;
  std::string words;
  if (problem) {
    type = member(*problem, "type");
    words = member(*problem, "detail");
    words = words.empty() ? member(*problem, "title") : words;
  }
  if (words.empty()) {
    words = "the server answers with status " + std::to_string(status);
  }
  return Error{kind_of(status, type), std::move(words), {}};
}

Result<JobsClient> JobsClient::open(Connection connection, int64_t answer_ms) {
  WAYBILL_TRY_ASSIGN(auto client, http::Client::open({.connect_ms = connect_ms, .answer_ms = answer_ms}));
  return JobsClient(std::move(connection), std::move(client));
}

http::ClientRequest JobsClient::request(const std::string& method, const std::string& path) const {
  http::ClientRequest made;
  made.method = method;
  made.url = connection_.endpoint + path;
  if (!connection_.actor.empty()) {
    made.headers.push_back("Waybill-Actor: " + connection_.actor);
  }
  if (method != "GET") {
    made.headers.emplace_back("Content-Type: application/json");
  }
  return made;
}

// Signed anew for each attempt: a signature is good for some minutes.
Result<std::string> JobsClient::send(http::ClientRequest request, const Calling& calling) {
  request.stop = calling.stop;
  return persist(*connection_.clock, calling, [&]() -> Result<std::string> {
    http::ClientRequest attempt = request;
    WAYBILL_TRY(http::sign_request(attempt, {.key = connection_.key,
                                             .region = connection_.region,
                                             .service = "waybill",
                                             .payload_hash = {},
                                             .wall_seconds = connection_.clock->wall_seconds()}));
    WAYBILL_TRY_ASSIGN(auto answer, client_->send(attempt));
    if (answer.status < 200 || answer.status > 299) {
      return read_problem(answer.status, answer.body);
    }
    return std::move(answer.body);
  });
}

Result<std::string> JobsClient::post(const std::string& path, std::string body, const Calling& calling) {
  auto made = request("POST", path);
  made.body = std::move(body);
  return send(std::move(made), calling);
}

Result<std::vector<Served>> JobsClient::list_served(const Calling& calling) {
  WAYBILL_TRY_ASSIGN(const auto body, send(request("GET", "/v1/contracts"), calling));
  return read_served(body);
}

Result<std::optional<Job>> JobsClient::claim(const Served& served, const ClaimOptions& options,
                                             const std::stop_token& stop) {
  const std::string records = "/v1/" + served.contract + "/" + served.record;
  std::string body;
  json::Writer(body)
      .begin_object()
      .key("worker")
      .string(options.worker)
      .key("wait_s")
      .integer(options.wait_s)
      .key("lease_s")
      .integer(options.lease_s)
      .end_object();
  WAYBILL_TRY_ASSIGN(const auto answer, post(records + ":claim", std::move(body), {.stop = stop}));
  return Job::read(records, answer);
}

Status JobsClient::heartbeat(const Job& job, int64_t lease_s, const Calling& calling) {
  std::string body;
  json::Writer writer(body);
  begin_held(writer, job).key("lease_s").integer(lease_s).end_object();
  WAYBILL_TRY(post(job.path() + ":heartbeat", std::move(body), calling));
  return {};
}

Status JobsClient::progress(const Job& job, std::string_view fields, const Calling& calling) {
  std::string body;
  json::Writer writer(body);
  begin_held(writer, job);
  add_object(writer, "fields", fields);
  writer.end_object();
  WAYBILL_TRY(post(job.path() + ":progress", std::move(body), calling));
  return {};
}

Status JobsClient::step(const Job& job, std::string_view step, std::string_view fields,
                        std::string_view spend, const Calling& calling) {
  std::string body;
  json::Writer writer(body);
  begin_held(writer, job).key("step").raw(step);
  add_object(writer, "fields", fields);
  add_object(writer, "spend", spend);
  writer.end_object();
  WAYBILL_TRY(post(job.path() + ":step", std::move(body), calling));
  return {};
}

Status JobsClient::pause(const Job& job, std::string_view step, std::string_view fields,
                         const Calling& calling) {
  std::string body;
  json::Writer writer(body);
  begin_held(writer, job);
  add_object(writer, "step", step);
  add_object(writer, "fields", fields);
  writer.end_object();
  WAYBILL_TRY(post(job.path() + ":pause", std::move(body), calling));
  return {};
}

Status JobsClient::finish(const Job& job, std::string_view fields, const Calling& calling) {
  std::string body;
  json::Writer writer(body);
  begin_held(writer, job);
  add_object(writer, "fields", fields);
  writer.end_object();
  WAYBILL_TRY(post(job.path() + ":finish", std::move(body), calling));
  return {};
}

Status JobsClient::release(const Job& job, int64_t wait_s, const Failure* trouble, const Calling& calling) {
  std::string body;
  json::Writer writer(body);
  begin_held(writer, job).key("wait_s").integer(wait_s);
  if (trouble != nullptr) {
    writer.key("code").string(trouble->code).key("message").string(cut(trouble->message));
  }
  writer.end_object();
  WAYBILL_TRY(post(job.path() + ":release", std::move(body), calling));
  return {};
}

Result<bool> JobsClient::fail(const Job& job, const Failure& failure, const Calling& calling) {
  std::string body;
  json::Writer writer(body);
  begin_held(writer, job).key("code").string(failure.code).key("message").string(cut(failure.message));
  writer.key("retry").boolean(failure.retry).end_object();
  WAYBILL_TRY_ASSIGN(const auto answer, post(job.path() + ":fail", std::move(body), calling));
  json::Parser parser;
  const auto root = parser.parse_copy(answer);
  const auto gave_up = root && root->is_object() ? root->find("gave_up") : std::nullopt;
  return gave_up && gave_up->boolean();
}

Result<std::string> JobsClient::get(const std::string& path, const Calling& calling) {
  return send(request("GET", path), calling);
}

Result<std::string> JobsClient::create(const std::string& path, std::string_view fields,
                                       const std::string& idempotency_key, const Calling& calling) {
  auto made = request("POST", path);
  if (!idempotency_key.empty()) {
    made.headers.push_back("Idempotency-Key: " + idempotency_key);
  }
  made.body = fields.empty() ? "{}" : fields;
  return send(std::move(made), calling);
}

}  // namespace waybill::client
