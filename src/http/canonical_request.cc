#include "http/canonical_request.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "http/uri.h"

namespace waybill::http {
namespace {

constexpr std::string_view signature_parameter = "X-Amz-Signature";

// "/a/./b//../c/" -> "/a/c/"
std::string normalized_path(std::string_view path) {
  std::vector<std::string_view> segments;
  std::string_view rest = path;
  while (!rest.empty()) {
    const std::string_view segment = rest.substr(0, rest.find('/'));
    rest.remove_prefix(std::min(segment.size() + 1, rest.size()));
    if (segment == "..") {
      if (!segments.empty()) {
        segments.pop_back();
      }
    } else if (!segment.empty() && segment != ".") {
      segments.push_back(segment);
    }
  }
  std::string out;
  for (const std::string_view segment : segments) {
    out.append("/").append(segment);
  }
  if (out.empty() || path.ends_with('/')) {
    out.push_back('/');
  }
  return out;
}

void append_path(std::string& out, std::string_view path, bool object_store) {
  if (path.empty() || path == "/") {
    out.push_back('/');
  } else if (object_store) {
    append_uri_encoded(out, uri_decoded(path), true);
  } else {
    append_uri_encoded(out, normalized_path(path), true);
  }
}

void append_query(std::string& out, std::string_view query, bool presigned) {
  std::vector<std::pair<std::string, std::string>> parameters;
  std::string_view name;
  std::string_view value;
  while (next_query_parameter(query, name, value)) {
    const std::string decoded_name = uri_decoded(name);
    if (presigned && decoded_name == signature_parameter) {
      continue;
    }
    auto& [encoded_name, encoded_value] = parameters.emplace_back();
    append_uri_encoded(encoded_name, decoded_name, false);
    append_uri_encoded(encoded_value, uri_decoded(value), false);
  }
  std::sort(parameters.begin(), parameters.end());
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    out.append(i == 0 ? "" : "&").append(parameters[i].first).append("=").append(parameters[i].second);
  }
}

// `value` has no white space around it.
void append_collapsed(std::string& out, std::string_view value) {
  if (value.find("  ") == std::string_view::npos && value.find('\t') == std::string_view::npos) {
    out.append(value);
    return;
  }
  bool in_space = false;
  for (const char c : value) {
    const bool space = c == ' ' || c == '\t';
    if (!space || !in_space) {
      out.push_back(space ? ' ' : c);
    }
    in_space = space;
  }
}

void append_header(std::string& out, const Request& request, std::string_view name) {
  out.append(name).append(":");
  bool first = true;
  for (const Header& header : request.headers) {
    if (equals_ignoring_case(header.name, name)) {
      out.append(first ? "" : ",");
      append_collapsed(out, header.value);
      first = false;
    }
  }
  out.push_back('\n');
}

}  // namespace

void append_canonical_request(std::string& out, const Request& request, const CanonicalForm& form) {
  out.append(request.method).append("\n");
  append_path(out, request.path, form.object_store);
  out.push_back('\n');
  append_query(out, request.query, form.presigned);
  out.push_back('\n');
  for (std::string_view rest = form.signed_headers; !rest.empty();) {
    const std::string_view name = rest.substr(0, rest.find(';'));
    rest.remove_prefix(std::min(name.size() + 1, rest.size()));
    append_header(out, request, name);
  }
  out.append("\n").append(form.signed_headers).append("\n").append(form.payload_hash);
}

}  // namespace waybill::http
