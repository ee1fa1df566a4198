#include "api/s3/listing.h"

#include <algorithm>

#include "api/s3/object_headers.h"
#include "base/iso_time.h"
#include "bucket/errors.h"
#include "http/uri.h"

namespace waybill::api::s3 {
namespace {

constexpr int64_t entries_max = 1000;
constexpr int64_t asked_max = 2'147'483'647;

}  // namespace

Result<Encoding> Encoding::of(const Request& request) {
  const auto& type = request.parameter("encoding-type");
  if (!type.empty() && type != "url") {
    return bucket::refusal("InvalidArgument", "Invalid Encoding Method specified in Request");
  }
  Encoding made;
  made.is_url_ = type == "url";
  return made;
}

void Encoding::element(Xml& xml, std::string_view name, std::string_view text) const {
  if (!is_url_) {
    xml.element(name, text);
    return;
  }
  std::string encoded;
  http::append_uri_encoded(encoded, text, true);
  xml.element(name, encoded);
}

void Encoding::tell(Xml& xml) const {
  if (is_url_) {
    xml.element("EncodingType", "url");
  }
}

Result<object::ListQuery> read_query(const Request& request) {
  object::ListQuery query;
  query.prefix = request.parameter("prefix");
  query.delimiter = request.parameter("delimiter");
  WAYBILL_TRY_ASSIGN(const auto wanted, request.number("max-keys", 0, asked_max, entries_max));
  query.entries_max = static_cast<std::size_t>(std::min(wanted, entries_max));
  return query;
}

void append_objects(Xml& xml, const Encoding& encoding, const bucket::ObjectPage& page,
                    std::string_view owner) {
  for (const auto& object : page.objects) {
    xml.open("Contents");
    encoding.element(xml, "Key", object.key);
    xml.element("LastModified", iso_time(object.modified_ms));
    xml.element("ETag", etag_header(object.etag));
    if (object.checksum) {
      xml.element("ChecksumAlgorithm", object::name_of(object.checksum->algorithm));
      xml.element("ChecksumType", object::name_of(object.checksum->type));
    }
    xml.number("Size", static_cast<int64_t>(object.bytes));
    if (!owner.empty()) {
      xml.open("Owner");
      xml.element("ID", owner);
      xml.close("Owner");
    }
    xml.element("StorageClass", "STANDARD");
    xml.close("Contents");
  }
}

void append_prefixes(Xml& xml, const Encoding& encoding, const std::vector<std::string>& prefixes) {
  for (const auto& prefix : prefixes) {
    xml.open("CommonPrefixes");
    encoding.element(xml, "Prefix", prefix);
    xml.close("CommonPrefixes");
  }
}

}  // namespace waybill::api::s3
