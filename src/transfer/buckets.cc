#include "transfer/buckets.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <system_error>

namespace waybill::transfer {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t bucket_name_max = 255;

bool is_alphanumeric(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0;
}

}  // namespace

bool is_bucket_name(std::string_view name) {
  const auto allowed = [](char c) { return is_alphanumeric(c) || c == '.' || c == '-' || c == '_'; };
  return name.size() >= 2 && name.size() <= bucket_name_max && std::ranges::all_of(name, allowed) &&
         is_alphanumeric(name.front()) && is_alphanumeric(name.back());
}

bool is_inside(std::string_view key) {
  if (key.starts_with('/') || key.find('\0') != std::string_view::npos) {
    return false;
  }
  for (std::size_t begin = 0; begin <= key.size();) {
    const auto end = std::min(key.find('/', begin), key.size());
    const auto part = key.substr(begin, end - begin);
    if (part == "." || part == "..") {
      return false;
    }
    begin = end + 1;
  }
  return true;
}

Result<std::string> Buckets::folder(std::string_view bucket, std::string_view prefix) const {
  if (!is_bucket_name(bucket)) {
    return invalid("S3Bucket is no name of a bucket: " + std::string(bucket));
  }
  if (!is_inside(prefix)) {
    return invalid("A prefix stays inside of its bucket: " + std::string(prefix));
  }
  std::error_code failure;
  const auto root = fs::weakly_canonical(fs::absolute(directory_), failure);
  if (failure) {
    return invalid("cannot use the folder of buckets " + directory_ + ": " + failure.message());
  }
  // Links that exist are followed here; what they lead to must be inside.
  const auto wanted = root / bucket / prefix;
  const auto real = fs::weakly_canonical(wanted, failure);
  const auto [end, at] = std::ranges::mismatch(root, real);
  if (failure || end != root.end()) {
    return invalid("The bucket " + std::string(bucket) + " leads out of the folder of buckets");
  }
  auto text = real.string();
  while (text.size() > 1 && text.ends_with('/')) {
    text.pop_back();
  }
  return text;
}

}  // namespace waybill::transfer
