#include "api/dynamodb/errors.h"

#include "base/json.h"

namespace waybill::api::dynamodb {
namespace {

constexpr std::string_view service_prefix = "com.amazonaws.dynamodb.v20120810#";

std::string body_of(std::string_view type, std::string_view member, std::string_view message) {
  std::string body;
  json::Writer writer(body);
  writer.begin_object().key("__type").string(type);
  if (!message.empty()) {
    writer.key(member).string(message);
  }
  writer.end_object();
  return body;
}

bool is_ours(ErrorKind kind) {
  return kind == ErrorKind::internal || kind == ErrorKind::corruption;
}

}  // namespace

ErrorForm error_form(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::invalid:
      return {400, "com.amazon.coral.validate#ValidationException"};
    case ErrorKind::malformed:
      return {400, "com.amazon.coral.service#SerializationException"};
    case ErrorKind::not_found:
      return {400, "com.amazonaws.dynamodb.v20120810#ResourceNotFoundException"};
    case ErrorKind::policy_not_found:
      return {400, "com.amazonaws.dynamodb.v20120810#PolicyNotFoundException"};
    case ErrorKind::in_use:
      return {400, "com.amazonaws.dynamodb.v20120810#ResourceInUseException"};
    case ErrorKind::limit_exceeded:
      return {400, "com.amazonaws.dynamodb.v20120810#LimitExceededException"};
    case ErrorKind::condition_failed:
    case ErrorKind::record_exists:
    case ErrorKind::lease_lost:
    case ErrorKind::version_mismatch:
    case ErrorKind::key_in_use:
      return {400, "com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException"};
    case ErrorKind::duplicate_item:
      return {400, "com.amazonaws.dynamodb.v20120810#DuplicateItemException"};
    case ErrorKind::iterator_expired:
      return {400, "com.amazonaws.dynamodb.v20120810#ExpiredIteratorException"};
    case ErrorKind::data_trimmed:
      return {400, "com.amazonaws.dynamodb.v20120810#TrimmedDataAccessException"};
    case ErrorKind::table_not_found:
      return {400, "com.amazonaws.dynamodb.v20120810#TableNotFoundException"};
    case ErrorKind::table_in_use:
      return {400, "com.amazonaws.dynamodb.v20120810#TableInUseException"};
    case ErrorKind::table_exists:
      return {400, "com.amazonaws.dynamodb.v20120810#TableAlreadyExistsException"};
    case ErrorKind::backup_not_found:
      return {400, "com.amazonaws.dynamodb.v20120810#BackupNotFoundException"};
    case ErrorKind::backup_in_use:
      return {400, "com.amazonaws.dynamodb.v20120810#BackupInUseException"};
    case ErrorKind::recovery_unavailable:
      return {400, "com.amazonaws.dynamodb.v20120810#PointInTimeRecoveryUnavailableException"};
    case ErrorKind::invalid_restore_time:
      return {400, "com.amazonaws.dynamodb.v20120810#InvalidRestoreTimeException"};
    case ErrorKind::invalid_export_time:
      return {400, "com.amazonaws.dynamodb.v20120810#InvalidExportTimeException"};
    case ErrorKind::export_not_found:
      return {400, "com.amazonaws.dynamodb.v20120810#ExportNotFoundException"};
    case ErrorKind::export_conflict:
      return {400, "com.amazonaws.dynamodb.v20120810#ExportConflictException"};
    case ErrorKind::import_not_found:
      return {400, "com.amazonaws.dynamodb.v20120810#ImportNotFoundException"};
    case ErrorKind::import_conflict:
      return {400, "com.amazonaws.dynamodb.v20120810#ImportConflictException"};
    case ErrorKind::token_mismatch:
      return {400, "com.amazonaws.dynamodb.v20120810#IdempotentParameterMismatchException"};
    case ErrorKind::collection_full:
      return {400, "com.amazonaws.dynamodb.v20120810#ItemCollectionSizeLimitExceededException"};
    case ErrorKind::queue_not_found:
      return {400, "com.amazonaws.dynamodb.v20120810#ResourceNotFoundException"};
    case ErrorKind::queue_exists:
    case ErrorKind::purge_in_progress:
    case ErrorKind::too_many_in_flight:
    case ErrorKind::receipt_invalid:
    case ErrorKind::message_not_in_flight:
    case ErrorKind::attribute_unknown:
    case ErrorKind::attribute_invalid:
    case ErrorKind::message_invalid:
    case ErrorKind::parameter_missing:
    case ErrorKind::batch_empty:
    case ErrorKind::batch_too_long:
    case ErrorKind::batch_too_large:
    case ErrorKind::batch_id_invalid:
    case ErrorKind::batch_id_repeated:
    case ErrorKind::task_not_found:
    case ErrorKind::quota_exceeded:
    case ErrorKind::bad_digest:
    case ErrorKind::incomplete_body:
    case ErrorKind::unsupported:
      return {400, "com.amazon.coral.validate#ValidationException"};
    case ErrorKind::unknown_operation:
      return {400, "com.amazon.coral.service#UnknownOperationException"};
    case ErrorKind::missing_authentication:
      return {400, "com.amazon.coral.service#MissingAuthenticationTokenException"};
    case ErrorKind::incomplete_signature:
      return {400, "com.amazon.coral.service#IncompleteSignatureException"};
    case ErrorKind::invalid_signature:
      return {400, "com.amazon.coral.service#InvalidSignatureException"};
    case ErrorKind::unknown_client:
      return {400, "com.amazon.coral.service#UnrecognizedClientException"};
    case ErrorKind::access_denied:
      return {400, "com.amazon.coral.service#AccessDeniedException"};
    case ErrorKind::too_large:
      return {413, "com.amazon.coral.service#RequestEntityTooLargeException"};
    case ErrorKind::unavailable:
      return {503, "com.amazon.coral.availability#ServiceUnavailableException"};
    case ErrorKind::corruption:
    case ErrorKind::internal:
      break;
  }
  return {500, "com.amazonaws.dynamodb.v20120810#InternalServerError"};
}

std::string_view reason_code(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::condition_failed:
    case ErrorKind::record_exists:
    case ErrorKind::lease_lost:
    case ErrorKind::version_mismatch:
    case ErrorKind::key_in_use:
      return "ConditionalCheckFailed";
    case ErrorKind::duplicate_item:
      return "DuplicateItem";
    case ErrorKind::not_found:
      return "ResourceNotFound";
    case ErrorKind::collection_full:
      return "ItemCollectionSizeLimitExceeded";
    case ErrorKind::access_denied:
      return "AccessDenied";
    case ErrorKind::corruption:
    case ErrorKind::internal:
      return "InternalServerError";
    default:
      return "ValidationError";
  }
}

std::string_view told_message(const Error& error) {
  return is_ours(error.kind) ? std::string_view("Internal server error") : std::string_view(error.message);
}

std::string error_body(const Error& error) {
  // The service's serializer spells this one field with a capital.
  const std::string_view member = error.kind == ErrorKind::malformed ? "Message" : "message";
  return body_of(error_form(error.kind).type, member, told_message(error));
}

std::string error_body(std::string_view service_type, std::string_view message) {
  return body_of(std::string(service_prefix).append(service_type), "message", message);
}

}  // namespace waybill::api::dynamodb
