#include <algorithm>

#include "api/s3/object_headers.h"
#include "api/s3/operations.h"
#include "base/iso_time.h"
#include "object/multipart.h"

namespace waybill::api::s3 {
namespace {

constexpr int64_t parts_max = 1000;

struct Parsed {
  int after = 0;
  std::size_t count_max = 0;
};

Result<Parsed> parse(const Request& request) {
  WAYBILL_TRY_ASSIGN(const auto after, request.number("part-number-marker", 0, object::part_number_max, 0));
  WAYBILL_TRY_ASSIGN(const auto wanted, request.number("max-parts", 0, 2'147'483'647, parts_max));
  return Parsed{static_cast<int>(after), static_cast<std::size_t>(std::min(wanted, parts_max))};
}

void append_part(Xml& xml, const bucket::PartRow& part) {
  xml.open("Part");
  xml.number("PartNumber", part.number);
  xml.element("LastModified", iso_time(part.modified_ms));
  xml.element("ETag", etag_header(part.md5));
  xml.number("Size", static_cast<int64_t>(part.bytes));
  if (part.checksum) {
    xml.element("Checksum" + std::string(object::name_of(part.checksum->algorithm)), part.checksum->text);
  }
  xml.close("Part");
}

void render(Call call, const bucket::UploadRow& upload, const Parsed& parsed, const bucket::PartPage& page) {
  Xml xml;
  xml.open_root("ListPartsResult");
  xml.element("Bucket", upload.bucket);
  xml.element("Key", upload.key);
  xml.element("UploadId", upload.id);
  xml.number("PartNumberMarker", parsed.after);
  xml.number("NextPartNumberMarker", page.parts.empty() ? 0 : page.parts.back().number);
  xml.number("MaxParts", static_cast<int64_t>(parsed.count_max));
  xml.boolean("IsTruncated", page.is_truncated);
  if (upload.checksum) {
    xml.element("ChecksumAlgorithm", object::name_of(upload.checksum->algorithm));
    xml.element("ChecksumType", object::name_of(upload.checksum->type));
  }
  xml.element("StorageClass", "STANDARD");
  for (const auto& part : page.parts) {
    append_part(xml, part);
  }
  xml.close("ListPartsResult");
  call.answer_xml(std::move(xml));
}

}  // namespace

void list_parts(Call call) {
  const Request& request = call.request();
  const auto parsed = parse(request);
  if (!parsed) {
    call.fail(parsed.error());
    return;
  }
  const auto upload = call.buckets().need_upload(request.bucket, request.key, request.parameter("uploadId"));
  if (!upload) {
    call.fail(upload.error());
    return;
  }
  const auto page = call.buckets().list_parts(*upload, parsed->after, parsed->count_max);
  if (!page) {
    call.fail(page.error());
    return;
  }
  render(std::move(call), *upload, *parsed, *page);
}

}  // namespace waybill::api::s3
