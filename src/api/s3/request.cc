#include "api/s3/request.h"

#include <algorithm>
#include <charconv>

#include "bucket/errors.h"
#include "http/uri.h"
#include "object/names.h"

namespace waybill::api::s3 {
namespace {

const std::string nothing;

std::string lower(std::string_view text) {
  std::string made(text);
  std::ranges::transform(made, made.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return made;
}

// "photos.localhost:8000" -> "photos"; "" where the host is the service's own.
std::string bucket_of_host(std::string_view host) {
  const std::string name = lower(host.substr(0, host.find(':')));
  for (const std::string_view mark : {".s3.", ".s3-"}) {
    if (const auto at = name.find(mark); at != std::string::npos) {
      return name.substr(0, at);
    }
  }
  constexpr std::string_view local = ".localhost";
  return name.ends_with(local) ? name.substr(0, name.size() - local.size()) : std::string();
}

void split_path(std::string_view path, Request& made) {
  if (path == path_prefix || path.starts_with(std::string(path_prefix) + "/")) {
    path.remove_prefix(path_prefix.size());
  }
  path.remove_prefix(path.starts_with('/') ? 1 : 0);
  if (made.bucket.empty()) {
    const auto slash = path.find('/');
    made.bucket = http::uri_decoded(path.substr(0, slash));
    path.remove_prefix(slash == std::string_view::npos ? path.size() : slash + 1);
  }
  made.key = http::uri_decoded(path);
}

}  // namespace

const std::string& Request::header(std::string_view lower_case_name) const {
  const auto found = headers.find(lower_case_name);
  return found == headers.end() ? nothing : found->second;
}

const std::string& Request::parameter(std::string_view name) const {
  const auto found = query.find(name);
  return found == query.end() ? nothing : found->second;
}

Result<int64_t> Request::number(std::string_view name, int64_t minimum, int64_t maximum,
                                int64_t otherwise) const {
  const std::string& text = parameter(name);
  if (text.empty()) {
    return otherwise;
  }
  int64_t number = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failure != std::errc() || end != text.data() + text.size() || number < minimum || number > maximum) {
    return bucket::refusal("InvalidArgument", "Argument " + std::string(name) +
                                                  " must be an integer between " + std::to_string(minimum) +
                                                  " and " + std::to_string(maximum));
  }
  return number;
}

Request read_request(const http::Request& request) {
  Request made;
  made.method = request.method;
  made.path = request.path;
  made.bucket = bucket_of_host(request.header("host"));
  split_path(request.path, made);
  std::string_view rest = request.query;
  for (std::string_view name, value; http::next_query_parameter(rest, name, value);) {
    made.query.emplace(http::uri_decoded(name), http::uri_decoded(value));
  }
  for (const auto& header : request.headers) {
    made.headers.emplace(lower(header.name), header.value);
  }
  made.body = request.raw_body;
  return made;
}

Status check_names(const Request& request) {
  if (request.bucket.empty()) {
    return {};
  }
  if (!object::check_bucket_name(request.bucket)) {
    return bucket::refusal("InvalidBucketName", "The specified bucket is not valid.");
  }
  if (request.key.empty()) {
    return {};
  }
  if (const auto checked = object::check_key(request.key); !checked) {
    return checked.error().kind == ErrorKind::limit_exceeded
               ? bucket::refusal("KeyTooLongError", "Your key is too long")
               : bucket::refusal("InvalidArgument", checked.error().message);
  }
  return {};
}

}  // namespace waybill::api::s3
