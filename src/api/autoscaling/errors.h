#pragma once

#include <string_view>

#include "api/dynamodb/call.h"
#include "base/result.h"

namespace waybill::api::autoscaling {

// Answers with an error in the words of this service: its members are spelt with a capital.
void fail(dynamodb::Call call, const Error& error);
void fail(dynamodb::Call call, std::string_view type, std::string_view message);

}  // namespace waybill::api::autoscaling
