#include "api/dynamodb/operations.h"
#include "api/dynamodb/table_lookup.h"

namespace waybill::api::dynamodb {

void describe_kinesis_streaming_destination(Call call, const json::Value& body) {
  const auto table = find_named_table(call.store(), body);
  if (!table) {
    call.fail(table.error());
    return;
  }
  std::string text;
  json::Writer out(text);
  out.begin_object().key("TableName").string((*table)->name);
  out.key("KinesisDataStreamDestinations").begin_array().end_array().end_object();
  call.answer(std::move(text));
}

}  // namespace waybill::api::dynamodb
