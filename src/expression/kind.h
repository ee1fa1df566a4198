#pragma once

#include <string_view>

#include "base/result.h"

namespace waybill::expression {

// Which request parameter an expression came from; it is named in every complaint about the expression.
enum class ExpressionKind : unsigned char { condition, filter, key_condition, update, projection };

// "ConditionExpression", "FilterExpression" …
std::string_view parameter_name(ExpressionKind kind);

// "Invalid ConditionExpression: " and the text.
Error invalid_expression(ExpressionKind kind, std::string_view text);

}  // namespace waybill::expression
