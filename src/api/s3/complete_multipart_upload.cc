#include <charconv>

#include "api/s3/object_headers.h"
#include "api/s3/operations.h"
#include "api/s3/xml_reader.h"
#include "bucket/errors.h"
#include "object/multipart.h"

namespace waybill::api::s3 {
namespace {

Error malformed() {
  return bucket::refusal(
      "MalformedXML",
      "The XML you provided was not well-formed or did not validate against our published schema");
}

std::optional<uint64_t> number_in(std::string_view text) {
  uint64_t number = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  return failure == std::errc() && end == text.data() + text.size() && !text.empty() ? std::optional(number)
                                                                                     : std::nullopt;
}

// With quotes or without, as clients write them.
std::string plain_etag(std::string_view text) {
  if (text.size() >= 2 && text.starts_with('"') && text.ends_with('"')) {
    text = text.substr(1, text.size() - 2);
  }
  return std::string(text);
}

Result<bucket::ListedPart> parse_part(const XmlElement& element) {
  const auto number = number_in(element.text_of("PartNumber"));
  if (!number || *number < 1 || *number > static_cast<uint64_t>(object::part_number_max)) {
    return malformed();
  }
  bucket::ListedPart part{static_cast<int>(*number), plain_etag(element.text_of("ETag")), {}};
  for (const auto algorithm : object::checksum_algorithms) {
    if (const auto* const checksum = element.find("Checksum" + std::string(object::name_of(algorithm)))) {
      part.checksum = checksum->text;
    }
  }
  return part;
}

// Of the whole object, in headers.
std::optional<bucket::ToldChecksum> parse_checksum(const Request& request) {
  const auto type = object::type_named(request.header("x-amz-checksum-type"));
  for (const auto algorithm : object::checksum_algorithms) {
    if (const auto& value = request.header(object::header_of(algorithm)); !value.empty()) {
      return bucket::ToldChecksum{algorithm, type.value_or(object::default_type(algorithm)), value};
    }
  }
  return {};
}

Result<bucket::Completion> parse(const Request& request) {
  WAYBILL_TRY_ASSIGN(const auto root, read_xml(request.body));
  bucket::Completion completion;
  for (const auto& child : root.children) {
    if (child.name == "Part") {
      WAYBILL_TRY_ASSIGN(auto part, parse_part(child));
      completion.parts.push_back(std::move(part));
    }
  }
  if (completion.parts.empty() ||
      completion.parts.size() > static_cast<std::size_t>(object::part_number_max)) {
    return malformed();
  }
  completion.checksum = parse_checksum(request);
  completion.bytes = number_in(request.header("x-amz-mp-object-size"));
  completion.conditions.if_match = read_conditions(request).if_match;
  completion.conditions.if_none_match = read_conditions(request).if_none_match;
  return completion;
}

Result<bucket::ObjectRow> complete(const Call& call) {
  const Request& request = call.request();
  WAYBILL_TRY_ASSIGN(const auto completion, parse(request));
  WAYBILL_TRY_ASSIGN(const auto upload,
                     call.buckets().need_upload(request.bucket, request.key, request.parameter("uploadId")));
  return call.buckets().complete_upload(upload, completion);
}

}  // namespace

void complete_multipart_upload(Call call) {
  const auto object = complete(call);
  if (!object) {
    call.fail(object.error());
    return;
  }
  Xml xml;
  xml.open_root("CompleteMultipartUploadResult");
  xml.element("Location",
              "http://" + call.request().header("host") + "/" + object->bucket + "/" + object->key);
  xml.element("Bucket", object->bucket);
  xml.element("Key", object->key);
  xml.element("ETag", etag_header(object->etag));
  if (object->checksum) {
    xml.element("Checksum" + std::string(object::name_of(object->checksum->algorithm)),
                object->checksum->text);
    xml.element("ChecksumType", object::name_of(object->checksum->type));
  }
  xml.close("CompleteMultipartUploadResult");
  call.answer_xml(std::move(xml));
}

}  // namespace waybill::api::s3
