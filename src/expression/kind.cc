#include "expression/kind.h"

#include <string>

namespace waybill::expression {

std::string_view parameter_name(ExpressionKind kind) {
  switch (kind) {
    case ExpressionKind::condition:
      return "ConditionExpression";
    case ExpressionKind::filter:
      return "FilterExpression";
    case ExpressionKind::key_condition:
      return "KeyConditionExpression";
    case ExpressionKind::update:
      return "UpdateExpression";
    case ExpressionKind::projection:
      return "ProjectionExpression";
  }
  return "Expression";
}

Error invalid_expression(ExpressionKind kind, std::string_view text) {
  std::string message = "Invalid ";
  message.append(parameter_name(kind)).append(": ").append(text);
  return invalid(std::move(message));
}

}  // namespace waybill::expression
