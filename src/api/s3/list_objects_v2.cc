#include "api/s3/listing.h"
#include "api/s3/operations.h"
#include "bucket/errors.h"
#include "object/continuation_token.h"

namespace waybill::api::s3 {
namespace {

Result<object::ListQuery> parse(const Request& request) {
  if (request.parameter("list-type") != "2") {
    return bucket::refusal("InvalidArgument", "Invalid list-type specified in Request; there is 2");
  }
  WAYBILL_TRY_ASSIGN(auto query, read_query(request));
  const auto& token = request.parameter("continuation-token");
  if (token.empty()) {
    query.position = object::position_behind(request.parameter("start-after"), query);
    return query;
  }
  auto position = object::read_continuation_token(token);
  if (!position) {
    return bucket::refusal("InvalidArgument", "The continuation token provided is incorrect");
  }
  query.position = *std::move(position);
  return query;
}

void render(Call call, const Encoding& encoding, const object::ListQuery& query,
            const bucket::ObjectPage& page) {
  const Request& request = call.request();
  Xml xml;
  xml.open_root("ListBucketResult");
  xml.element("Name", request.bucket);
  encoding.element(xml, "Prefix", query.prefix);
  if (!query.delimiter.empty()) {
    encoding.element(xml, "Delimiter", query.delimiter);
  }
  xml.number("MaxKeys", static_cast<int64_t>(query.entries_max));
  encoding.tell(xml);
  xml.number("KeyCount", static_cast<int64_t>(page.objects.size() + page.common_prefixes.size()));
  xml.boolean("IsTruncated", page.is_truncated);
  if (request.has_parameter("continuation-token")) {
    xml.element("ContinuationToken", request.parameter("continuation-token"));
  }
  if (page.is_truncated) {
    xml.element("NextContinuationToken", object::make_continuation_token(page.next));
  }
  if (request.has_parameter("start-after")) {
    encoding.element(xml, "StartAfter", request.parameter("start-after"));
  }
  const bool tells_owner = request.parameter("fetch-owner") == "true";
  append_objects(xml, encoding, page, tells_owner ? std::string_view(call.services().account_id) : "");
  append_prefixes(xml, encoding, page.common_prefixes);
  xml.close("ListBucketResult");
  call.answer_xml(std::move(xml));
}

}  // namespace

void list_objects_v2(Call call) {
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
