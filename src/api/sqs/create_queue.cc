#include <algorithm>
#include <utility>

#include "api/sqs/operations.h"
#include "api/sqs/parameters.h"
#include "queue/settings.h"

namespace waybill::api::sqs {
namespace {

constexpr std::size_t name_length_max = 80;
constexpr std::string_view fifo_suffix = ".fifo";

struct Request {
  std::string name;
  queue::Attributes attributes;
  TextMap tags;
};

Result<Request> parse(const json::Value& body) {
  Reading reading;
  const Fields fields(body, reading);
  const auto name = fields.string("QueueName");
  Request request;
  request.attributes = read_text_map(fields, "Attributes");
  const auto tags = read_text_map(fields, fields.has("tags") ? "tags" : "Tags");
  WAYBILL_TRY(reading.status());
  WAYBILL_TRY_ASSIGN(request.name, required(name, "QueueName"));
  WAYBILL_TRY_ASSIGN(request.tags, with_tags({}, tags));
  return request;
}

bool is_plain_name(std::string_view name) {
  return !name.empty() && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
  });
}

Status check_name(std::string_view name, bool is_fifo) {
  const bool has_suffix = name.ends_with(fifo_suffix);
  const auto plain = is_fifo && has_suffix ? name.substr(0, name.size() - fifo_suffix.size()) : name;
  if (name.size() <= name_length_max && is_plain_name(plain) && is_fifo == has_suffix) {
    return {};
  }
  return invalid(is_fifo ? "The name of a FIFO queue can only include alphanumeric characters, hyphens, or "
                           "underscores, must end with .fifo suffix and be 1 to 80 in length."
                         : "Can only include alphanumeric characters, hyphens, or underscores. 1 to 80 in "
                           "length");
}

Result<queue::Queue> decide(const store::Queues& queues, Request request, int64_t now_ms) {
  queue::Queue queue;
  queue.name = std::move(request.name);
  queue.created_ms = now_ms;
  queue.changed_ms = now_ms;
  queue.attributes = queue::with_changes({}, request.attributes);
  queue.tags = std::move(request.tags);
  WAYBILL_TRY_ASSIGN(queue.settings, queue::read_settings(queue.attributes));
  WAYBILL_TRY(check_name(queue.name, queue.settings.is_fifo));
  if (queue.settings.redrive) {
    WAYBILL_TRY(queue::check_redrive_target(queue, queues.find(queue.settings.redrive->target).get()));
  }
  return queue;
}

// A queue that is there already passes for the new one where nothing was asked of it that it is not.
Status check_same(const queue::Queue& existing, const queue::Queue& wanted) {
  const auto shown = queue::shown_attributes(existing);
  for (const auto& [name, value] : wanted.attributes) {
    const auto found = shown.find(name);
    if (found == shown.end() || found->second != value) {
      return Error{ErrorKind::queue_exists,
                   "A queue already exists with the same name and a different value for attribute " + name,
                   {}};
    }
  }
  return {};
}

void answer_url(Call call, std::string_view name) {
  auto answer = call.begin_answer();
  answer.text("QueueUrl", call.queue_url(name));
  call.answer(std::move(answer));
}

void answer_existing(Call call, const queue::Queue& existing, const queue::Queue& wanted) {
  if (const auto same = check_same(existing, wanted); !same) {
    call.fail(same.error());
    return;
  }
  answer_url(std::move(call), wanted.name);
}

// Somebody else may have made a queue of that name meanwhile.
void answer_created(Call call, const queue::Queue& wanted, const Result<queue::QueuePtr>& created) {
  if (created) {
    answer_url(std::move(call), wanted.name);
    return;
  }
  const auto existing =
      created.error().kind == ErrorKind::queue_exists ? call.queues().find(wanted.name) : nullptr;
  if (existing == nullptr) {
    call.fail(created.error());
    return;
  }
  answer_existing(std::move(call), *existing, wanted);
}

}  // namespace

void create_queue(Call call, const json::Value& body) {
  auto request = parse(body);
  auto queue = request ? decide(call.queues(), *std::move(request), call.services().clock.wall_ms())
                       : Result<queue::Queue>(request.error());
  if (!queue) {
    call.fail(queue.error());
    return;
  }
  auto& queues = call.queues();
  if (const auto existing = queues.find(queue->name)) {
    answer_existing(std::move(call), *existing, *queue);
    return;
  }
  auto done = [call = std::move(call), wanted = *queue](Result<queue::QueuePtr> created) mutable {
    Call::resume(std::move(call), [wanted = std::move(wanted), created = std::move(created)](Call back) {
      answer_created(std::move(back), wanted, created);
    });
  };
  queues.create(*std::move(queue), std::move(done));
}

}  // namespace waybill::api::sqs
