#include <utility>

#include "api/sqs/operations.h"
#include "api/sqs/outgoing.h"

namespace waybill::api::sqs {
namespace {

struct Request {
  queue::QueuePtr queue;
  Outgoing outgoing;
};

Result<Request> parse(const Call& call, const json::Value& body) {
  Reading reading;
  const Fields fields(body, reading);
  const auto url = fields.string("QueueUrl");
  const auto draft = read_draft(fields);
  WAYBILL_TRY(reading.status());
  Request request;
  WAYBILL_TRY_ASSIGN(request.queue, find_queue(call, url));
  if (!draft) {
    return draft.error();
  }
  WAYBILL_TRY(queue::check(*request.queue, *draft));
  request.outgoing =
      make_outgoing(call.services().entropy, *request.queue, *draft, call.principal().access_key_id());
  return request;
}

}  // namespace

void send_message(Call call, const json::Value& body) {
  auto request = parse(call, body);
  if (!request) {
    call.fail(request.error());
    return;
  }
  auto& queues = call.queues();
  std::vector<store::NewMessage> messages;
  messages.push_back(std::move(request->outgoing.message));
  const bool is_fifo = request->queue->settings.is_fifo;
  queues.send(request->queue->name, std::move(messages),
              answer_with<std::vector<store::SentMessage>>(
                  std::move(call), [checksums = std::move(request->outgoing.checksums), is_fifo](
                                       Call back, const std::vector<store::SentMessage>& sent) {
                    constexpr std::size_t answer_bytes = 256;
                    auto answer = back.begin_answer(answer_bytes);
                    write_sent(answer, sent.front(), checksums, is_fifo);
                    back.answer(std::move(answer));
                  }));
}

}  // namespace waybill::api::sqs
