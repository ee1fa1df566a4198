#include <memory>
#include <utility>

#include "api/sqs/incoming.h"
#include "api/sqs/operations.h"
#include "api/sqs/parameters.h"
#include "queue/settings.h"

namespace waybill::api::sqs {
namespace {

constexpr Bounds count_bounds{1, 10};
constexpr Bounds wait_bounds{0, 20};

struct Request {
  queue::QueuePtr queue;
  Selection selection;
  store::ReceiveRequest receive;
};

struct Given {
  std::optional<std::string_view> url;
  std::optional<int64_t> count;
  std::optional<int64_t> visibility_seconds;
  std::optional<int64_t> wait_seconds;
  std::optional<std::string_view> attempt_id;
};

Status check(const queue::Queue& queue, const Given& given) {
  WAYBILL_TRY(check_bounds("MaxNumberOfMessages", given.count, count_bounds,
                           "Must be between 1 and 10, if provided."));
  WAYBILL_TRY(check_bounds("WaitTimeSeconds", given.wait_seconds, wait_bounds,
                           "Must be >= 0 and <= 20, if provided."));
  const int64_t visibility_max =
      queue.settings.allows_long_delays ? queue::long_delay_seconds_max : queue::visibility_seconds_max;
  WAYBILL_TRY(check_bounds("VisibilityTimeout", given.visibility_seconds, {0, visibility_max},
                           "Must be between 0 and " + std::to_string(visibility_max) + ", if provided."));
  if (given.attempt_id && !queue.settings.is_fifo) {
    return queue::invalid_value(*given.attempt_id, "ReceiveRequestAttemptId",
                                "The request include parameter that is not valid for this queue type.");
  }
  return {};
}

Result<Request> parse(const Call& call, const json::Value& body) {
  Reading reading;
  const Fields fields(body, reading);
  Given given;
  given.url = fields.string("QueueUrl");
  given.count = fields.integer("MaxNumberOfMessages");
  given.visibility_seconds = fields.integer("VisibilityTimeout");
  given.wait_seconds = fields.integer("WaitTimeSeconds");
  given.attempt_id = fields.string("ReceiveRequestAttemptId");
  auto selection = Selection::read(fields);
  WAYBILL_TRY(reading.status());

  Request request;
  WAYBILL_TRY_ASSIGN(request.queue, find_queue(call, given.url));
  WAYBILL_TRY_ASSIGN(request.selection, std::move(selection));
  WAYBILL_TRY(check(*request.queue, given));
  auto& receive = request.receive;
  receive.queue = request.queue->name;
  receive.count_max = static_cast<uint32_t>(given.count.value_or(1));
  if (given.visibility_seconds) {
    receive.visibility_ms = *given.visibility_seconds * 1000;
  }
  receive.wait_ms = given.wait_seconds ? *given.wait_seconds * 1000 : request.queue->settings.wait_ms;
  return request;
}

Circumstances circumstances_of(const Request& request, const store::Delivery& delivery,
                               const queue::Message& message) {
  Circumstances circumstances;
  circumstances.is_fifo = request.queue->settings.is_fifo;
  circumstances.sequence = delivery.receipt.sequence;
  circumstances.sent_ms = delivery.sent_ms;
  circumstances.first_received_ms = delivery.first_received_ms;
  circumstances.receive_count = delivery.receive_count + message.earlier_receives;
  circumstances.fencing_token = delivery.receipt.token;
  circumstances.receipt_handle = queue::encode(delivery.receipt);
  return circumstances;
}

struct Received {
  store::Delivery delivery;
  queue::Message message;
};

// The contents of what was given out. Somebody may have deleted a message meanwhile, with an older receipt.
Result<std::vector<Received>> read_contents(const store::Queues& queues,
                                            std::vector<store::Delivery> deliveries) {
  std::vector<Received> received;
  received.reserve(deliveries.size());
  for (auto& delivery : deliveries) {
    WAYBILL_TRY_ASSIGN(auto message, queues.read(delivery));
    if (message) {
      received.push_back({std::move(delivery), *std::move(message)});
    }
  }
  return received;
}

std::size_t expected_bytes(const std::vector<Received>& received) {
  constexpr std::size_t around_body_bytes = 512;
  std::size_t bytes = 0;
  for (const auto& one : received) {
    bytes += one.message.body.size() + one.message.body.size() / 8 + around_body_bytes;
  }
  return bytes;
}

Result<Answer> render(const Call& call, const Request& request, std::vector<store::Delivery> deliveries) {
  WAYBILL_TRY_ASSIGN(auto received, read_contents(call.queues(), std::move(deliveries)));
  auto answer = call.begin_answer(expected_bytes(received));
  if (received.empty()) {
    return answer;
  }
  answer.begin_list(messages_form);
  for (auto& one : received) {
    const auto circumstances = circumstances_of(request, one.delivery, one.message);
    write_message(answer, call.services(), request.selection, std::move(one.message), circumstances);
  }
  answer.end_list();
  return answer;
}

std::string_view name_of(store::MessageState state) {
  switch (state) {
    case store::MessageState::in_flight:
      return "in_flight";
    case store::MessageState::delayed:
      return "delayed";
    case store::MessageState::waiting:
      break;
  }
  return "waiting";
}

// What a peek shows has been received by nobody: there is no receipt, and nothing changes.
Result<Answer> peek(const Call& call, const Request& request) {
  const store::PeekRequest look{request.queue->name, "", std::string(call.client().peek_after),
                                request.receive.count_max};
  WAYBILL_TRY_ASSIGN(auto peeked, call.queues().peek(look));
  auto answer = call.begin_answer();
  if (peeked.empty()) {
    return answer;
  }
  answer.begin_list(messages_form);
  for (auto& one : peeked) {
    Circumstances circumstances;
    circumstances.is_fifo = request.queue->settings.is_fifo;
    circumstances.sequence = one.sequence;
    circumstances.sent_ms = one.sent_ms;
    circumstances.receive_count = one.receive_count + one.message.earlier_receives;
    circumstances.peeked_state = name_of(one.state);
    circumstances.peeked_place = std::move(one.place);
    write_message(answer, call.services(), request.selection, std::move(one.message), circumstances);
  }
  answer.end_list();
  return answer;
}

// A message that comes while nobody waits for it any more is left to others: the wait ends with the client.
void receive(Call call, Request request) {
  auto& queues = call.queues();
  auto wanted = request.receive;
  const auto wait = std::make_shared<std::shared_ptr<store::Wait>>();
  if (wanted.wait_ms > 0) {
    call.watch([wait] {
      if (*wait) {
        (*wait)->cancel();
      }
    });
  }
  auto done = answer_with<std::vector<store::Delivery>>(
      std::move(call), [request = std::move(request)](Call back, std::vector<store::Delivery> deliveries) {
        auto result = render(back, request, std::move(deliveries));
        back.answer(std::move(result));
      });
  *wait = queues.receive(std::move(wanted), std::move(done));
}

}  // namespace

void receive_message(Call call, const json::Value& body) {
  auto request = parse(call, body);
  if (!request) {
    call.fail(request.error());
    return;
  }
  if (request->selection.is_peek()) {
    auto result = peek(call, *request);
    call.answer(std::move(result));
    return;
  }
  receive(std::move(call), *std::move(request));
}

}  // namespace waybill::api::sqs
