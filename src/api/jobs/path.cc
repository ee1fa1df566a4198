#include "api/jobs/path.h"

#include <algorithm>

#include "http/uri.h"

namespace waybill::api::jobs {
namespace {

// Cuts ":verb" off the end.
std::string_view take_verb(std::string_view& segment) {
  const auto colon = segment.rfind(':');
  if (colon == std::string_view::npos || colon + 1 == segment.size()) {
    return {};
  }
  const auto verb = segment.substr(colon + 1);
  if (!std::ranges::all_of(verb, [](char c) { return c >= 'a' && c <= 'z'; })) {
    return {};
  }
  segment = segment.substr(0, colon);
  return verb;
}

std::string_view take_segment(std::string_view& rest) {
  const auto slash = rest.find('/');
  const auto segment = rest.substr(0, slash);
  rest = slash == std::string_view::npos ? std::string_view() : rest.substr(slash + 1);
  return segment;
}

Path parse_contracts(std::string_view rest, bool has_slash) {
  Path path;
  if (!has_slash) {
    path.shape = Path::Shape::contracts;
  } else if (!rest.empty() && rest.find('/') == std::string_view::npos) {
    path.shape = Path::Shape::contract;
    path.contract = http::uri_decoded(rest);
  }
  return path;
}

}  // namespace

Path parse_path(std::string_view text) {
  Path path;
  if (!text.starts_with(path_prefix)) {
    return path;
  }
  std::string_view rest = text.substr(path_prefix.size());
  if (rest == "openapi.json") {
    path.shape = Path::Shape::description;
    return path;
  }
  if (rest == "batch") {
    path.shape = Path::Shape::batch;
    return path;
  }
  const bool has_slash = rest.find('/') != std::string_view::npos;
  const auto first = take_segment(rest);
  if (first == "contracts") {
    return parse_contracts(rest, has_slash);
  }
  const bool has_id = rest.find('/') != std::string_view::npos;
  auto second = take_segment(rest);
  auto third = rest;
  path.verb = take_verb(has_id ? third : second);
  if (first.empty() || second.empty() || (has_id && third.empty()) ||
      third.find('/') != std::string_view::npos) {
    return {};
  }
  path.contract = http::uri_decoded(first);
  path.record = http::uri_decoded(second);
  path.id = http::uri_decoded(third);
  path.shape = has_id ? Path::Shape::record : Path::Shape::records;
  return path;
}

std::string path_of_record(std::string_view contract, std::string_view record, std::string_view id) {
  std::string path(path_prefix);
  path.append(contract).append("/").append(record).append("/");
  http::append_uri_encoded(path, id, false);
  return path;
}

}  // namespace waybill::api::jobs
