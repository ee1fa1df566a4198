#include "api/sqs/parameters.h"

#include <utility>

#include "base/bytes.h"
#include "queue/settings.h"

namespace waybill::api::sqs {
namespace {

constexpr std::size_t tag_key_length_max = 128;
constexpr std::size_t tag_value_length_max = 256;

// "http://host/000000000000/name" -> "name"
std::string_view last_segment(std::string_view url) {
  while (url.ends_with('/')) {
    url.remove_suffix(1);
  }
  return url.substr(url.rfind('/') + 1);
}

// Texts are UTF-8: all bytes but those that continue a character.
std::size_t length_of(std::string_view text) {
  std::size_t length = 0;
  for (const char c : text) {
    length += (static_cast<unsigned char>(c) & 0xc0) != 0x80 ? 1 : 0;
  }
  return length;
}

Status check_tag(std::string_view key, std::string_view value) {
  if (key.empty() || length_of(key) > tag_key_length_max) {
    return invalid("Tag keys must be between 1 and 128 characters in length.");
  }
  if (length_of(value) > tag_value_length_max) {
    return invalid("Tag values must be between 0 and 256 characters in length.");
  }
  if (key.starts_with("aws:")) {
    return invalid("Tag keys starting with aws: are reserved for system use.");
  }
  return {};
}

}  // namespace

Error missing_parameter(std::string_view name) {
  return Error{
      ErrorKind::parameter_missing, "The request must contain the parameter " + std::string(name) + ".", {}};
}

Result<std::string_view> required(const std::optional<std::string_view>& value, std::string_view name) {
  if (!value || value->empty()) {
    return missing_parameter(name);
  }
  return *value;
}

Status check_bounds(std::string_view name, const std::optional<int64_t>& value, const Bounds& bounds,
                    std::string_view reason) {
  if (value && (*value < bounds.least || *value > bounds.most)) {
    return queue::invalid_value(std::to_string(*value), name, reason);
  }
  return {};
}

Result<queue::QueuePtr> find_queue(const Call& call, const std::optional<std::string_view>& url) {
  const auto address = url && !url->empty() ? *url : call.client().path;
  const auto name = last_segment(address);
  if (name.empty()) {
    return missing_parameter("QueueUrl");
  }
  WAYBILL_TRY(call.queues().may_know(name));
  auto found = call.queues().find(name);
  if (found == nullptr) {
    return Error{ErrorKind::queue_not_found, "", {}};
  }
  return found;
}

Result<queue::QueuePtr> find_queue(const Call& call, const json::Value& body) {
  Reading reading;
  const Fields fields(body, reading);
  const auto url = fields.string("QueueUrl");
  WAYBILL_TRY(reading.status());
  return find_queue(call, url);
}

TextMap read_text_map(const Fields& fields, std::string_view name) {
  TextMap texts;
  const auto object = fields.string_map(name);
  if (!object || fields.reading().failed()) {
    return texts;
  }
  for (json::Members members(*object); members.next();) {
    texts.insert_or_assign(std::string(members.key()), std::string(members.value().string()));
  }
  return texts;
}

Result<TextMap> with_tags(TextMap tags, const TextMap& given) {
  for (const auto& [key, value] : given) {
    WAYBILL_TRY(check_tag(key, value));
    tags.insert_or_assign(key, value);
  }
  if (tags.size() > tags_max) {
    return invalid("Too many tags added for queue. Up to " + std::to_string(tags_max) + " tags are allowed.");
  }
  return tags;
}

std::string page_token(std::string_view after) {
  std::string token;
  append_base64(token, after);
  return token;
}

Result<std::string> read_page_token(const std::optional<std::string_view>& token) {
  if (!token || token->empty()) {
    return std::string();
  }
  auto after = decode_base64(*token);
  if (!after) {
    return invalid("Invalid or expired next token.");
  }
  return *std::move(after);
}

}  // namespace waybill::api::sqs
