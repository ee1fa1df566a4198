#include "queue/draft.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "queue/settings.h"

namespace waybill::queue {
namespace {

constexpr std::size_t attributes_max = 10;
constexpr std::size_t attribute_name_length_max = 256;
constexpr std::size_t id_length_max = 128;  // of groups, and for deduplication
constexpr std::size_t number_digits_max = 38;
constexpr std::string_view not_of_this_queue_type =
    "The request include parameter that is not valid for this queue type.";

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_letter_or_digit(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// How many bytes there are before one that is worth a look, eight at a time: most texts have none.
std::size_t plain_prefix(std::string_view text) {
  constexpr uint64_t ones = 0x0101010101010101;
  constexpr uint64_t tops = 0x8080808080808080;
  std::size_t count = 0;
  for (uint64_t eight = 0; text.size() - count >= sizeof(eight); count += sizeof(eight)) {
    std::memcpy(&eight, text.data() + count, sizeof(eight));
    // A byte below 0x20 borrows from its top bit; one above 0x7f has it.
    if ((((eight - ones * 0x20) | eight) & tops) != 0) {
      break;
    }
  }
  return count;
}

// Where the first character is that no message may have. Besides the control characters those are U+FFFE and
// U+FFFF alone: UTF-8 has no surrogates.
std::size_t find_forbidden(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    i += plain_prefix(text.substr(i));
    if (i == text.size()) {
      break;
    }
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte < 0x20 && byte != '\t' && byte != '\n' && byte != '\r') {
      return i;
    }
    if (byte == 0xef && text.substr(i, 2) == "\xef\xbf" && text.size() > i + 2 &&
        static_cast<unsigned char>(text[i + 2]) >= 0xbe) {
      return i;
    }
  }
  return std::string_view::npos;
}

std::string forbidden_text(std::string_view text, std::size_t at, std::string_view where) {
  const auto byte = static_cast<unsigned char>(text[at]);
  const unsigned code = byte < 0x20                                        ? byte
                        : static_cast<unsigned char>(text[at + 2]) == 0xbe ? 0xfffeU
                                                                           : 0xffffU;
  char hex[8];
  std::snprintf(hex, sizeof(hex), "#x%X", code);
  std::string message = "Invalid binary character '";
  return message.append(hex)
      .append("' was found in the ")
      .append(where)
      .append(
          ", the set of allowed characters is #x9 | #xA | #xD | #x20 to #xD7FF | #xE000 to #xFFFD | #x10000 "
          "to "
          "#x10FFFF");
}

Error missing(std::string_view parameter) {
  return Error{ErrorKind::parameter_missing,
               "The request must contain the parameter " + std::string(parameter) + ".",
               {}};
}

bool is_reserved(std::string_view name) {
  std::string lower(name.substr(0, 7));
  std::ranges::transform(lower, lower.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; });
  return lower.starts_with("aws.") || lower == "amazon.";
}

Status check_attribute_name(std::string_view name) {
  if (name.empty() || name.size() > attribute_name_length_max) {
    return invalid("Length of message attribute name must be at least 1 and at most 256.");
  }
  const bool has_only_allowed = std::ranges::all_of(
      name, [](char c) { return is_letter_or_digit(c) || c == '_' || c == '-' || c == '.'; });
  if (!has_only_allowed) {
    return invalid(
        "Invalid non-alphanumeric character was found in the message attribute name. Can only include "
        "alphanumeric characters, hyphens, underscores, or periods.");
  }
  if (name.starts_with('.') || name.ends_with('.') || name.find("..") != std::string_view::npos) {
    return invalid(
        "Invalid message attribute name. It cannot start or end with a period, or have two in a row.");
  }
  if (is_reserved(name)) {
    return invalid(
        "You can't use message attribute names beginning with 'AWS.' or 'Amazon.'. These strings "
        "are reserved for internal use.");
  }
  return {};
}

// [+-] digits [. digits] [e [+-] digits], of 38 digits at most.
bool is_number(std::string_view text) {
  const auto take_digits = [&text] {
    const auto count = std::min(text.find_first_not_of("0123456789"), text.size());
    text.remove_prefix(count);
    return count;
  };
  const auto take_sign = [&text] {
    text.remove_prefix(text.starts_with('-') || text.starts_with('+') ? 1 : 0);
  };
  take_sign();
  std::size_t digits = take_digits();
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    digits += take_digits();
  }
  if (digits == 0 || digits > number_digits_max) {
    return false;
  }
  if (text.starts_with('e') || text.starts_with('E')) {
    text.remove_prefix(1);
    take_sign();
    constexpr std::size_t exponent_digits_max = 3;
    const auto exponent = take_digits();
    if (exponent == 0 || exponent > exponent_digits_max) {
      return false;
    }
  }
  return text.empty();
}

Status check_attribute_type(const MessageAttribute& attribute) {
  const auto prefix = std::string_view(attribute.type).substr(0, attribute.type.find('.'));
  if (prefix != "String" && prefix != "Number" && prefix != "Binary") {
    return invalid("The type of message (user) attribute '" + attribute.name +
                   "' is invalid. You must use only the following supported type prefixes: Binary, Number, "
                   "String.");
  }
  if (attribute.type.size() > attribute_name_length_max) {
    return invalid("Length of message attribute type must be less than 256 bytes.");
  }
  return {};
}

Status check_attribute(const MessageAttribute& attribute) {
  WAYBILL_TRY(check_attribute_name(attribute.name));
  WAYBILL_TRY(check_attribute_type(attribute));
  if (attribute.value.empty()) {
    return invalid("Message (user) attribute '" + attribute.name +
                   "' must contain a non-empty value of type '" +
                   (attribute.is_binary() ? "Binary" : "String") + "'.");
  }
  if (attribute.is_binary()) {
    return {};
  }
  if (attribute.type.starts_with("Number") && !is_number(attribute.value)) {
    return invalid("Can't cast the value of message (user) attribute '" + attribute.name + "' to a number.");
  }
  if (const auto at = find_forbidden(attribute.value); at != std::string_view::npos) {
    return invalid(forbidden_text(attribute.value, at, "message attribute '" + attribute.name + "'"));
  }
  return {};
}

Status check_attributes(const std::vector<MessageAttribute>& attributes) {
  if (attributes.size() > attributes_max) {
    return invalid("Number of message attributes [" + std::to_string(attributes.size()) +
                   "] exceeds the allowed maximum [" + std::to_string(attributes_max) + "].");
  }
  for (std::size_t i = 0; i < attributes.size(); ++i) {
    WAYBILL_TRY(check_attribute(attributes[i]));
    if (i > 0 && attributes[i].name == attributes[i - 1].name) {
      return invalid("Message (user) attribute name '" + attributes[i].name + "' already exists.");
    }
  }
  return {};
}

Status check_size(const Queue& queue, const Draft& draft) {
  const auto most = queue.settings.message_bytes_max;
  if (size_bytes(draft) > most) {
    return invalid("One or more parameters are invalid. Reason: Message must be shorter than " +
                   std::to_string(most) + " bytes.");
  }
  return {};
}

Status check_delay(const Settings& settings, const Draft& draft) {
  const int64_t delay = draft.delay_seconds.value_or(0);
  const int64_t most = settings.allows_long_delays ? long_delay_seconds_max : delay_seconds_max;
  if (delay < 0 || delay > most) {
    return invalid_value(std::to_string(delay), "DelaySeconds",
                         "DelaySeconds must be >= 0 and <= " + std::to_string(most) + ".");
  }
  // The messages of a FIFO queue wait as long as the queue says: else one would overtake another.
  if (settings.is_fifo && delay != 0) {
    return invalid_value(std::to_string(delay), "DelaySeconds", not_of_this_queue_type);
  }
  return {};
}

Status check_id(std::string_view parameter, const std::optional<std::string_view>& id) {
  if (!id) {
    return {};
  }
  const bool has_only_allowed = std::ranges::all_of(*id, [](char c) { return c > ' ' && c <= '~'; });
  if (id->empty() || id->size() > id_length_max || !has_only_allowed) {
    return invalid_value(
        *id, parameter,
        std::string(parameter) +
            " can only include alphanumeric and punctuation characters. 1 to 128 in length.");
  }
  return {};
}

Status check_order(const Settings& settings, const Draft& draft) {
  if (settings.is_fifo && !draft.group) {
    return missing("MessageGroupId");
  }
  WAYBILL_TRY(check_id("MessageGroupId", draft.group));
  if (!settings.is_fifo && draft.deduplication_id) {
    return invalid_value(*draft.deduplication_id, "MessageDeduplicationId", not_of_this_queue_type);
  }
  WAYBILL_TRY(check_id("MessageDeduplicationId", draft.deduplication_id));
  if (settings.is_fifo && !draft.deduplication_id && !settings.deduplicates_by_content) {
    return invalid(
        "The queue should either have ContentBasedDeduplication enabled or MessageDeduplicationId provided "
        "explicitly");
  }
  return {};
}

}  // namespace

std::size_t size_bytes(const Draft& draft) {
  std::size_t bytes = draft.body.size();
  for (const auto& attribute : draft.attributes) {
    bytes += attribute.name.size() + attribute.type.size() + attribute.value.size();
  }
  return bytes;
}

bool has_only_message_characters(std::string_view text) {
  return find_forbidden(text) == std::string_view::npos;
}

Status check(const Queue& queue, const Draft& draft) {
  if (draft.body.empty()) {
    return missing("MessageBody");
  }
  WAYBILL_TRY(check_size(queue, draft));
  if (const auto at = find_forbidden(draft.body); at != std::string_view::npos) {
    return Error{ErrorKind::message_invalid, forbidden_text(draft.body, at, "message body"), {}};
  }
  WAYBILL_TRY(check_attributes(draft.attributes));
  WAYBILL_TRY(check_delay(queue.settings, draft));
  return check_order(queue.settings, draft);
}

}  // namespace waybill::queue
