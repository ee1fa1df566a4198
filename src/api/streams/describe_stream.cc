#include <algorithm>

#include "api/dynamodb/fields.h"
#include "api/dynamodb/table_description.h"
#include "api/streams/operations.h"
#include "api/streams/stream_lookup.h"
#include "table/schema_json.h"

namespace waybill::api::streams {
namespace {

using dynamodb::Call;
using dynamodb::Constraints;
using dynamodb::Fields;
using dynamodb::Reading;
using dynamodb::Services;

constexpr int64_t shards_listed_max = 100;
constexpr std::size_t shard_id_length_min = 28;
constexpr std::size_t shard_id_length_max = 65;

struct Request {
  std::optional<std::string_view> stream_arn;
  std::optional<std::string_view> after;
  std::optional<std::string_view> parent;  // only children of this shard
  int64_t limit = shards_listed_max;
};

Result<Request> parse(const json::Value& body) {
  Reading reading;
  const Fields fields(body, reading);
  Request request;
  request.stream_arn = fields.string("StreamArn");
  const auto limit = fields.integer("Limit");
  request.after = fields.string("ExclusiveStartShardId");
  const auto filter = fields.structure("ShardFilter", "ShardFilter");
  std::optional<std::string_view> filter_type;
  if (filter) {
    filter_type = filter->string("Type");
    request.parent = filter->string("ShardId");
  }
  WAYBILL_TRY(reading.status());
  Constraints constraints;
  check_stream_arn(constraints, "streamArn", request.stream_arn);
  constraints.value_min("limit", limit, 1);
  constraints.value_max("limit", limit, shards_listed_max);
  constraints.length_min("exclusiveStartShardId", request.after, shard_id_length_min);
  constraints.length_max("exclusiveStartShardId", request.after, shard_id_length_max);
  constraints.one_of("shardFilter.type", filter_type, {"CHILD_SHARDS"});
  constraints.length_min("shardFilter.shardId", request.parent, shard_id_length_min);
  constraints.length_max("shardFilter.shardId", request.parent, shard_id_length_max);
  WAYBILL_TRY(constraints.status());
  request.limit = limit.value_or(shards_listed_max);
  return request;
}

// The place of the last change that may stand before `end`.
table::ChangePlace last_before(const table::ChangePlace& end) {
  constexpr uint64_t number_max = 999'999'999'999'999;
  return end.number > 0 ? table::ChangePlace{end.time_ms, end.number - 1}
                        : table::ChangePlace{end.time_ms - 1, number_max};
}

void write_shard(json::Writer& out, const table::Stream& stream, const table::Shard& shard, bool closed) {
  out.begin_object().key("ShardId").string(table::shard_id(stream, shard.number));
  out.key("SequenceNumberRange").begin_object();
  out.key("StartingSequenceNumber").string(table::sequence_number(shard.begin));
  if (closed) {
    out.key("EndingSequenceNumber").string(table::sequence_number(last_before(shard.end)));
  }
  out.end_object();
  if (shard.number > 0) {
    out.key("ParentShardId").string(table::shard_id(stream, shard.number - 1));
  }
  out.end_object();
}

std::string render(const Call& call, const Request& request, const table::Stream& stream) {
  const Services& services = call.services();
  auto [first, last] = table::readable_shards(stream, services.clock.wall_ms());
  if (request.after) {
    first = std::max(first, table::shard_number(stream, *request.after).value_or(last) + 1);
  }
  if (request.parent) {
    const auto parent = table::shard_number(stream, *request.parent);
    first = std::max(first, parent.value_or(last) + 1);
    last = std::min(last, first);
  }
  const int64_t end = std::min(last, first + request.limit - 1);
  std::string text;
  json::Writer out(text);
  out.begin_object().key("StreamDescription").begin_object();
  out.key("StreamArn").string(services.stream_arn(stream.table_name, stream.label));
  out.key("StreamLabel").string(stream.label);
  out.key("StreamStatus").string(stream.end ? "DISABLED" : "ENABLED");
  out.key("StreamViewType").string(table::name_of(stream.view));
  dynamodb::write_time(out.key("CreationRequestDateTime"), stream.begin.time_ms);
  out.key("TableName").string(stream.table_name);
  table::write_key_schema(out, stream.key);
  out.key("Shards").begin_array();
  for (int64_t number = first; number <= end; ++number) {
    const auto shard = table::shard_of(stream, number);
    write_shard(out, stream, shard, is_closed(call, stream, shard));
  }
  out.end_array();
  if (end < last) {
    out.key("LastEvaluatedShardId").string(table::shard_id(stream, end));
  }
  out.end_object().end_object();
  return text;
}

}  // namespace

void describe_stream(Call call, const json::Value& body) {
  const auto request = parse(body);
  if (!request) {
    call.fail(request.error());
    return;
  }
  const auto stream = find_stream(call.store(), *request->stream_arn);
  if (!stream) {
    call.fail(stream.error());
    return;
  }
  auto text = render(call, *request, **stream);
  call.answer(std::move(text));
}

}  // namespace waybill::api::streams
