#include "api/sqs/errors.h"

#include "api/sqs/xml.h"
#include "base/json.h"

namespace waybill::api::sqs {
namespace {

constexpr std::string_view invalid_type = "com.amazon.coral.service#InvalidParameterValueException";

bool is_ours(ErrorKind kind) {
  return kind == ErrorKind::internal || kind == ErrorKind::corruption;
}

}  // namespace

ErrorForm error_form(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::queue_not_found:
      return {400, "com.amazonaws.sqs#QueueDoesNotExist", "AWS.SimpleQueueService.NonExistentQueue"};
    case ErrorKind::queue_exists:
      return {400, "com.amazonaws.sqs#QueueNameExists", "QueueAlreadyExists"};
    case ErrorKind::purge_in_progress:
      return {403, "com.amazonaws.sqs#PurgeQueueInProgress", "AWS.SimpleQueueService.PurgeQueueInProgress"};
    case ErrorKind::too_many_in_flight:
    case ErrorKind::limit_exceeded:
      return {403, "com.amazonaws.sqs#OverLimit", "OverLimit"};
    case ErrorKind::receipt_invalid:
      return {404, "com.amazonaws.sqs#ReceiptHandleIsInvalid", "ReceiptHandleIsInvalid"};
    case ErrorKind::message_not_in_flight:
      return {400, "com.amazonaws.sqs#MessageNotInflight", "AWS.SimpleQueueService.MessageNotInflight"};
    case ErrorKind::attribute_unknown:
      return {400, "com.amazonaws.sqs#InvalidAttributeName", "InvalidAttributeName"};
    case ErrorKind::attribute_invalid:
      return {400, "com.amazonaws.sqs#InvalidAttributeValue", "InvalidAttributeValue"};
    case ErrorKind::message_invalid:
      return {400, "com.amazonaws.sqs#InvalidMessageContents", "InvalidMessageContents"};
    case ErrorKind::parameter_missing:
      return {400, "com.amazon.coral.service#MissingRequiredParameterException", "MissingParameter"};
    case ErrorKind::batch_empty:
      return {400, "com.amazonaws.sqs#EmptyBatchRequest", "AWS.SimpleQueueService.EmptyBatchRequest"};
    case ErrorKind::batch_too_long:
      return {400, "com.amazonaws.sqs#TooManyEntriesInBatchRequest",
              "AWS.SimpleQueueService.TooManyEntriesInBatchRequest"};
    case ErrorKind::batch_too_large:
      return {400, "com.amazonaws.sqs#BatchRequestTooLong", "AWS.SimpleQueueService.BatchRequestTooLong"};
    case ErrorKind::batch_id_invalid:
      return {400, "com.amazonaws.sqs#InvalidBatchEntryId", "AWS.SimpleQueueService.InvalidBatchEntryId"};
    case ErrorKind::batch_id_repeated:
      return {400, "com.amazonaws.sqs#BatchEntryIdsNotDistinct",
              "AWS.SimpleQueueService.BatchEntryIdsNotDistinct"};
    case ErrorKind::task_not_found:
    case ErrorKind::not_found:
      return {404, "com.amazonaws.sqs#ResourceNotFoundException", "ResourceNotFoundException"};
    case ErrorKind::unsupported:
      return {400, "com.amazonaws.sqs#UnsupportedOperation", "AWS.SimpleQueueService.UnsupportedOperation"};
    case ErrorKind::malformed:
      return {400, "com.amazon.coral.service#SerializationException", "MalformedInput"};
    case ErrorKind::unknown_operation:
      return {400, "com.amazon.coral.service#UnknownOperationException", "InvalidAction"};
    case ErrorKind::missing_authentication:
      return {403, "com.amazon.coral.service#MissingAuthenticationTokenException",
              "MissingAuthenticationToken"};
    case ErrorKind::incomplete_signature:
      return {400, "com.amazon.coral.service#IncompleteSignatureException", "IncompleteSignature"};
    case ErrorKind::invalid_signature:
      return {403, "com.amazon.coral.service#InvalidSignatureException", "SignatureDoesNotMatch"};
    case ErrorKind::unknown_client:
      return {403, "com.amazon.coral.service#UnrecognizedClientException", "InvalidClientTokenId"};
    case ErrorKind::access_denied:
      return {403, "com.amazon.coral.service#AccessDeniedException", "AccessDenied"};
    case ErrorKind::too_large:
      return {413, "com.amazon.coral.service#RequestEntityTooLargeException", "RequestEntityTooLarge"};
    case ErrorKind::unavailable:
      return {503, "com.amazon.coral.availability#ServiceUnavailableException", "ServiceUnavailable", false};
    case ErrorKind::corruption:
    case ErrorKind::internal:
      return {500, "com.amazon.coral.service#InternalFailure", "InternalFailure", false};
    default:
      return {400, invalid_type, "InvalidParameterValue"};
  }
}

std::string_view told_message(const Error& error) {
  if (is_ours(error.kind)) {
    return "We encountered an internal error. Please try again.";
  }
  if (error.kind == ErrorKind::queue_not_found) {
    return "The specified queue does not exist.";
  }
  return error.message;
}

std::string json_error_body(const Error& error) {
  std::string body;
  json::Writer writer(body);
  writer.begin_object().key("__type").string(error_form(error.kind).type);
  if (const auto message = told_message(error); !message.empty()) {
    writer.key("message").string(message);
  }
  writer.end_object();
  return body;
}

std::string xml_error_body(const Error& error, std::string_view request_id) {
  const auto form = error_form(error.kind);
  std::string body(xml_declaration);
  body.append("<ErrorResponse xmlns=\"").append(xml_namespace).append("\"><Error>");
  append_xml_element(body, "Type", form.is_senders ? "Sender" : "Receiver");
  append_xml_element(body, "Code", form.code);
  append_xml_element(body, "Message", told_message(error));
  body.append("<Detail/></Error>");
  append_xml_element(body, "RequestId", request_id);
  body.append("</ErrorResponse>");
  return body;
}

std::string query_error(ErrorKind kind) {
  const auto form = error_form(kind);
  std::string text(form.code);
  return text.append(form.is_senders ? ";Sender" : ";Receiver");
}

}  // namespace waybill::api::sqs
