#include "api/dynamodb/cancellation.h"

#include <string_view>

#include "api/dynamodb/errors.h"
#include "base/json.h"
#include "item/json.h"

namespace waybill::api::dynamodb {
namespace {

std::string_view code_of(const CancellationReason& reason) {
  return reason.error ? reason_code(reason.error->kind) : "None";
}

std::string summary(const std::vector<CancellationReason>& reasons) {
  std::string text = "Transaction cancelled, please refer cancellation reasons for specific reasons [";
  for (std::size_t i = 0; i < reasons.size(); ++i) {
    text.append(i == 0 ? "" : ", ").append(code_of(reasons[i]));
  }
  return text + "]";
}

}  // namespace

bool refuses_request(const Error& error) {
  return error.kind == ErrorKind::access_denied ||
         (error.kind == ErrorKind::invalid &&
          error.message.starts_with("One or more parameter values are not valid."));
}

std::string cancellation_body(const std::vector<CancellationReason>& reasons) {
  std::string body;
  json::Writer writer(body);
  writer.begin_object()
      .key("__type")
      .string("com.amazonaws.dynamodb.v20120810#TransactionCanceledException")
      .key("Message")
      .string(summary(reasons))
      .key("CancellationReasons")
      .begin_array();
  for (const auto& reason : reasons) {
    writer.begin_object().key("Code").string(code_of(reason));
    if (reason.item) {
      item::append_json(writer.key("Item").value_place(), reason.item->view());
    }
    if (reason.error) {
      writer.key("Message").string(reason.error->message);
    }
    writer.end_object();
  }
  writer.end_array().end_object();
  return body;
}

}  // namespace waybill::api::dynamodb
