#include "bucket/bucket_row.h"

#include <algorithm>

#include "bucket/errors.h"
#include "bucket/row.h"

namespace waybill::bucket {
namespace {

constexpr std::string_view kind = "bucket";

// "image/JPEG; q=1" -> "image/jpeg"
std::string plain_type(std::string_view content_type) {
  content_type = content_type.substr(0, content_type.find(';'));
  while (content_type.ends_with(' ')) {
    content_type.remove_suffix(1);
  }
  std::string plain(content_type);
  std::ranges::transform(plain, plain.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return plain;
}

std::string listed(const std::vector<std::string>& types) {
  std::string text;
  for (const auto& type : types) {
    text += (text.empty() ? "" : ", ") + type;
  }
  return text;
}

}  // namespace

item::Item key_of_bucket(std::string_view name) {
  item::Item key;
  add_text(key, "kind", kind);
  add_text(key, "name", name);
  return key;
}

item::Item encode(const BucketRow& row) {
  item::Item made = key_of_bucket(row.name);
  add_whole(made, "created", row.created_ms);
  if (!row.contract.empty()) {
    add_text(made, "contract", row.contract);
  }
  if (row.limits.bytes_max) {
    add_whole(made, "size_max", static_cast<int64_t>(*row.limits.bytes_max));
  }
  if (!row.limits.types.empty()) {
    add_list(made, "types", row.limits.types);
  }
  if (row.limits.expires_s) {
    add_whole(made, "expires", *row.limits.expires_s);
  }
  return made;
}

BucketRow read_bucket_row(item::ItemView row) {
  BucketRow made;
  made.name = text_in(row, "name");
  made.created_ms = whole_in(row, "created").value_or(0);
  made.contract = text_in(row, "contract");
  if (const auto bytes_max = whole_in(row, "size_max")) {
    made.limits.bytes_max = static_cast<uint64_t>(*bytes_max);
  }
  made.limits.types = list_in(row, "types");
  made.limits.expires_s = whole_in(row, "expires");
  return made;
}

Status check_limits(const BucketRow& bucket, std::string_view content_type, std::optional<uint64_t> bytes) {
  const Limits& limits = bucket.limits;
  if (limits.bytes_max && bytes && *bytes > *limits.bytes_max) {
    return too_large(*limits.bytes_max);
  }
  if (!limits.types.empty() &&
      std::ranges::find(limits.types, plain_type(content_type)) == limits.types.end()) {
    return Error{
        ErrorKind::invalid,
        "The bucket " + bucket.name + " takes objects of the types " + listed(limits.types) +
            ", and this one is of the type " +
            (content_type.empty() ? "binary/octet-stream" : std::string(content_type.substr(0, 100))) +
            ". Send one of them as Content-Type.",
        "InvalidRequest"};
  }
  return {};
}

}  // namespace waybill::bucket
