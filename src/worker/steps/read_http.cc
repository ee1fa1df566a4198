#include <algorithm>
#include <array>
#include <cctype>

#include "worker/steps/reader_parts.h"

namespace waybill::worker::steps {
namespace {

using contract::Problems;
using contract::Section;
using contract::Yaml;

constexpr int64_t status_min = 100;
constexpr int64_t status_max = 599;

// The host is not a matter of jobs: whoever makes one could send secrets to a place of their own.
bool has_fixed_host(const Pattern& url) {
  const auto& parts = url.parts();
  if (parts.empty()) {
    return false;
  }
  if (parts.front().kind == Pattern::Kind::variable) {
    return parts.size() == 1 || parts[1].text.starts_with("/") || parts[1].text.starts_with("?");
  }
  const auto& text = parts.front().text;
  const bool has_scheme = text.starts_with("http://") || text.starts_with("https://");
  const auto host = text.find("://") + 3;
  return parts.front().kind == Pattern::Kind::text && has_scheme && host < text.size() &&
         (parts.size() == 1 || text.find_first_of("/?", host) != std::string::npos);
}

void check_url(const Yaml& yaml, const Pattern& url, Section& section) {
  if (!has_fixed_host(url)) {
    section.error(yaml.place, section.what() + ": the host of a url is written out",
                  "begin with http:// or https://, a host and a slash, or with ${ENV:NAME}/");
  }
  for (std::size_t at = 1; at < url.parts().size(); ++at) {
    if (url.parts()[at].kind == Pattern::Kind::variable) {
      section.error(yaml.place, section.what() + ": a variable stands at the beginning of a url alone",
                    "put secrets into headers: URLs are written into logs");
    }
  }
}

bool is_header_name(std::string_view name) {
  return !name.empty() && std::ranges::all_of(name, [](unsigned char c) {
    return std::isalnum(c) != 0 ||
           std::string_view("!#$%&'*+-.^_`|~").find(static_cast<char>(c)) != std::string_view::npos;
  });
}

// Headers that are the worker's own matter.
bool is_reserved(std::string name) {
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::tolower(c); });
  constexpr std::array reserved = {"host", "content-length", "transfer-encoding", "connection",
                                   "idempotency-key"};
  return std::ranges::find(reserved, name) != reserved.end();
}

void check_headers(const Yaml& yaml, Section& section) {
  for (const auto& entry : yaml.entries) {
    if (!is_header_name(entry.key) || is_reserved(entry.key)) {
      section.error(entry.place, section.what() + ": there can be no header \"" + entry.key + "\"",
                    "the worker itself sends Host, Content-Length and Idempotency-Key");
    }
  }
}

void read_body(Section& section, const Scope& scope, HttpCall& call) {
  const Yaml* const json = section.take("json");
  const Yaml* const text = section.take("text");
  if (json != nullptr) {
    call.json = read_json(*json, section.what() + ": json", scope, section.problems());
  }
  if (text != nullptr) {
    call.text = read_pattern(*text, section.what() + ": text", scope, section.problems());
  }
  if (json != nullptr && text != nullptr) {
    section.error(text->place, section.what() + " has json and text", "keep one of them");
  }
  const bool is_without = call.method == "GET" || call.method == "HEAD";
  if ((call.json || call.text) && is_without) {
    section.error(section.place(), section.what() + ": a " + call.method + " has no body",
                  "write \"method: POST\", or take the body away");
  }
}

}  // namespace

HttpCall read_http(const Yaml& yaml, const std::string& what, const Scope& scope, Problems& problems) {
  HttpCall call;
  Section section(yaml, what, problems);
  const Scope with_variables{scope.earlier, false, true};
  call.method = section.choice("method", {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"}).value_or("GET");
  if (const Yaml* const url = section.need("url", "write where the request goes")) {
    call.url = read_pattern(*url, what + ": url", with_variables, problems);
    check_url(*url, call.url, section);
  }
  if (const Yaml* const headers = section.take("headers")) {
    call.headers = read_patterns(*headers, what + ": headers", with_variables, problems);
    check_headers(*headers, section);
  }
  read_body(section, scope, call);
  call.expect = read_codes(section, "expect", status_min, status_max);
  call.retry_on = read_codes(section, "retry_on", status_min, status_max);
  return call;
}

}  // namespace waybill::worker::steps
