// The live feed of one record, and of all of a kind.
#include <charconv>

#include "api/jobs/feed.h"
#include "api/jobs/operations.h"

namespace waybill::api::jobs {
namespace {

Result<std::optional<uint64_t>> read_last_id(const http::Request& request) {
  const auto text = request.header("last-event-id");
  if (text.empty()) {
    return std::optional<uint64_t>();
  }
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) {
    return Error{ErrorKind::malformed, "Last-Event-ID must be the id of an event of this feed",
                 "Last-Event-ID"};
  }
  return std::optional(number);
}

Result<Feed::Interest> parse(const Call& call, const Input& input) {
  WAYBILL_TRY(input.query.check_names({}));
  const auto& target = call.target();
  Feed::Interest interest;
  interest.path =
      target.subject.contract->contract.name + "/" + target.subject.record().name + "/" + target.id;
  interest.is_one = !target.id.empty();
  WAYBILL_TRY_ASSIGN(interest.after, read_last_id(input.request));
  return interest;
}

Result<uint64_t> admit(const Call& call) {
  Feed* const feed = call.services().feed;
  if (feed == nullptr) {
    return Error{ErrorKind::unavailable, "This server has no live feed.", {}};
  }
  return feed->admit();
}

void run(Call call, const Input& input) {
  if (call.is_of_batch()) {
    call.fail(Error{ErrorKind::malformed, "The feed of changes cannot be part of a batch.", {}});
    return;
  }
  auto interest = parse(call, input);
  if (!interest) {
    call.fail(interest.error());
    return;
  }
  http::Response head;
  head.content_type = "text/event-stream";
  head.headers.emplace_back("Cache-Control", "no-store");
  if (input.request.method == "HEAD") {
    call.answer(std::move(head));
    return;
  }
  const auto number = admit(call);
  if (!number) {
    call.fail(number.error());
    return;
  }
  Feed* const feed = call.services().feed;
  call.watch([feed, number = *number] { feed->leave(number); });
  http::StreamOptions options;
  options.idle_text = ": nothing new\n\n";
  auto stream = call.answer_stream(std::move(head), std::move(options));
  stream.write("retry: 1000\n\n");
  feed->join(*number, *std::move(interest), std::move(stream));
}

constexpr std::string_view parameters = R"({"$ref":"#/components/parameters/LastEventId"})";

}  // namespace

const Operation changes_of_record{"changes_of_record",
                                  "GET",
                                  Path::Shape::record,
                                  "changes",
                                  run,
                                  Needs::nothing,
                                  {"What happens to a record from now on, as server-sent events.", parameters,
                                   "", "200", R"({"type":"string"})", "text/event-stream"}};

const Operation changes_of_records{
    "changes_of_records",
    "GET",
    Path::Shape::records,
    "changes",
    run,
    Needs::nothing,
    {"What happens to all records of a kind from now on, as server-sent events.", parameters, "", "200",
     R"({"type":"string"})", "text/event-stream"}};

}  // namespace waybill::api::jobs
