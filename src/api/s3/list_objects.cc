// The first version of the listing, which old clients use.
#include "api/s3/listing.h"
#include "api/s3/operations.h"

namespace waybill::api::s3 {
namespace {

Result<object::ListQuery> parse(const Request& request) {
  WAYBILL_TRY_ASSIGN(auto query, read_query(request));
  query.position = object::position_behind(request.parameter("marker"), query);
  return query;
}

void render(Call call, const Encoding& encoding, const object::ListQuery& query,
            const bucket::ObjectPage& page) {
  const Request& request = call.request();
  Xml xml;
  xml.open_root("ListBucketResult");
  xml.element("Name", request.bucket);
  encoding.element(xml, "Prefix", query.prefix);
  encoding.element(xml, "Marker", request.parameter("marker"));
  if (!query.delimiter.empty()) {
    encoding.element(xml, "Delimiter", query.delimiter);
  }
  xml.number("MaxKeys", static_cast<int64_t>(query.entries_max));
  encoding.tell(xml);
  xml.boolean("IsTruncated", page.is_truncated);
  if (page.is_truncated) {
    encoding.element(xml, "NextMarker", page.next.text);
  }
  append_objects(xml, encoding, page, call.services().account_id);
  append_prefixes(xml, encoding, page.common_prefixes);
  xml.close("ListBucketResult");
  call.answer_xml(std::move(xml));
}

}  // namespace

void list_objects(Call call) {
  const auto encoding = Encoding::of(call.request());
  const auto query = parse(call.request());
  if (!encoding || !query) {
    call.fail(encoding ? query.error() : encoding.error());
    return;
  }
  const auto page = call.buckets().list_objects(call.request().bucket, *query);
  if (!page) {
    call.fail(page.error());
    return;
  }
  render(std::move(call), *encoding, *query, *page);
}

}  // namespace waybill::api::s3
