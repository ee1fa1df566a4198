#include "cli/job/target.h"

#include "http/uri.h"

namespace waybill::cli::job {

std::string Target::text() const {
  return contract + "/" + record + (id.empty() ? "" : "/" + id);
}

std::optional<Target> parse_target(std::string_view text) {
  const auto first = text.find('/');
  if (first == std::string_view::npos) {
    return {};
  }
  const auto second = text.find('/', first + 1);
  Target target;
  target.contract = text.substr(0, first);
  target.record = text.substr(first + 1, second == std::string_view::npos ? second : second - first - 1);
  target.id = second == std::string_view::npos ? std::string_view() : text.substr(second + 1);
  const bool has_empty_id = second != std::string_view::npos && target.id.empty();
  if (target.contract.empty() || target.record.empty() || has_empty_id) {
    return {};
  }
  return target;
}

std::string path_of(const Target& target, std::string_view verb) {
  std::string path = "/v1/";
  http::append_uri_encoded(path, target.contract, false);
  path += "/";
  http::append_uri_encoded(path, target.record, false);
  if (!target.id.empty()) {
    path += "/";
    http::append_uri_encoded(path, target.id, false);
  }
  return verb.empty() ? path : path.append(":").append(verb);
}

}  // namespace waybill::cli::job
