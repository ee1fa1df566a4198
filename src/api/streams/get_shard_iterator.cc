#include <algorithm>

#include "api/dynamodb/fields.h"
#include "api/streams/operations.h"
#include "api/streams/shard_iterator.h"
#include "api/streams/stream_lookup.h"

namespace waybill::api::streams {
namespace {

using dynamodb::Call;
using dynamodb::Constraints;
using dynamodb::Fields;
using dynamodb::Reading;
using dynamodb::Services;

constexpr std::size_t shard_id_length_min = 28;
constexpr std::size_t shard_id_length_max = 65;
constexpr std::size_t sequence_length_min = 21;
constexpr std::size_t sequence_length_max = 40;

struct Request {
  std::optional<std::string_view> stream_arn;
  std::optional<std::string_view> shard_id;
  std::optional<std::string_view> type;
  std::optional<std::string_view> sequence_number;
};

Result<Request> parse(const json::Value& body) {
  Reading reading;
  const Fields fields(body, reading);
  Request request;
  request.stream_arn = fields.string("StreamArn");
  request.shard_id = fields.string("ShardId");
  request.type = fields.string("ShardIteratorType");
  request.sequence_number = fields.string("SequenceNumber");
  WAYBILL_TRY(reading.status());
  Constraints constraints;
  check_stream_arn(constraints, "streamArn", request.stream_arn);
  constraints.not_null("shardId", request.shard_id);
  constraints.length_min("shardId", request.shard_id, shard_id_length_min);
  constraints.length_max("shardId", request.shard_id, shard_id_length_max);
  constraints.not_null("shardIteratorType", request.type);
  constraints.one_of("shardIteratorType", request.type,
                     {"AFTER_SEQUENCE_NUMBER", "LATEST", "AT_SEQUENCE_NUMBER", "TRIM_HORIZON"});
  constraints.length_min("sequenceNumber", request.sequence_number, sequence_length_min);
  constraints.length_max("sequenceNumber", request.sequence_number, sequence_length_max);
  WAYBILL_TRY(constraints.status());
  return request;
}

Result<table::ChangePlace> place_at_sequence_number(const Services& services, const Request& request,
                                                    const table::Shard& shard) {
  if (!request.sequence_number) {
    return invalid("ShardIteratorType " + std::string(*request.type) + " requires a SequenceNumber");
  }
  auto place = table::parse_sequence_number(*request.sequence_number);
  if (!place || *place < shard.begin || *place >= shard.end) {
    return invalid("Invalid SequenceNumber: " + std::string(*request.sequence_number) + " is not in shard " +
                   std::string(*request.shard_id));
  }
  if (place->time_ms < trimmed_until_ms(services)) {
    return Error{ErrorKind::data_trimmed,
                 "The operation attempted to read past the oldest stream record in a shard.",
                 {}};
  }
  if (*request.type == "AFTER_SEQUENCE_NUMBER") {
    ++place->number;
  }
  return *place;
}

Result<ShardIterator> decide(const Call& call, const Request& request) {
  const Services& services = call.services();
  WAYBILL_TRY_ASSIGN(const auto stream, find_stream(call.store(), *request.stream_arn));
  const int64_t now_ms = services.clock.wall_ms();
  const auto number = table::shard_number(*stream, *request.shard_id);
  const auto readable = table::readable_shards(*stream, now_ms);
  if (!number || *number < readable.first || *number > readable.last) {
    return Error{ErrorKind::not_found,
                 "Requested resource not found: Shard: " + std::string(*request.shard_id) + " not found",
                 {}};
  }
  const auto shard = table::shard_of(*stream, *number);
  ShardIterator iterator{std::string(*request.stream_arn), *number, shard.begin, false, now_ms};
  if (*request.type == "TRIM_HORIZON") {
    iterator.from_horizon = true;
  } else if (*request.type == "LATEST") {
    WAYBILL_TRY_ASSIGN(const auto end, call.store().end_of_log(stream->log));
    iterator.place = std::clamp(end, shard.begin, shard.end);
    // Behind all there is: what is trimmed meanwhile is not missed.
    iterator.from_horizon = true;
  } else {
    WAYBILL_TRY_ASSIGN(iterator.place, place_at_sequence_number(services, request, shard));
  }
  return iterator;
}

}  // namespace

void get_shard_iterator(Call call, const json::Value& body) {
  const auto request = parse(body);
  const auto iterator = request ? decide(call, *request) : Result<ShardIterator>(request.error());
  if (!iterator) {
    call.fail(iterator.error());
    return;
  }
  std::string text;
  json::Writer out(text);
  out.begin_object().key("ShardIterator").string(to_text(*iterator)).end_object();
  call.answer(std::move(text));
}

}  // namespace waybill::api::streams
