#include <algorithm>

#include "api/dynamodb/fields.h"
#include "api/streams/operations.h"
#include "api/streams/shard_iterator.h"
#include "api/streams/stream_lookup.h"
#include "item/json.h"
#include "table/key.h"

namespace waybill::api::streams {
namespace {

using dynamodb::Call;
using dynamodb::Constraints;
using dynamodb::Fields;
using dynamodb::Reading;
using dynamodb::Services;

constexpr int64_t records_max = 1000;
constexpr std::size_t answer_bytes_max = 1024 * 1024;

struct Request {
  ShardIterator iterator;
  int64_t limit = records_max;
};

Result<Request> parse(const json::Value& body) {
  Reading reading;
  const Fields fields(body, reading);
  const auto text = fields.string("ShardIterator");
  const auto limit = fields.integer("Limit");
  WAYBILL_TRY(reading.status());
  Constraints constraints;
  constraints.not_null("shardIterator", text);
  constraints.length_min("shardIterator", text, 1);
  constraints.value_min("limit", limit, 1);
  constraints.value_max("limit", limit, records_max);
  WAYBILL_TRY(constraints.status());
  auto iterator = parse_iterator(*text);
  if (!iterator) {
    return invalid("Invalid ShardIterator");
  }
  return Request{*std::move(iterator), limit.value_or(records_max)};
}

// Writes changes as records, as many as an answer takes.
class RecordWriter final : public store::ChangeVisitor {
 public:
  RecordWriter(const Services& services, const table::Stream& stream, int64_t limit, std::string& text,
               json::Writer& out)
      : services_(services), stream_(stream), limit_(limit), text_(text), out_(out) {}

  bool visit(const store::Change& change) override {
    if (written_ == limit_ || text_.size() >= answer_bytes_max) {
      full_ = true;
      return false;
    }
    write(change);
    ++written_;
    next_ = {change.place.time_ms, change.place.number + 1};
    return true;
  }

  void stop_behind(const table::ChangePlace& place) override {
    full_ = true;
    next_ = {place.time_ms, place.number + 1};
  }

  bool full() const { return full_; }  // there is at least one more
  const std::optional<table::ChangePlace>& next() const { return next_; }

 private:
  void write(const store::Change& change) {
    constexpr std::string_view names[] = {"INSERT", "MODIFY", "REMOVE"};
    std::string id;
    append_u64_be(id, static_cast<uint64_t>(change.place.time_ms));
    append_u64_be(id, change.place.number);
    out_.begin_object().key("eventID").string(hex_lower(id));
    out_.key("eventName").string(names[static_cast<std::size_t>(change.kind)]);
    out_.key("eventVersion").string("1.1").key("eventSource").string("aws:dynamodb");
    out_.key("awsRegion").string(services_.region);
    out_.key("dynamodb").begin_object();
    out_.key("ApproximateCreationDateTime").integer(change.place.time_ms / 1000);
    keys_.clear();
    table::append_key_attributes(keys_, stream_.key, change.keys);
    write_item("Keys", item::ItemView(keys_));
    uint64_t bytes = item::size_bytes(item::ItemView(keys_));
    bytes += write_image("NewImage", change.after, stream_.view == table::StreamView::old_image);
    bytes += write_image("OldImage", change.before, stream_.view == table::StreamView::new_image);
    out_.key("SequenceNumber").string(table::sequence_number(change.place));
    out_.key("SizeBytes").integer(static_cast<int64_t>(bytes));
    out_.key("StreamViewType").string(table::name_of(stream_.view)).end_object();
    if (change.expired) {
      out_.key("userIdentity").begin_object().key("PrincipalId").string("dynamodb.amazonaws.com");
      out_.key("Type").string("Service").end_object();
    }
    out_.end_object();
  }

  void write_item(std::string_view name, item::ItemView item) {
    item::append_json(out_.key(name).value_place(), item);
  }

  // The log may keep more than this stream shows.
  uint64_t write_image(std::string_view name, const std::optional<item::ItemView>& image, bool hidden) {
    if (!image || hidden || stream_.view == table::StreamView::keys_only) {
      return 0;
    }
    write_item(name, *image);
    return item::size_bytes(*image);
  }

  const Services& services_;
  const table::Stream& stream_;
  const int64_t limit_;
  std::string& text_;
  json::Writer& out_;
  std::string keys_;
  int64_t written_ = 0;
  bool full_ = false;
  std::optional<table::ChangePlace> next_;
};

Status check_age(const Services& services, const ShardIterator& iterator) {
  if (services.clock.wall_ms() - iterator.made_ms > iterator_life_ms) {
    return Error{ErrorKind::iterator_expired, "Shard iterator has expired", {}};
  }
  if (!iterator.from_horizon && iterator.place.time_ms < trimmed_until_ms(services)) {
    return Error{ErrorKind::data_trimmed,
                 "The operation attempted to read past the oldest stream record in a shard.",
                 {}};
  }
  return {};
}

// What a reader that has seen all there is goes on with. Where nothing before this moment can come any more,
// from this moment: else its place would grow old with the last change, and be trimmed.
table::ChangePlace place_at_rest(const table::ChangePlace& place, std::optional<int64_t> settled_ms) {
  return settled_ms ? std::max(place, table::ChangePlace{*settled_ms, 0}) : place;
}

Result<std::string> read(const Call& call, const Request& request) {
  const Services& services = call.services();
  const store::Store& store = call.store();
  const auto& iterator = request.iterator;
  WAYBILL_TRY_ASSIGN(const auto stream, find_stream(store, iterator.stream_arn));
  WAYBILL_TRY(check_age(services, iterator));
  const auto shard = table::shard_of(*stream, iterator.shard);
  // Asked before reading: what comes in between is read or comes next time.
  const int64_t now_ms = services.clock.wall_ms();
  const bool closed = is_closed(call, *stream, shard);
  const std::optional<int64_t> settled_ms = store.is_past(now_ms) ? std::optional(now_ms) : std::nullopt;

  std::string text;
  json::Writer out(text);
  out.begin_object().key("Records").begin_array();
  RecordWriter writer(services, *stream, request.limit, text, out);
  const table::ChangePlace horizon{trimmed_until_ms(services), 0};
  const auto begin = std::max({iterator.place, shard.begin, horizon});
  WAYBILL_TRY(store.read_changes({stream->log, begin, shard.end}, writer));
  out.end_array();
  ShardIterator next{iterator.stream_arn, iterator.shard, writer.next().value_or(iterator.place),
                     iterator.from_horizon && !writer.next(), now_ms};
  if (!writer.full()) {
    next.place = std::min(place_at_rest(next.place, settled_ms), shard.end);
  }
  if (writer.full() || !closed) {
    out.key("NextShardIterator").string(to_text(next));
  }
  out.end_object();
  return text;
}

}  // namespace

void get_records(Call call, const json::Value& body) {
  const auto request = parse(body);
  auto result = request ? read(call, *request) : Result<std::string>(request.error());
  call.answer(std::move(result));
}

}  // namespace waybill::api::streams
