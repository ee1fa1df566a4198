#include "api/s3/errors.h"

#include <algorithm>

#include "api/s3/xml.h"

namespace waybill::api::s3 {
namespace {

constexpr ErrorForm by_code[] = {
    {403, "AccessDenied"},
    {400, "AccessControlListNotSupported"},
    {400, "AuthorizationHeaderMalformed"},
    {400, "BadDigest"},
    {409, "BucketAlreadyOwnedByYou"},
    {409, "BucketNotEmpty"},
    {400, "EntityTooLarge"},
    {400, "EntityTooSmall"},
    {400, "IncompleteBody"},
    {400, "InvalidArgument"},
    {400, "InvalidBucketName"},
    {400, "InvalidDigest"},
    {400, "InvalidPart"},
    {400, "InvalidPartOrder"},
    {416, "InvalidRange"},
    {400, "InvalidRequest"},
    {400, "KeyTooLongError"},
    {400, "MalformedXML"},
    {400, "MetadataTooLarge"},
    {405, "MethodNotAllowed"},
    {411, "MissingContentLength"},
    {400, "MissingSecurityHeader"},
    {404, "NoSuchBucket"},
    {404, "NoSuchKey"},
    {404, "NoSuchUpload"},
    {501, "NotImplemented"},
    {412, "PreconditionFailed"},
    {503, "SlowDown"},
    {400, "XAmzContentSHA256Mismatch"},
};

ErrorForm by_kind(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::not_found:
      return {404, "NoSuchKey"};
    case ErrorKind::condition_failed:
      return {412, "PreconditionFailed"};
    case ErrorKind::too_large:
      return {400, "EntityTooLarge"};
    case ErrorKind::bad_digest:
      return {400, "BadDigest"};
    case ErrorKind::incomplete_body:
      return {400, "IncompleteBody"};
    case ErrorKind::limit_exceeded:
      return {400, "KeyTooLongError"};
    case ErrorKind::access_denied:
    case ErrorKind::missing_authentication:
      return {403, "AccessDenied"};
    case ErrorKind::unknown_client:
      return {403, "InvalidAccessKeyId"};
    case ErrorKind::invalid_signature:
      return {403, "SignatureDoesNotMatch"};
    case ErrorKind::incomplete_signature:
      return {400, "AuthorizationHeaderMalformed"};
    case ErrorKind::unsupported:
    case ErrorKind::unknown_operation:
      return {501, "NotImplemented"};
    case ErrorKind::unavailable:
      return {503, "ServiceUnavailable"};
    case ErrorKind::corruption:
    case ErrorKind::internal:
      return {500, "InternalError"};
    default:
      return {400, "InvalidRequest"};
  }
}

}  // namespace

ErrorForm error_form(const Error& error) {
  if (error.kind == ErrorKind::invalid_signature && error.detail == "expired") {
    return {403, "AccessDenied"};
  }
  if (error.kind == ErrorKind::incomplete_signature && error.detail == "no payload hash") {
    return {400, "MissingSecurityHeader"};
  }
  const auto* const found = std::ranges::find(by_code, std::string_view(error.detail), &ErrorForm::code);
  return found == std::end(by_code) ? by_kind(error.kind) : *found;
}

std::string told_message(const Error& error) {
  switch (error.kind) {
    case ErrorKind::corruption:
    case ErrorKind::internal:
      return "We encountered an internal error. Please try again.";
    case ErrorKind::unknown_client:
      return "The AWS Access Key Id you provided does not exist in our records.";
    case ErrorKind::missing_authentication:
      return "Access Denied";
    case ErrorKind::access_denied:
      return error.message.empty() ? "Access Denied" : error.message;
    case ErrorKind::invalid_signature:
      return error.detail == "expired" ? "Request has expired. " + error.message : error.message;
    default:
      return error.message;
  }
}

std::string error_body(const Error& error, std::string_view resource, std::string_view request_id) {
  Xml xml;
  xml.open("Error");
  xml.element("Code", error_form(error).code);
  xml.element("Message", told_message(error));
  xml.element("Resource", resource);
  xml.element("RequestId", request_id);
  xml.close("Error");
  return std::move(xml).take();
}

}  // namespace waybill::api::s3
