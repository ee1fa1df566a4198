#include "intake/server_client.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/bytes.h"
#include "base/json.h"
#include "http/amz_time.h"
#include "http/signer.h"

namespace waybill::intake {
namespace {

constexpr int status_ok = 200;

std::string_view member(const json::Value& object, std::string_view name) {
  const auto found = object.is_object() ? object.find(name) : std::nullopt;
  return found && found->is_string() ? found->string() : std::string_view();
}

// "com.amazonaws.dynamodb.v20120810#ValidationException" without what stands before.
std::string error_name(std::string_view type) {
  const std::size_t sign = type.find('#');
  return std::string(type.substr(sign == std::string_view::npos ? 0 : sign + 1));
}

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::ranges::find(names, name) != names.end();
}

ErrorKind kind_of(int status, std::string_view name) {
  if (status >= 500 || status == 429 ||
      is_one_of(name, {"ProvisionedThroughputExceededException", "ThrottlingException",
                       "RequestLimitExceeded", "LimitExceededException", "TransactionConflictException"})) {
    return ErrorKind::unavailable;
  }
  if (status == 401 || status == 403 ||
      is_one_of(name, {"AccessDeniedException", "UnrecognizedClientException",
                       "MissingAuthenticationTokenException", "MissingAuthenticationToken",
                       "InvalidSignatureException", "IncompleteSignatureException"})) {
    return ErrorKind::access_denied;
  }
  return status == 404 || name == "ResourceNotFoundException" ? ErrorKind::not_found : ErrorKind::invalid;
}

Error error_of(const http::ClientAnswer& answer) {
  json::Parser parser;
  const auto body = parser.parse_copy(answer.body);
  const std::string name = body ? error_name(member(*body, "__type")) : std::string();
  std::string text;
  for (const auto* const field : {"message", "Message", "detail", "title"}) {
    if (body && text.empty()) {
      text = member(*body, field);
    }
  }
  if (text.empty()) {
    text = name.empty() ? "the server answers with status " + std::to_string(answer.status) : name;
  }
  return {kind_of(answer.status, name), text, name};
}

// "127.0.0.1:8000" of "http://127.0.0.1:8000/prefix".
std::string host_of(const std::string& url) {
  const std::size_t begin = url.find("://") + 3;
  return url.substr(begin, url.find('/', begin) - begin);
}

}  // namespace

ServerClient::ServerClient(Endpoint endpoint, const Clock& clock, std::unique_ptr<http::Client> client)
    : endpoint_(std::move(endpoint)), clock_(clock), client_(std::move(client)) {}

Result<std::unique_ptr<ServerClient>> ServerClient::open(Endpoint endpoint, const Clock& clock) {
  WAYBILL_TRY_ASSIGN(auto client, http::Client::open({}));
  return std::unique_ptr<ServerClient>(new ServerClient(std::move(endpoint), clock, std::move(client)));
}

// Signs all headers that the request has, and the host.
void ServerClient::sign(http::ClientRequest& request, std::string_view service,
                        const std::string& path) const {
  if (endpoint_.access_key.empty()) {
    return;
  }
  const std::string time = http::format_amz_time(clock_.wall_seconds());
  const std::string date = time.substr(0, 8);
  const std::string scope = date + "/" + endpoint_.region + "/" + std::string(service) + "/aws4_request";
  request.headers.push_back("Host: " + host_of(endpoint_.url));
  request.headers.push_back("X-Amz-Date: " + time);
  http::Request signed_request;
  signed_request.method = request.method;
  signed_request.path = path;
  std::vector<std::string> names;
  for (const std::string_view line : request.headers) {
    const std::size_t colon = line.find(':');
    signed_request.headers.push_back({line.substr(0, colon), line.substr(colon + 2)});
    std::string name(line.substr(0, colon));
    std::ranges::transform(name, name.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    names.push_back(std::move(name));
  }
  std::ranges::sort(names);
  std::string listed;
  for (const auto& name : names) {
    listed += (listed.empty() ? "" : ";") + name;
  }
  const std::string payload_hash = hex_lower(http::bytes_of(http::sha256(request.body)));
  http::CanonicalForm form;
  form.signed_headers = listed;
  form.payload_hash = payload_hash;
  const auto key = http::derive_signing_key(endpoint_.secret_key, {date, endpoint_.region, service});
  const std::string signature =
      hex_lower(http::bytes_of(http::signature_of(signed_request, form, time, scope, key)));
  request.headers.push_back("Authorization: AWS4-HMAC-SHA256 Credential=" + endpoint_.access_key + "/" +
                            scope + ", SignedHeaders=" + listed + ", Signature=" + signature);
}

Result<std::string> ServerClient::send(const http::ClientRequest& request) {
  auto answer = client_->send(request);
  if (!answer) {
    return Error{answer.error().kind, "no answer from " + endpoint_.url + ": " + answer.error().message, {}};
  }
  if (answer->status != status_ok) {
    return error_of(*answer);
  }
  return std::move(answer->body);
}

Result<std::string> ServerClient::call(std::string_view operation, const std::string& body) {
  http::ClientRequest request{.method = "POST", .url = endpoint_.url + "/", .headers = {}, .body = body};
  request.headers = {"Content-Type: application/x-amz-json-1.0",
                     "X-Amz-Target: DynamoDB_20120810." + std::string(operation),
                     "Waybill-Operation: import"};
  sign(request, "dynamodb", "/");
  return send(request);
}

Result<std::string> ServerClient::get(const std::string& path) {
  http::ClientRequest request{.method = "GET", .url = endpoint_.url + path, .headers = {}, .body = {}};
  sign(request, "waybill", path);
  return send(request);
}

}  // namespace waybill::intake
