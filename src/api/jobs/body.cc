#include "api/jobs/body.h"

#include <algorithm>

namespace waybill::api::jobs {
namespace {

std::string_view words_for(json::Type type) {
  switch (type) {
    case json::Type::string:
      return "must be a text";
    case json::Type::number:
      return "must be a number";
    case json::Type::boolean:
      return "must be true or false";
    default:
      return "must be an object";
  }
}

}  // namespace

void Body::refuse(std::string_view name, const std::string& what) {
  if (status_) {
    status_ = Error{ErrorKind::invalid, std::string(name) + " " + what, std::string(name)};
  }
}

std::optional<json::Value> Body::take(std::string_view name, json::Type type) {
  known_.push_back(name);
  auto value = input_.body.find(name);
  if (!value || value->is_null()) {
    return {};
  }
  if (value->type() != type) {
    refuse(name, std::string(words_for(type)));
    return {};
  }
  return value;
}

std::string Body::text(std::string_view name, std::size_t bytes_max) {
  const auto value = take(name, json::Type::string);
  if (value && value->string().size() > bytes_max) {
    refuse(name, "must have at most " + std::to_string(bytes_max) + " bytes");
    return {};
  }
  return value ? std::string(value->string()) : std::string();
}

std::string Body::required_text(std::string_view name) {
  auto value = text(name);
  if (value.empty()) {
    refuse(name, "is missing");
  }
  return value;
}

std::optional<int64_t> Body::integer(std::string_view name, int64_t least, int64_t most) {
  const auto value = take(name, json::Type::number);
  if (!value) {
    return {};
  }
  const auto number = input_.document.integer(*value);
  if (!number || *number < least || *number > most) {
    refuse(name, "must be a whole number from " + std::to_string(least) + " to " + std::to_string(most));
    return {};
  }
  return number;
}

bool Body::boolean(std::string_view name, bool otherwise) {
  const auto value = take(name, json::Type::boolean);
  return value ? value->boolean() : otherwise;
}

job::Patch Body::patch(std::string_view name) {
  const auto value = take(name, json::Type::object);
  if (!value) {
    return {};
  }
  auto read = read_patch(record_, input_.document, *value);
  if (!read) {
    if (status_) {
      status_ = read.error();
    }
    return {};
  }
  return *std::move(read);
}

std::string Body::step(std::string_view name) {
  const auto value = input_.body.find(name);
  if (!value || value->type() != json::Type::number) {
    return text(name);
  }
  const auto number = integer(name, 0, INT32_MAX);
  return number ? std::to_string(*number) : std::string();
}

std::vector<std::pair<std::string, std::string>> Body::numbers(std::string_view name) {
  std::vector<std::pair<std::string, std::string>> read;
  const auto value = take(name, json::Type::object);
  if (!value) {
    return read;
  }
  for (json::Members each(*value); each.next();) {
    if (each.value().type() != json::Type::number) {
      refuse(std::string(name).append(".").append(each.key()), "must be a number");
      return {};
    }
    read.emplace_back(each.key(), "");
    input_.document.append_number(read.back().second, each.value());
  }
  return read;
}

Status Body::status() {
  for (json::Members each(input_.body); each.next();) {
    if (std::ranges::find(known_, each.key()) == known_.end()) {
      refuse(each.key(), "is no member of this request");
    }
  }
  return status_;
}

}  // namespace waybill::api::jobs
