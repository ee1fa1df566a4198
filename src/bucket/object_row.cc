#include "bucket/object_row.h"

namespace waybill::bucket {

std::string Description::content_type() const {
  const auto found = headers.find("content-type");
  return found == headers.end() ? std::string() : found->second;
}

void add_description(item::Item& row, const Description& description) {
  add_texts(row, "headers", description.headers);
  add_texts(row, "metadata", description.metadata);
}

Description read_description(item::ItemView row) {
  return {texts_in(row, "headers"), texts_in(row, "metadata")};
}

void add_checksum(item::Item& row, const std::optional<ToldChecksum>& checksum) {
  if (checksum) {
    add_text(row, "checksum", checksum->text);
    add_text(row, "checksum_algorithm", object::name_of(checksum->algorithm));
    add_text(row, "checksum_type", object::name_of(checksum->type));
  }
}

std::optional<ToldChecksum> read_checksum(item::ItemView row) {
  const auto algorithm = object::algorithm_named(text_in(row, "checksum_algorithm"));
  const auto type = object::type_named(text_in(row, "checksum_type"));
  if (!algorithm || !type) {
    return {};
  }
  return ToldChecksum{*algorithm, *type, text_in(row, "checksum")};
}

item::Item key_of_object(std::string_view bucket, std::string_view key) {
  item::Item made;
  add_text(made, "bucket", bucket);
  add_text(made, "key", key);
  return made;
}

item::Item encode(const ObjectRow& row) {
  item::Item made = key_of_object(row.bucket, row.key);
  add_text(made, "content", row.content);
  add_whole(made, "bytes", static_cast<int64_t>(row.bytes));
  add_text(made, "etag", row.etag);
  add_whole(made, "modified", row.modified_ms);
  if (row.expires_s) {
    add_whole(made, "expires", *row.expires_s);
  }
  add_description(made, row.description);
  add_checksum(made, row.checksum);
  if (!row.part_sizes.empty()) {
    add_text(made, "parts", row.part_sizes);
  }
  return made;
}

ObjectRow read_object_row(item::ItemView row) {
  ObjectRow made;
  made.bucket = text_in(row, "bucket");
  made.key = text_in(row, "key");
  made.content = text_in(row, "content");
  made.bytes = static_cast<uint64_t>(whole_in(row, "bytes").value_or(0));
  made.etag = text_in(row, "etag");
  made.modified_ms = whole_in(row, "modified").value_or(0);
  made.expires_s = whole_in(row, "expires");
  made.description = read_description(row);
  made.checksum = read_checksum(row);
  made.part_sizes = text_in(row, "parts");
  return made;
}

}  // namespace waybill::bucket
