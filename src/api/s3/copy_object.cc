#include "api/s3/copy_source.h"
#include "api/s3/object_headers.h"
#include "api/s3/operations.h"
#include "base/iso_time.h"
#include "bucket/errors.h"

namespace waybill::api::s3 {
namespace {

Result<bool> keeps_description(const Request& request) {
  const auto& directive = request.header("x-amz-metadata-directive");
  if (!directive.empty() && directive != "COPY" && directive != "REPLACE") {
    return bucket::refusal("InvalidArgument", "Unknown metadata directive.");
  }
  return directive != "REPLACE";
}

Result<bucket::ObjectRow> copy(const Call& call) {
  const Request& request = call.request();
  WAYBILL_TRY_ASSIGN(const bool keeps, keeps_description(request));
  WAYBILL_TRY_ASSIGN(auto description, read_description(request));
  WAYBILL_TRY_ASSIGN(const auto source, find_copy_source(call));
  if (keeps && source.bucket == request.bucket && source.key == request.key) {
    return bucket::refusal(
        "InvalidRequest",
        "This copy request is illegal because it is trying to copy an object to itself without "
        "changing the object's metadata, storage class, website redirect location or encryption "
        "attributes.");
  }
  object::Conditions conditions;
  conditions.if_match = read_conditions(request).if_match;
  conditions.if_none_match = read_conditions(request).if_none_match;
  return call.buckets().copy_object(
      source, {request.bucket, request.key, std::move(description), std::move(conditions)}, keeps);
}

}  // namespace

void copy_object(Call call) {
  const auto copied = copy(call);
  if (!copied) {
    call.fail(copied.error());
    return;
  }
  Xml xml;
  xml.open_root("CopyObjectResult");
  xml.element("LastModified", iso_time(copied->modified_ms));
  xml.element("ETag", etag_header(copied->etag));
  if (copied->checksum) {
    xml.element("Checksum" + std::string(object::name_of(copied->checksum->algorithm)),
                copied->checksum->text);
    xml.element("ChecksumType", object::name_of(copied->checksum->type));
  }
  xml.close("CopyObjectResult");
  call.answer_xml(std::move(xml));
}

}  // namespace waybill::api::s3
