#include "api/dynamodb/operations.h"

namespace waybill::api::dynamodb {

// The quotas that a new account of the service has. Nothing here is held to them.
void describe_limits(Call call, const json::Value&) {
  call.answer(std::string(R"({"AccountMaxReadCapacityUnits":80000,"AccountMaxWriteCapacityUnits":80000,)"
                          R"("TableMaxReadCapacityUnits":40000,"TableMaxWriteCapacityUnits":40000})"));
}

}  // namespace waybill::api::dynamodb
