#include <string>
#include <vector>

#include "api/dynamodb/fields.h"
#include "api/streams/operations.h"
#include "api/streams/stream_lookup.h"

namespace waybill::api::streams {
namespace {

using dynamodb::Call;
using dynamodb::Constraints;
using dynamodb::Fields;
using dynamodb::Reading;
using dynamodb::Services;

constexpr int64_t streams_listed_max = 100;

struct Request {
  std::optional<std::string_view> table_name;
  std::optional<std::string_view> after;
  std::size_t limit = streams_listed_max;
};

Result<Request> parse(const json::Value& body) {
  Reading reading;
  const Fields fields(body, reading);
  Request request;
  request.table_name = fields.string("TableName");
  const auto limit = fields.integer("Limit");
  request.after = fields.string("ExclusiveStartStreamArn");
  WAYBILL_TRY(reading.status());
  Constraints constraints;
  constraints.name_pattern("tableName", request.table_name);
  constraints.length_min("tableName", request.table_name, dynamodb::name_length_min);
  constraints.length_max("tableName", request.table_name, dynamodb::name_length_max);
  constraints.value_min("limit", limit, 1);
  constraints.value_max("limit", limit, streams_listed_max);
  constraints.length_min("exclusiveStartStreamArn", request.after, arn_length_min);
  constraints.length_max("exclusiveStartStreamArn", request.after, arn_length_max);
  WAYBILL_TRY(constraints.status());
  request.limit = static_cast<std::size_t>(limit.value_or(streams_listed_max));
  return request;
}

// Sorts as the store lists them.
std::string in_order(std::string_view table_name, std::string_view label) {
  return std::string(table_name).append("/").append(label);
}

std::string render(const Call& call, const Request& request) {
  const Services& services = call.services();
  const auto after = request.after ? stream_name_in(*request.after) : std::nullopt;
  std::string text;
  json::Writer out(text);
  out.begin_object().key("Streams").begin_array();
  std::size_t listed = 0;
  std::string last_arn;
  bool more = false;
  for (const auto& stream : call.store().streams()) {
    const bool is_after =
        !after || in_order(stream->table_name, stream->label) > in_order(after->table, after->label);
    const bool is_wanted = !request.table_name || stream->table_name == *request.table_name;
    if (!is_after || !is_wanted) {
      continue;
    }
    if (listed++ == request.limit) {
      more = true;
      break;
    }
    last_arn = services.stream_arn(stream->table_name, stream->label);
    out.begin_object().key("StreamArn").string(last_arn);
    out.key("TableName").string(stream->table_name);
    out.key("StreamLabel").string(stream->label).end_object();
  }
  out.end_array();
  if (more) {
    out.key("LastEvaluatedStreamArn").string(last_arn);
  }
  out.end_object();
  return text;
}

}  // namespace

void list_streams(Call call, const json::Value& body) {
  const auto request = parse(body);
  if (!request) {
    call.fail(request.error());
    return;
  }
  auto text = render(call, *request);
  call.answer(std::move(text));
}

}  // namespace waybill::api::streams
