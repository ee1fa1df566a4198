#include "api/jobs/query.h"

#include <algorithm>
#include <charconv>

#include "http/uri.h"

namespace waybill::api::jobs {
namespace {

Error malformed(std::string_view name, const std::string& what) {
  return Error{ErrorKind::malformed, std::string(name) + " " + what, std::string(name)};
}

}  // namespace

Query Query::parse(std::string_view text) {
  Query query;
  std::string_view name;
  std::string_view value;
  while (http::next_query_parameter(text, name, value)) {
    if (!name.empty() && !name.starts_with("X-Amz-")) {
      query.parameters_.emplace_back(http::uri_decoded(name), http::uri_decoded(value));
    }
  }
  return query;
}

std::optional<std::string_view> Query::find(std::string_view name) const {
  const auto found = std::ranges::find_if(parameters_, [&](const auto& one) { return one.first == name; });
  return found == parameters_.end() ? std::nullopt : std::optional<std::string_view>(found->second);
}

std::vector<std::string> Query::all(std::string_view name) const {
  std::vector<std::string> values;
  for (const auto& [each, value] : parameters_) {
    if (each == name) {
      values.push_back(value);
    }
  }
  return values;
}

Result<int64_t> Query::integer(std::string_view name, int64_t least, int64_t most, int64_t otherwise) const {
  const auto text = find(name);
  if (!text) {
    return otherwise;
  }
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), value);
  if (error != std::errc() || end != text->data() + text->size() || value < least || value > most) {
    return malformed(name,
                     "must be a whole number from " + std::to_string(least) + " to " + std::to_string(most));
  }
  return value;
}

Status Query::check_names(const std::vector<std::string_view>& known) const {
  for (const auto& [name, value] : parameters_) {
    if (std::ranges::find(known, name) == known.end()) {
      return malformed(name, "is no parameter of this operation");
    }
  }
  return {};
}

}  // namespace waybill::api::jobs
