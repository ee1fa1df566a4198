#include "asset/parameters.h"

#include <algorithm>
#include <cmath>

#include "asset/provider.h"

namespace waybill::asset {

namespace {

std::string shown(double value) {
  std::string text;
  json::append_double(text, value);
  return text.ends_with(".0") ? text.substr(0, text.size() - 2) : text;
}

std::string joined(const auto& words) {
  std::string text;
  for (const auto& word : words) {
    text += (text.empty() ? "" : ", ") + std::string(word);
  }
  return text;
}

}  // namespace

Result<Parameters> Parameters::read(std::string_view text) {
  Parameters parameters;
  if (text.empty()) {
    return parameters;
  }
  if (text.size() > parameters_bytes_max) {
    return Error{ErrorKind::too_large,
                 "the parameters have more than " + std::to_string(parameters_bytes_max) + " bytes",
                 {}};
  }
  json::Parser parser;
  const auto value = parser.parse_copy(text);
  if (!value || !value->is_object()) {
    return invalid("the parameters must be a JSON object, such as {\"ratio\": 0.25}");
  }
  json::Members members(*value);
  while (members.next()) {
    Given given{std::string(members.key()), members.value().type(), 0, {}};
    if (given.type == json::Type::number) {
      given.number = members.value().number();
    } else if (given.type == json::Type::string) {
      given.word = members.value().string();
    }
    parameters.given_.push_back(std::move(given));
  }
  return parameters;
}

const Parameters::Given* Parameters::take(std::string_view name) {
  known_.emplace_back(name);
  const auto found =
      std::find_if(given_.rbegin(), given_.rend(), [&](const Given& given) { return given.name == name; });
  return found == given_.rend() ? nullptr : &*found;
}

void Parameters::refuse(std::string message) {
  if (problem_.empty()) {
    problem_ = std::move(message);
  }
}

double Parameters::number(std::string_view name, Range range) {
  const Given* const given = take(name);
  if (given == nullptr) {
    return range.fallback;
  }
  if (given->type != json::Type::number || !(given->number >= range.least && given->number <= range.most)) {
    refuse("the parameter " + std::string(name) + " must be a number from " + shown(range.least) + " to " +
           shown(range.most));
    return range.fallback;
  }
  return given->number;
}

int Parameters::whole(std::string_view name, Range range) {
  const double value = number(name, range);
  if (value != std::floor(value)) {
    refuse("the parameter " + std::string(name) + " must be a whole number");
  }
  return static_cast<int>(value);
}

std::string Parameters::word(std::string_view name, std::initializer_list<std::string_view> words) {
  const Given* const given = take(name);
  if (given == nullptr) {
    return std::string(*words.begin());
  }
  if (given->type != json::Type::string ||
      std::find(words.begin(), words.end(), given->word) == words.end()) {
    refuse("the parameter " + std::string(name) + " must be one of: " + joined(words));
    return std::string(*words.begin());
  }
  return given->word;
}

Status Parameters::finish() const {
  if (!problem_.empty()) {
    return invalid(problem_);
  }
  for (const auto& given : given_) {
    if (std::find(known_.begin(), known_.end(), given.name) == known_.end()) {
      return invalid("unknown parameter " + given.name +
                     (known_.empty() ? "; this stage has none" : "; this stage knows: " + joined(known_)));
    }
  }
  return {};
}

}  // namespace waybill::asset
