#include "api/jobs/cursor.h"

#include <algorithm>

#include "base/bytes.h"
#include "http/sha256.h"

namespace waybill::api::jobs {
namespace {

constexpr std::size_t check_bytes = 12;

std::string check_of(std::string_view place, std::string_view binding) {
  std::string text(binding);
  text.push_back('\0');
  text.append(place);
  return std::string(http::bytes_of(http::sha256(text)).substr(0, check_bytes));
}

}  // namespace

std::string print_cursor(std::string_view place, std::string_view binding) {
  std::string text;
  append_base64(text, check_of(place, binding).append(place));
  std::ranges::replace(text, '+', '-');
  std::ranges::replace(text, '/', '_');
  text.erase(std::min(text.find('='), text.size()));
  return text;
}

Result<std::string> parse_cursor(std::string_view text, std::string_view binding) {
  if (text.empty()) {
    return std::string();
  }
  std::string padded(text);
  std::ranges::replace(padded, '-', '+');
  std::ranges::replace(padded, '_', '/');
  padded.append((4 - padded.size() % 4) % 4, '=');
  const auto bytes = decode_base64(padded);
  if (!bytes || bytes->size() < check_bytes ||
      bytes->substr(0, check_bytes) != check_of(std::string_view(*bytes).substr(check_bytes), binding)) {
    return Error{ErrorKind::malformed,
                 "The cursor is not one of this list: use `next` of its last page, with the same parameters.",
                 "cursor"};
  }
  return bytes->substr(check_bytes);
}

}  // namespace waybill::api::jobs
