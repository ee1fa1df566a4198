#include <algorithm>

#include "api/s3/listing.h"
#include "api/s3/operations.h"
#include "base/iso_time.h"

namespace waybill::api::s3 {
namespace {

constexpr int64_t uploads_max = 1000;

Result<bucket::UploadQuery> parse(const Request& request) {
  WAYBILL_TRY_ASSIGN(const auto wanted, request.number("max-uploads", 0, 2'147'483'647, uploads_max));
  return bucket::UploadQuery{request.parameter("prefix"), request.parameter("delimiter"),
                             request.parameter("key-marker"), request.parameter("upload-id-marker"),
                             static_cast<std::size_t>(std::min(wanted, uploads_max))};
}

void render(Call call, const Encoding& encoding, const bucket::UploadQuery& query,
            const bucket::UploadPage& page) {
  Xml xml;
  xml.open_root("ListMultipartUploadsResult");
  xml.element("Bucket", call.request().bucket);
  encoding.element(xml, "KeyMarker", query.key_marker);
  xml.element("UploadIdMarker", query.id_marker);
  if (page.is_truncated) {
    const bool ends_with_prefix =
        page.uploads.empty() ||
        (!page.common_prefixes.empty() && page.common_prefixes.back() > page.uploads.back().key);
    encoding.element(xml, "NextKeyMarker",
                     ends_with_prefix && !page.common_prefixes.empty() ? page.common_prefixes.back()
                     : page.uploads.empty()                            ? query.key_marker
                                                                       : page.uploads.back().key);
    xml.element("NextUploadIdMarker", ends_with_prefix ? "" : page.uploads.back().id);
  }
  encoding.element(xml, "Prefix", query.prefix);
  if (!query.delimiter.empty()) {
    encoding.element(xml, "Delimiter", query.delimiter);
  }
  xml.number("MaxUploads", static_cast<int64_t>(query.entries_max));
  encoding.tell(xml);
  xml.boolean("IsTruncated", page.is_truncated);
  for (const auto& upload : page.uploads) {
    xml.open("Upload");
    encoding.element(xml, "Key", upload.key);
    xml.element("UploadId", upload.id);
    xml.element("StorageClass", "STANDARD");
    xml.element("Initiated", iso_time(upload.initiated_ms));
    xml.close("Upload");
  }
  append_prefixes(xml, encoding, page.common_prefixes);
  xml.close("ListMultipartUploadsResult");
  call.answer_xml(std::move(xml));
}

}  // namespace

void list_multipart_uploads(Call call) {
  const auto encoding = Encoding::of(call.request());
  const auto query = parse(call.request());
  if (!encoding || !query) {
    call.fail(encoding ? query.error() : encoding.error());
    return;
  }
  const auto page = call.buckets().list_uploads(call.request().bucket, *query);
  if (!page) {
    call.fail(page.error());
    return;
  }
  render(std::move(call), *encoding, *query, *page);
}

}  // namespace waybill::api::s3
