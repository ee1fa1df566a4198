#include "cli/job/api.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>

#include "cli/job/json_parts.h"
#include "cli/job/text_width.h"
#include "http/uri.h"

namespace waybill::cli::job {
namespace {

constexpr std::string_view default_server = "http://127.0.0.1:8000";

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? std::string() : value;
}

std::string either(std::string first, std::string second) {
  return first.empty() ? std::move(second) : std::move(first);
}

std::string bearer_of(const std::string& prefix) {
  const auto id = variable((prefix + "ACCESS_KEY_ID").c_str());
  const auto secret = variable((prefix + "SECRET_ACCESS_KEY").c_str());
  return id.empty() || secret.empty() ? std::string() : "Authorization: Bearer " + id + ":" + secret;
}

Result<std::string> find_authorization(const std::string& server) {
  if (auto own = bearer_of("WAYBILL_"); !own.empty()) {
    return own;
  }
  auto of_aws = bearer_of("AWS_");
  if (!of_aws.empty() && server.starts_with("http://") && !http::is_loopback_url(server)) {
    return invalid(
        "the keys in AWS_ACCESS_KEY_ID are not sent over plain http to another machine: use an "
        "https:// server, or put the keys into WAYBILL_ACCESS_KEY_ID and WAYBILL_SECRET_ACCESS_KEY");
  }
  return of_aws;
}

}  // namespace

Result<Connection> find_connection(const std::string& server, const std::string& actor) {
  Connection connection;
  connection.server = either(either(server, variable("WAYBILL_SERVER")), std::string(default_server));
  while (connection.server.ends_with('/')) {
    connection.server.pop_back();
  }
  connection.actor = either(either(actor, variable("WAYBILL_ACTOR")), variable("USER"));
  WAYBILL_TRY_ASSIGN(connection.authorization, find_authorization(connection.server));
  return connection;
}

std::string query_of(const Parameters& parameters) {
  std::string query;
  for (const auto& [name, value] : parameters) {
    query += query.empty() ? '?' : '&';
    http::append_uri_encoded(query, name, false);
    query += '=';
    http::append_uri_encoded(query, value, false);
  }
  return query;
}

Api::Api(Connection connection, std::unique_ptr<http::Client> client)
    : connection_(std::move(connection)), client_(std::move(client)) {}

Result<Api> Api::open(Connection connection, const http::Client::Limits& limits) {
  WAYBILL_TRY_ASSIGN(auto client, http::Client::open(limits));
  return Api(std::move(connection), std::move(client));
}

http::ClientRequest Api::request(const std::string& method, const std::string& path) const {
  http::ClientRequest request{.method = method, .url = connection_.server + path, .headers = {}, .body = {}};
  if (!connection_.authorization.empty()) {
    request.headers.push_back(connection_.authorization);
  }
  if (!connection_.actor.empty()) {
    request.headers.push_back("Waybill-Actor: " + connection_.actor);
  }
  return request;
}

Result<http::ClientAnswer> Api::judge(Result<http::ClientAnswer> answer) const {
  if (!answer && answer.error().kind == ErrorKind::unavailable) {
    return Error{ErrorKind::unavailable,
                 "no answer from " + connection_.server + ": " + answer.error().message +
                     " (another server: --server URL or WAYBILL_SERVER)",
                 {}};
  }
  if (!answer) {
    return invalid(connection_.server + ": " + answer.error().message);
  }
  if (answer->status < 200 || answer->status > 299) {
    const auto kind = answer->status == 404  ? ErrorKind::not_found
                      : answer->status > 499 ? ErrorKind::unavailable
                                             : ErrorKind::invalid;
    return Error{kind, problem_words(answer->status, answer->body), {}};
  }
  return answer;
}

Result<http::ClientAnswer> Api::get(const std::string& path) {
  return judge(client_->send(request("GET", path)));
}

Result<http::ClientAnswer> Api::post(const std::string& path, const std::string& body,
                                     std::vector<std::string> headers) {
  auto made = request("POST", path);
  made.headers.emplace_back("Content-Type: application/json");
  std::ranges::move(headers, std::back_inserter(made.headers));
  made.body = body;
  return judge(client_->send(made));
}

Status Api::follow(const std::string& path, const std::string& last_id,
                   const http::Client::OnBytes& on_bytes) {
  auto made = request("GET", path);
  made.headers.emplace_back("Accept: text/event-stream");
  if (!last_id.empty()) {
    made.headers.push_back("Last-Event-ID: " + last_id);
  }
  WAYBILL_TRY(judge(client_->follow(made, on_bytes)));
  return {};
}

std::string problem_words(int status, std::string_view body) {
  const std::string text(body);
  const auto problem = is_json(text) ? members_of(text) : Members();
  auto words = printable(either(text_of(problem, "detail"), text_of(problem, "title")));
  if (words.empty()) {
    words = "the server answers with status " + std::to_string(status);
  }
  if (status == 401) {
    words += " (keys are read from WAYBILL_ACCESS_KEY_ID and WAYBILL_SECRET_ACCESS_KEY)";
  }
  return words;
}

}  // namespace waybill::cli::job
