#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

// Kinds of errors in the words of SQS. The only place that knows them.
namespace waybill::api::sqs {

struct ErrorForm {
  int status = 400;
  std::string_view type;  // as in __type
  std::string_view code;  // what the query protocol, and the entries of batches, call it
  bool is_senders = true;
};

ErrorForm error_form(ErrorKind kind);

// What the caller is told: the message, unless it is for the operator alone. Lives as long as the error.
std::string_view told_message(const Error& error);

// {"__type":"com.amazonaws.sqs#QueueDoesNotExist","message":"…"}
std::string json_error_body(const Error& error);

// <ErrorResponse>…
std::string xml_error_body(const Error& error, std::string_view request_id);

// "AWS.SimpleQueueService.NonExistentQueue;Sender": the code for those who know the query protocol.
std::string query_error(ErrorKind kind);

}  // namespace waybill::api::sqs
