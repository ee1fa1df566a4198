#include "depot/location.h"

#include "object/names.h"

namespace waybill::depot {
namespace {

constexpr std::string_view scheme = "s3://";
constexpr std::size_t prefix_bytes_max = 512;
constexpr std::string_view safe_characters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.!*()/";

bool is_name(std::string_view part) {
  return !part.empty() && part != "." && part != "..";
}

bool is_prefix(std::string_view prefix) {
  if (prefix.size() > prefix_bytes_max ||
      prefix.find_first_not_of(safe_characters) != std::string_view::npos) {
    return false;
  }
  while (!prefix.empty()) {
    const auto part = prefix.substr(0, prefix.find('/'));
    if (!is_name(part)) {
      return false;
    }
    prefix.remove_prefix(std::min(part.size() + 1, prefix.size()));
  }
  return true;
}

}  // namespace

Result<Location> read_location(std::string_view text) {
  const auto expected = invalid(
      "--objects takes s3://BUCKET or s3://BUCKET/PREFIX, where the prefix has letters, digits and -_.!*()/ "
      "alone; got '" +
      std::string(text) + "'");
  if (!text.starts_with(scheme)) {
    return expected;
  }
  text.remove_prefix(scheme.size());
  const auto bucket = text.substr(0, text.find('/'));
  auto prefix = text.substr(std::min(bucket.size() + 1, text.size()));
  if (prefix.ends_with('/')) {
    prefix.remove_suffix(1);
  }
  if (!object::check_bucket_name(bucket) || !is_prefix(prefix)) {
    return expected;
  }
  return Location{std::string(bucket), prefix.empty() ? "" : std::string(prefix) + "/"};
}

std::string text_of(const Location& location) {
  std::string text = std::string(scheme) + location.bucket + "/" + location.prefix;
  text.pop_back();
  return text;
}

}  // namespace waybill::depot
