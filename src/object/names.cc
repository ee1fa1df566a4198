#include "object/names.h"

#include <algorithm>
#include <string>

#include "base/utf8.h"

namespace waybill::object {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_letter_or_digit(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z');
}

// Four numbers with dots between: some clients would take the bucket in "bucket.host" for an address.
bool looks_like_address(std::string_view name) {
  int numbers = 1;
  std::size_t digits = 0;
  for (const char c : name) {
    if (c == '.') {
      ++numbers;
      digits = 0;
    } else if (!is_digit(c) || ++digits > 3) {
      return false;
    }
  }
  return numbers == 4;
}

Error bad_bucket_name(std::string_view why) {
  return invalid("The specified bucket is not valid. " + std::string(why));
}

Status check_reserved(std::string_view name) {
  for (const std::string_view prefix : {"xn--", "sthree-", "amzn-s3-demo-"}) {
    if (name.starts_with(prefix)) {
      return bad_bucket_name("Names that begin with " + std::string(prefix) + " are reserved.");
    }
  }
  for (const std::string_view suffix : {"-s3alias", "--ol-s3", ".mrap", "--x-s3", "--table-s3"}) {
    if (name.ends_with(suffix)) {
      return bad_bucket_name("Names that end with " + std::string(suffix) + " are reserved.");
    }
  }
  return {};
}

}  // namespace

Status check_bucket_name(std::string_view name) {
  if (name.size() < bucket_name_bytes_min || name.size() > bucket_name_bytes_max) {
    return bad_bucket_name("A name has 3 to 63 characters.");
  }
  if (!std::all_of(name.begin(), name.end(),
                   [](char c) { return is_letter_or_digit(c) || c == '.' || c == '-'; })) {
    return bad_bucket_name("A name has lower-case letters, digits, dots and hyphens only.");
  }
  if (!is_letter_or_digit(name.front()) || !is_letter_or_digit(name.back())) {
    return bad_bucket_name("A name begins and ends with a letter or a digit.");
  }
  if (name.find("..") != std::string_view::npos) {
    return bad_bucket_name("A name has no two dots in a row.");
  }
  if (looks_like_address(name)) {
    return bad_bucket_name("A name does not look like an IP address.");
  }
  return check_reserved(name);
}

Status check_key(std::string_view key) {
  if (key.empty()) {
    return invalid("A key has at least one character.");
  }
  if (key.size() > key_bytes_max) {
    return Error{
        ErrorKind::limit_exceeded, "Your key is too long. A key has at most 1024 bytes of UTF-8.", {}};
  }
  if (!is_utf8(key)) {
    return invalid("A key must be UTF-8. Encode it before it is escaped for the URL.");
  }
  return {};
}

}  // namespace waybill::object
