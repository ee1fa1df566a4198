#include "api/dynamodb/operations.h"

namespace waybill::api::dynamodb {

void describe_endpoints(Call call, const json::Value&) {
  constexpr int64_t cache_minutes = 1440;
  std::string text;
  json::Writer out(text);
  out.begin_object().key("Endpoints").begin_array().begin_object();
  // Never a name of the real service: a client that follows this must stay here.
  out.key("Address").string(call.services().endpoint);
  out.key("CachePeriodInMinutes").integer(cache_minutes);
  out.end_object().end_array().end_object();
  call.answer(std::move(text));
}

}  // namespace waybill::api::dynamodb
