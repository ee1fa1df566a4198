#include <utility>

#include "api/sqs/batch.h"
#include "api/sqs/operations.h"
#include "api/sqs/outgoing.h"

namespace waybill::api::sqs {
namespace {

constexpr std::size_t batch_bytes_max = 1'048'576;
constexpr ListForm sent_form{"Successful", "SendMessageBatchResultEntry"};

struct Entry {
  std::string id;
  Checksums checksums;
};

struct Request {
  queue::QueuePtr queue;
  std::vector<store::NewMessage> messages;
  std::vector<Entry> entries;  // of those messages
  std::vector<BatchFailure> failures;
};

struct DraftEntry {
  std::string id;
  Result<queue::Draft> draft;
};

std::vector<DraftEntry> read_drafts(const std::vector<Fields>& entries) {
  std::vector<DraftEntry> drafts;
  drafts.reserve(entries.size());
  for (const auto& entry : entries) {
    drafts.push_back({id_of(entry), read_draft(entry)});
  }
  return drafts;
}

Status check_size(const std::vector<DraftEntry>& drafts) {
  std::size_t bytes = 0;
  for (const auto& entry : drafts) {
    bytes += entry.draft ? queue::size_bytes(*entry.draft) : 0;
  }
  if (bytes > batch_bytes_max) {
    return Error{ErrorKind::batch_too_large,
                 "Batch requests cannot be longer than " + std::to_string(batch_bytes_max) +
                     " bytes. You have sent " + std::to_string(bytes) + " bytes.",
                 {}};
  }
  return {};
}

void add_entry(const Call& call, Request& request, DraftEntry& entry) {
  const auto checked =
      entry.draft ? queue::check(*request.queue, *entry.draft) : Status(std::move(entry.draft).error());
  if (!checked) {
    request.failures.push_back({std::move(entry.id), checked.error()});
    return;
  }
  auto outgoing =
      make_outgoing(call.services().entropy, *request.queue, *entry.draft, call.principal().access_key_id());
  request.messages.push_back(std::move(outgoing.message));
  request.entries.push_back({std::move(entry.id), std::move(outgoing.checksums)});
}

Result<Request> parse(const Call& call, const json::Value& body) {
  Reading reading;
  const Fields fields(body, reading);
  const auto url = fields.string("QueueUrl");
  WAYBILL_TRY(reading.status());
  Request request;
  WAYBILL_TRY_ASSIGN(request.queue, find_queue(call, url));
  WAYBILL_TRY_ASSIGN(const auto entries, read_batch(fields, "SendMessageBatchRequestEntry"));
  auto drafts = read_drafts(entries);
  WAYBILL_TRY(reading.status());
  WAYBILL_TRY(check_size(drafts));
  for (auto& draft : drafts) {
    add_entry(call, request, draft);
  }
  return request;
}

Answer render(const Call& call, const Request& request, const std::vector<store::SentMessage>& sent) {
  auto answer = call.begin_answer();
  if (!request.entries.empty()) {
    answer.begin_list(sent_form);
    for (std::size_t i = 0; i < request.entries.size(); ++i) {
      const auto& entry = request.entries[i];
      answer.begin_element(sent_form).text("Id", entry.id);
      write_sent(answer, sent[i], entry.checksums, request.queue->settings.is_fifo);
      answer.end_element(sent_form);
    }
    answer.end_list();
  }
  write_failures(answer, request.failures);
  return answer;
}

}  // namespace

void send_message_batch(Call call, const json::Value& body) {
  auto request = parse(call, body);
  if (!request) {
    call.fail(request.error());
    return;
  }
  if (request->messages.empty()) {
    call.answer(render(call, *request, {}));
    return;
  }
  auto& queues = call.queues();
  auto name = request->queue->name;
  auto messages = std::move(request->messages);
  queues.send(std::move(name), std::move(messages),
              answer_with<std::vector<store::SentMessage>>(
                  std::move(call),
                  [request = *std::move(request)](Call back, const std::vector<store::SentMessage>& sent) {
                    auto answer = render(back, request, sent);
                    back.answer(std::move(answer));
                  }));
}

}  // namespace waybill::api::sqs
