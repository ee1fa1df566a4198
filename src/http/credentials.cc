#include "http/credentials.h"

#include <algorithm>
#include <optional>

#include "base/bytes.h"
#include "http/amz_time.h"
#include "http/header_list.h"
#include "http/sha256.h"
#include "http/uri.h"

namespace waybill::http {
namespace {

constexpr std::string_view algorithm = "AWS4-HMAC-SHA256";
constexpr std::size_t scope_part_bytes_max = 128;
constexpr int64_t expires_seconds_max = 604'800;

Error incomplete(std::string message) {
  return Error{ErrorKind::incomplete_signature, std::move(message), {}};
}

Error contradictory(std::string message) {
  return Error{ErrorKind::invalid_signature, std::move(message), {}};
}

// What the service says of a header it cannot use: not the header itself, which could end up in logs.
std::string hashed(std::string_view authorization) {
  std::string text = "(Hashed with SHA-256 and encoded with Base64) Authorization=";
  append_base64(text, bytes_of(sha256(authorization)));
  return text;
}

// Splits key id/date/region/service/terminator. The key id may hold further slashes in no known case.
bool split_credential(Credentials& credentials) {
  std::string_view rest = credentials.credential;
  std::string_view* const parts[] = {&credentials.key_id, &credentials.date, &credentials.region,
                                     &credentials.service};
  for (std::string_view* const part : parts) {
    const auto slash = rest.find('/');
    if (slash == std::string_view::npos || slash > scope_part_bytes_max) {
      return false;
    }
    *part = rest.substr(0, slash);
    rest.remove_prefix(slash + 1);
  }
  credentials.terminator = rest;
  credentials.scope = credentials.credential.substr(credentials.key_id.size() + 1);
  return rest.find('/') == std::string_view::npos && rest.size() <= scope_part_bytes_max;
}

Status finish_credential(Credentials& credentials) {
  if (!split_credential(credentials)) {
    return incomplete(
        "Credential must have exactly 5 slash-delimited elements, e.g. keyid/date/region/service/term, got "
        "'" +
        std::string(credentials.credential.substr(0, 5 * scope_part_bytes_max)) + "'");
  }
  return {};
}

Status set_time(std::string_view text, Credentials& credentials) {
  const auto amz_seconds = parse_amz_time(text);
  const auto seconds = amz_seconds ? amz_seconds : parse_http_time(text);
  if (!seconds) {
    return incomplete("Date must be in ISO-8601 'basic format'. Got '" + std::string(text.substr(0, 64)) +
                      "'. See http://en.wikipedia.org/wiki/ISO_8601");
  }
  credentials.time_seconds = *seconds;
  credentials.time = amz_seconds ? std::string(text) : format_amz_time(*seconds);
  return {};
}

// "Credential=…, SignedHeaders=…, Signature=…" in any order. False where a part is given twice.
bool split_authorization(std::string_view parameters, Credentials& credentials) {
  while (!parameters.empty()) {
    const auto comma = parameters.find(',');
    const std::string_view parameter = trim_white_space(parameters.substr(0, comma));
    parameters.remove_prefix(comma == std::string_view::npos ? parameters.size() : comma + 1);
    const auto equals = parameter.find('=');
    const std::string_view name = parameter.substr(0, equals);
    std::string_view* const part = name == "Credential"      ? &credentials.credential
                                   : name == "SignedHeaders" ? &credentials.signed_headers
                                   : name == "Signature"     ? &credentials.signature
                                                             : nullptr;
    if (part == nullptr || equals == std::string_view::npos) {
      continue;
    }
    if (!part->empty()) {
      return false;
    }
    *part = parameter.substr(equals + 1);
  }
  return true;
}

Status read_header_form(const Request& request, std::string_view authorization, Credentials& credentials) {
  const std::string_view name = authorization.substr(0, authorization.find(' '));
  if (name != algorithm) {
    return incomplete("Unsupported AWS 'algorithm': '" + std::string(name.substr(0, 64)) + "'. " +
                      hashed(authorization));
  }
  if (!split_authorization(authorization.substr(name.size()), credentials)) {
    return contradictory("Authorization header has a parameter more than once. " + hashed(authorization));
  }
  const std::string_view amz_date = request.header("x-amz-date");
  const std::string_view time = amz_date.empty() ? request.header("date") : amz_date;
  std::string missing;
  if (credentials.credential.empty()) {
    missing += "Authorization header requires 'Credential' parameter. ";
  }
  if (credentials.signature.empty()) {
    missing += "Authorization header requires 'Signature' parameter. ";
  }
  if (credentials.signed_headers.empty()) {
    missing += "Authorization header requires 'SignedHeaders' parameter. ";
  }
  if (time.empty()) {
    missing += "Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header. ";
  }
  if (!missing.empty()) {
    return incomplete(missing + hashed(authorization));
  }
  WAYBILL_TRY(set_time(time, credentials));
  return finish_credential(credentials);
}

std::optional<int64_t> parse_expires(std::string_view text) {
  if (text.empty() || text.size() > 6) {
    return std::nullopt;
  }
  int64_t seconds = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') {
      return std::nullopt;
    }
    seconds = seconds * 10 + (c - '0');
  }
  return seconds >= 1 && seconds <= expires_seconds_max ? std::optional(seconds) : std::nullopt;
}

Status read_query_form(const Request& request, Credentials& credentials) {
  credentials.presigned = true;
  std::string name;
  std::string time;
  std::string expires;
  const struct {
    std::string_view name;
    std::string& value;
  } wanted[] = {{"X-Amz-Algorithm", name},
                {"X-Amz-Credential", credentials.decoded_credential},
                {"X-Amz-Signature", credentials.decoded_signature},
                {"X-Amz-SignedHeaders", credentials.decoded_signed_headers},
                {"X-Amz-Date", time},
                {"X-Amz-Expires", expires}};
  std::string missing;
  for (const auto& parameter : wanted) {
    find_query_parameter(request.query, parameter.name, parameter.value);
    if (parameter.value.empty()) {
      missing += "AWS query-string parameters must include '" + std::string(parameter.name) + "'. ";
    } else if (count_query_parameters(request.query, parameter.name) > 1) {
      return contradictory("'" + std::string(parameter.name) +
                           "' is given more than once in the query string.");
    }
  }
  if (!missing.empty()) {
    return incomplete(missing + "Re-examine the query-string parameters.");
  }
  if (name != algorithm) {
    return incomplete("Unsupported AWS 'algorithm': '" + name.substr(0, 64) + "'.");
  }
  const auto expires_seconds = parse_expires(expires);
  if (!expires_seconds) {
    return incomplete("X-Amz-Expires must be a number of seconds from 1 to 604800.");
  }
  credentials.expires_seconds = *expires_seconds;
  credentials.credential = credentials.decoded_credential;
  credentials.signature = credentials.decoded_signature;
  credentials.signed_headers = credentials.decoded_signed_headers;
  WAYBILL_TRY(set_time(time, credentials));
  return finish_credential(credentials);
}

}  // namespace

Status read_credentials(const Request& request, Credentials& credentials) {
  const std::string_view authorization = request.header("authorization");
  const bool in_query =
      !request.query.empty() && count_query_parameters(request.query, "X-Amz-Algorithm") > 0;
  if (in_query && request.has_header("authorization")) {
    return contradictory(
        "Found both 'X-Amz-Algorithm' as a query-string param and 'Authorization' as HTTP header.");
  }
  if (request.duplicate_header("authorization")) {
    return contradictory("Authorization header is given more than once.");
  }
  if (in_query) {
    return read_query_form(request, credentials);
  }
  if (!authorization.starts_with("AWS4-")) {
    return Error{ErrorKind::missing_authentication, "Request is missing Authentication Token", {}};
  }
  return read_header_form(request, authorization, credentials);
}

namespace {

// As it stands in the header, with what comes behind it, or in the query. `decoded` holds the latter.
std::string_view claimed_credential(const Request& request, std::string& decoded) {
  const std::string_view authorization = request.header("authorization");
  constexpr std::string_view mark = "Credential=";
  if (const auto at = authorization.find(mark); at != std::string_view::npos) {
    return authorization.substr(at + mark.size());
  }
  if (!request.query.empty()) {
    find_query_parameter(request.query, "X-Amz-Credential", decoded);
  }
  return decoded;
}

}  // namespace

std::string claimed_key_id(const Request& request) {
  std::string decoded;
  const auto credential = claimed_credential(request, decoded);
  return std::string(credential.substr(0, std::min(credential.find_first_of("/, "), scope_part_bytes_max)));
}

std::string claimed_service(const Request& request) {
  constexpr int parts_before = 3;
  std::string decoded;
  std::string_view rest = claimed_credential(request, decoded);
  rest = rest.substr(0, rest.find_first_of(", "));
  for (int i = 0; i < parts_before; ++i) {
    const auto slash = rest.find('/');
    if (slash == std::string_view::npos) {
      return {};
    }
    rest.remove_prefix(slash + 1);
  }
  return std::string(rest.substr(0, std::min(rest.find('/'), scope_part_bytes_max)));
}

}  // namespace waybill::http
