#include "job/cursor.h"

#include <algorithm>

#include "base/bytes.h"
#include "job/digest.h"

namespace waybill::job {

namespace {

constexpr std::size_t binding_bytes = 8;

std::string binding_of(std::string_view list) {
  return sha256(list).substr(0, binding_bytes);
}

Error other_list() {
  return {ErrorKind::invalid, "The cursor is none of this list: begin without one", "cursor"};
}

}  // namespace

std::string print_cursor(std::string_view list, std::string_view place) {
  std::string text;
  append_base64(text, binding_of(list).append(place));
  std::ranges::replace(text, '+', '-');
  std::ranges::replace(text, '/', '_');
  text.erase(text.find_last_not_of('=') + 1);
  return text;
}

Result<std::string> parse_cursor(std::string_view list, std::string_view text) {
  if (text.empty()) {
    return std::string();
  }
  std::string standard(text);
  std::ranges::replace(standard, '-', '+');
  std::ranges::replace(standard, '_', '/');
  standard.append((4 - standard.size() % 4) % 4, '=');
  const auto bytes = decode_base64(standard);
  if (!bytes || bytes->size() <= binding_bytes || !bytes->starts_with(binding_of(list))) {
    return other_list();
  }
  return bytes->substr(binding_bytes);
}

Status resume(table::KeyRange& keys, std::string_view list, std::string_view text, bool forward) {
  WAYBILL_TRY_ASSIGN(const auto place, parse_cursor(list, text));
  if (place.empty()) {
    return {};
  }
  if (!keys.holds(place)) {
    return other_list();
  }
  keys.resume_after(place, forward);
  return {};
}

}  // namespace waybill::job
