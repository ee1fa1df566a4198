#include "bucket/upload_row.h"

namespace waybill::bucket {
namespace {

std::string place_of(std::string_view key, std::string_view id) {
  return std::string(key).append(1, '\0').append(id);
}

}  // namespace

item::Item key_of_upload(std::string_view bucket, std::string_view key, std::string_view id) {
  item::Item made;
  add_text(made, "bucket", bucket);
  add_text(made, "place", place_of(key, id));
  return made;
}

item::Item encode(const UploadRow& row) {
  item::Item made = key_of_upload(row.bucket, row.key, row.id);
  add_text(made, "key", row.key);
  add_text(made, "id", row.id);
  add_whole(made, "initiated", row.initiated_ms);
  add_whole(made, "expires", row.expires_s);
  add_description(made, row.description);
  if (row.checksum) {
    add_text(made, "checksum_algorithm", object::name_of(row.checksum->algorithm));
    add_text(made, "checksum_type", object::name_of(row.checksum->type));
  }
  return made;
}

UploadRow read_upload_row(item::ItemView row) {
  UploadRow made;
  made.bucket = text_in(row, "bucket");
  made.key = text_in(row, "key");
  made.id = text_in(row, "id");
  made.initiated_ms = whole_in(row, "initiated").value_or(0);
  made.expires_s = whole_in(row, "expires").value_or(0);
  made.description = read_description(row);
  if (const auto asked = read_checksum(row)) {
    made.checksum = AskedChecksum{asked->algorithm, asked->type};
  }
  return made;
}

item::Item key_of_part(std::string_view upload, int number) {
  item::Item made;
  add_text(made, "upload", upload);
  add_whole(made, "number", number);
  return made;
}

item::Item encode(const PartRow& row) {
  item::Item made = key_of_part(row.upload, row.number);
  add_text(made, "content", row.content);
  add_whole(made, "bytes", static_cast<int64_t>(row.bytes));
  add_text(made, "md5", row.md5);
  add_whole(made, "modified", row.modified_ms);
  add_checksum(made, row.checksum);
  return made;
}

PartRow read_part_row(item::ItemView row) {
  PartRow made;
  made.upload = text_in(row, "upload");
  made.number = static_cast<int>(whole_in(row, "number").value_or(0));
  made.content = text_in(row, "content");
  made.bytes = static_cast<uint64_t>(whole_in(row, "bytes").value_or(0));
  made.md5 = text_in(row, "md5");
  made.modified_ms = whole_in(row, "modified").value_or(0);
  made.checksum = read_checksum(row);
  return made;
}

}  // namespace waybill::bucket
