#include "http/sign_request.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <vector>

#include "base/bytes.h"
#include "http/amz_time.h"
#include "http/signer.h"

namespace waybill::http {
namespace {

constexpr std::size_t date_bytes = 8;

// What a request line and its Host header are made of.
struct UrlParts {
  std::string host;  // with its port, as it is written
  std::string path;
  std::string query;  // without '?'
};

Result<UrlParts> split(const std::string& url) {
  const auto scheme = url.find("://");
  if (scheme == std::string::npos) {
    return invalid("a URL begins with http:// or https:// and has a host");
  }
  const auto begin = scheme + 3;
  const auto end = std::min(url.find_first_of("/?", begin), url.size());
  UrlParts parts;
  parts.host = url.substr(begin, end - begin);
  const auto query = std::min(url.find('?', end), url.size());
  parts.path = url.substr(end, query - end);
  parts.query = query < url.size() ? url.substr(query + 1) : "";
  if (parts.path.empty()) {
    parts.path = "/";
  }
  const std::string usual_port = url.starts_with("https://") ? ":443" : ":80";
  if (parts.host.ends_with(usual_port)) {
    parts.host.resize(parts.host.size() - usual_port.size());
  }
  return parts;
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return std::tolower(c); });
  return lower;
}

// By name, in the order of the signature.
std::map<std::string, std::string> signed_headers(const ClientRequest& request, const std::string& host) {
  std::map<std::string, std::string> headers{{"host", host}};
  for (const auto& line : request.headers) {
    const auto colon = line.find(':');
    const auto name = lower_case(std::string_view(line).substr(0, colon));
    if (colon != std::string::npos && name.starts_with("x-amz-")) {
      const auto begin = line.find_first_not_of(" \t", colon + 1);
      const auto end = line.find_last_not_of(" \t") + 1;
      headers[name] = begin == std::string::npos ? "" : line.substr(begin, end - begin);
    }
  }
  return headers;
}

}  // namespace

Status sign_request(ClientRequest& request, const Signing& signing) {
  WAYBILL_TRY_ASSIGN(const auto url, split(request.url));
  const bool is_object_store = signing.service == "s3";
  const std::string time = format_amz_time(signing.wall_seconds);
  const std::string date = time.substr(0, date_bytes);
  const std::string payload_hash =
      signing.payload_hash.empty() ? hex_lower(bytes_of(sha256(request.body))) : signing.payload_hash;
  request.headers.push_back("X-Amz-Date: " + time);
  if (is_object_store) {
    request.headers.push_back("X-Amz-Content-Sha256: " + payload_hash);
  }
  if (!signing.key.session_token.empty()) {
    request.headers.push_back("X-Amz-Security-Token: " + signing.key.session_token);
  }
  const auto headers = signed_headers(request, url.host);
  Request shown;
  shown.method = request.method;
  shown.path = url.path;
  shown.query = url.query;
  std::string names;
  for (const auto& [name, value] : headers) {
    shown.headers.push_back({name, value});
    names.append(names.empty() ? "" : ";").append(name);
  }
  CanonicalForm form;
  form.signed_headers = names;
  form.payload_hash = payload_hash;
  form.object_store = is_object_store;
  const std::string scope = date + "/" + signing.region + "/" + signing.service + "/aws4_request";
  const auto key = derive_signing_key(signing.key.secret, {date, signing.region, signing.service});
  request.headers.push_back("Authorization: AWS4-HMAC-SHA256 Credential=" + signing.key.id + "/" + scope +
                            ", SignedHeaders=" + names + ", Signature=" +
                            hex_lower(bytes_of(signature_of(shown, form, time, scope, key))));
  return {};
}

}  // namespace waybill::http
