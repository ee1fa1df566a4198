// GetObject, and HeadObject, which is the same without the body.
#include <charconv>
#include <optional>

#include "api/s3/download.h"
#include "api/s3/object_headers.h"
#include "api/s3/operations.h"
#include "bucket/errors.h"
#include "bucket/part_sizes.h"
#include "object/byte_range.h"
#include "object/conditions.h"

namespace waybill::api::s3 {
namespace {

struct Wanted {
  object::RangeKind kind = object::RangeKind::whole;
  object::ByteRange range;
  int part_count = 0;  // where a part was asked for
};

Result<Wanted> wanted_part(const bucket::ObjectRow& object, int number) {
  if (object.part_sizes.empty()) {
    if (number != 1) {
      return bucket::refusal("InvalidRange", "The requested partnumber is not satisfiable");
    }
    return Wanted{
        object.bytes == 0 ? object::RangeKind::whole : object::RangeKind::part, {0, object.bytes}, 0};
  }
  const auto place = bucket::find_part(object.part_sizes, number);
  if (!place) {
    return bucket::refusal("InvalidRange", "The requested partnumber is not satisfiable");
  }
  return Wanted{object::RangeKind::part, place->range, place->part_count};
}

Result<Wanted> wanted_range(const Request& request, const bucket::ObjectRow& object) {
  if (request.has_parameter("partNumber")) {
    if (request.has_header("range")) {
      return bucket::refusal("InvalidRequest",
                             "Cannot specify both Range header and partNumber query parameter");
    }
    WAYBILL_TRY_ASSIGN(const auto number, request.number("partNumber", 1, object::part_number_max, 1));
    return wanted_part(object, static_cast<int>(number));
  }
  const auto decided = object::decide_range(request.header("range"), object.bytes);
  if (decided.kind == object::RangeKind::unsatisfiable) {
    return bucket::refusal("InvalidRange", "The requested range is not satisfiable");
  }
  return Wanted{decided.kind, decided.range, 0};
}

http::Response head_of(const Request& request, const bucket::ObjectRow& object, const Wanted& wanted) {
  http::Response response;
  add_object_headers(request, object, response);
  const bool asks_for_checksum = http::equals_ignoring_case(request.header("x-amz-checksum-mode"), "enabled");
  if (object.checksum && asks_for_checksum && wanted.kind == object::RangeKind::whole) {
    add_checksum_header(*object.checksum, response);
  }
  if (wanted.part_count != 0) {
    response.headers.emplace_back("x-amz-mp-parts-count", std::to_string(wanted.part_count));
  }
  if (wanted.kind == object::RangeKind::part) {
    response.status = 206;
    response.headers.emplace_back("Content-Range",
                                  "bytes " + std::to_string(wanted.range.first) + "-" +
                                      std::to_string(wanted.range.first + wanted.range.length - 1) + "/" +
                                      std::to_string(object.bytes));
  }
  return response;
}

// 304 or 412; nothing where the object is to be sent.
std::optional<Error> stands_against(const object::Conditions& conditions, const bucket::ObjectRow& object) {
  switch (object::decide_read(conditions, {object.etag, object.modified_ms})) {
    case object::ReadVerdict::precondition_failed:
      return bucket::precondition_failed(conditions.if_match ? "If-Match" : "If-Unmodified-Since");
    case object::ReadVerdict::not_modified:
    case object::ReadVerdict::proceed:
      return {};
  }
  return {};
}

bool is_unchanged(const object::Conditions& conditions, const bucket::ObjectRow& object) {
  return object::decide_read(conditions, {object.etag, object.modified_ms}) ==
         object::ReadVerdict::not_modified;
}

struct Opened {
  bucket::ObjectRow object;
  std::optional<object::ContentReader> content;  // absent: only the head is wanted
};

Result<Opened> open(const Call& call) {
  const Request& request = call.request();
  if (request.method != "HEAD") {
    WAYBILL_TRY_ASSIGN(auto opened, call.buckets().open_object(request.bucket, request.key));
    return Opened{std::move(opened.row), std::move(opened.content)};
  }
  WAYBILL_TRY(call.buckets().need_bucket(request.bucket));
  WAYBILL_TRY_ASSIGN(auto found, call.buckets().find_object(request.bucket, request.key));
  if (!found) {
    return bucket::no_such_key();
  }
  return Opened{*std::move(found), {}};
}

void answer_unchanged(Call call, const bucket::ObjectRow& object) {
  http::Response response;
  add_object_headers(call.request(), object, response);
  response.status = 304;
  call.answer(std::move(response));
}

}  // namespace

void get_object(Call call) {
  const Request& request = call.request();
  auto opened = open(call);
  if (!opened) {
    call.fail(opened.error());
    return;
  }
  const auto conditions = read_conditions(request);
  if (const auto error = stands_against(conditions, opened->object)) {
    call.fail(*error);
    return;
  }
  if (is_unchanged(conditions, opened->object)) {
    answer_unchanged(std::move(call), opened->object);
    return;
  }
  const auto wanted = wanted_range(request, opened->object);
  if (!wanted) {
    call.fail(wanted.error());
    return;
  }
  auto head = head_of(request, opened->object, *wanted);
  if (!opened->content) {
    http::StreamOptions options;
    options.content_length = wanted->range.length;
    static_cast<void>(call.answer_stream(std::move(head), std::move(options)));
  } else if (wanted->range.length == 0) {
    call.answer(std::move(head));
  } else {
    send_content(std::move(call), {std::move(head), *std::move(opened->content), wanted->range});
  }
}

}  // namespace waybill::api::s3
