#include "api/s3/object_headers.h"

#include <algorithm>

#include "bucket/errors.h"
#include "object/etag.h"
#include "object/http_date.h"

namespace waybill::api::s3 {
namespace {

constexpr std::string_view kept_headers[] = {"cache-control",    "content-disposition", "content-encoding",
                                             "content-language", "content-type",        "expires"};
constexpr std::string_view metadata_prefix = "x-amz-meta-";
constexpr std::size_t metadata_bytes_max = 2048;
constexpr std::string_view default_type = "binary/octet-stream";

// "aws-chunked,gzip" -> "gzip": the first is the coding of the request alone.
std::string without_chunked(std::string_view encoding) {
  std::string kept;
  while (!encoding.empty()) {
    auto part = encoding.substr(0, encoding.find(','));
    encoding.remove_prefix(std::min(part.size() + 1, encoding.size()));
    part.remove_prefix(std::min(part.find_first_not_of(' '), part.size()));
    if (part != "aws-chunked" && !part.empty()) {
      kept.append(kept.empty() ? "" : ",").append(part);
    }
  }
  return kept;
}

Status check_wishes(const Request& request) {
  for (const auto& [name, value] : request.headers) {
    if (name.starts_with("x-amz-server-side-encryption")) {
      return bucket::refusal("NotImplemented", "Objects are not encrypted one by one here: leave out " +
                                                   name + ", and keep the data folder on an encrypted disk.");
    }
    if (name.starts_with("x-amz-grant-")) {
      return bucket::refusal("AccessControlListNotSupported", "The bucket does not allow ACLs");
    }
  }
  const auto& acl = request.header("x-amz-acl");
  if (!acl.empty() && acl != "private" && acl != "bucket-owner-full-control") {
    return bucket::refusal("AccessControlListNotSupported", "The bucket does not allow ACLs");
  }
  if (!request.header("x-amz-website-redirect-location").empty() ||
      !request.header("x-amz-tagging").empty()) {
    return bucket::refusal("NotImplemented", "Tags of objects and redirects are not implemented.");
  }
  return {};
}

std::optional<std::string> text_header(const Request& request, const std::string& name) {
  return request.has_header(name) ? std::optional(request.header(name)) : std::nullopt;
}

std::optional<int64_t> date_header(const Request& request, const std::string& name) {
  return object::parse_http_date(request.header(name));
}

// "Content-Type" of "content-type".
std::string capitalized(std::string_view name) {
  std::string made(name);
  bool is_first = true;
  for (char& c : made) {
    c = is_first && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    is_first = c == '-';
  }
  return made;
}

}  // namespace

Result<bucket::Description> read_description(const Request& request) {
  WAYBILL_TRY(check_wishes(request));
  bucket::Description description;
  std::size_t metadata_bytes = 0;
  for (const auto& [name, value] : request.headers) {
    if (std::ranges::find(kept_headers, name) != std::end(kept_headers)) {
      auto kept = name == "content-encoding" ? without_chunked(value) : value;
      if (!kept.empty()) {
        description.headers.emplace(name, std::move(kept));
      }
    } else if (name.starts_with(metadata_prefix)) {
      metadata_bytes += name.size() - metadata_prefix.size() + value.size();
      description.metadata.emplace(name.substr(metadata_prefix.size()), value);
    }
  }
  if (metadata_bytes > metadata_bytes_max) {
    return bucket::refusal("MetadataTooLarge",
                           "Your metadata headers exceed the maximum allowed metadata size");
  }
  return description;
}

object::Conditions read_conditions(const Request& request, std::string_view prefix) {
  const std::string before(prefix);
  object::Conditions conditions;
  conditions.if_match = text_header(request, before + "if-match");
  conditions.if_none_match = text_header(request, before + "if-none-match");
  conditions.if_modified_since_seconds = date_header(request, before + "if-modified-since");
  conditions.if_unmodified_since_seconds = date_header(request, before + "if-unmodified-since");
  return conditions;
}

std::string etag_header(const std::string& etag) {
  return object::quoted_etag(etag);
}

void add_checksum_header(const bucket::ToldChecksum& checksum, http::Response& response) {
  response.headers.emplace_back(object::header_of(checksum.algorithm), checksum.text);
  response.headers.emplace_back("x-amz-checksum-type", object::name_of(checksum.type));
}

void add_object_headers(const Request& request, const bucket::ObjectRow& object, http::Response& response) {
  response.headers.emplace_back("ETag", etag_header(object.etag));
  response.headers.emplace_back("Last-Modified", object::http_date(object.modified_ms / 1000));
  response.headers.emplace_back("Accept-Ranges", "bytes");
  if (object.expires_s) {
    response.headers.emplace_back(
        "x-amz-expiration",
        "expiry-date=\"" + object::http_date(*object.expires_s) + "\", rule-id=\"contract\"");
  }
  for (const auto name : kept_headers) {
    const auto& instead = request.parameter("response-" + std::string(name));
    const auto kept = object.description.headers.find(name);
    std::string value = !instead.empty() ? instead
                        : kept != object.description.headers.end()
                            ? kept->second
                            : std::string(name == "content-type" ? default_type : "");
    if (!value.empty()) {
      response.headers.emplace_back(capitalized(name), std::move(value));
    }
  }
  for (const auto& [name, value] : object.description.metadata) {
    response.headers.emplace_back(std::string(metadata_prefix) + name, value);
  }
}

}  // namespace waybill::api::s3
