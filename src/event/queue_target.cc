#include "event/queue_target.h"

#include <algorithm>
#include <future>
#include <string_view>
#include <utility>

#include "base/bytes.h"
#include "http/sha256.h"
#include "queue/digest.h"
#include "queue/draft.h"
#include "queue/message.h"

namespace waybill::event {
namespace {

constexpr std::size_t events_at_once = 100;

// The record, in the characters and the length that a group may have.
std::string group_of(const Event& event) {
  constexpr std::size_t length_max = 128;
  const bool fits = event.subject.size() <= length_max &&
                    std::ranges::all_of(event.subject, [](char c) { return c > ' ' && c <= '~'; });
  return fits ? event.subject : hex_lower(http::bytes_of(http::sha256(event.source + "/" + event.subject)));
}

queue::Message message_of(const queue::Queue& queue, const Event& event) {
  queue::Message message;
  message.sender = "waybill";
  message.body = cloud_event(event);
  message.body_md5 = queue::md5_hex(message.body);
  message.attributes.push_back({"content-type", "String", cloud_event_content_type});
  if (queue.settings.is_fifo) {
    message.group = group_of(event);
    message.deduplication_id = event.id;
  }
  return message;
}

Status check_message(const queue::Queue& queue, const queue::Message& message) {
  queue::Draft draft;
  draft.body = message.body;
  draft.attributes = message.attributes;
  if (queue.settings.is_fifo) {
    draft.group = message.group;
    draft.deduplication_id = message.deduplication_id;
  }
  return queue::check(queue, draft);
}

Status send(store::Queues& queues, const std::string& queue, std::vector<store::NewMessage> messages) {
  auto promise = std::make_shared<std::promise<Result<std::vector<store::SentMessage>>>>();
  auto sent = promise->get_future();
  queues.send(queue, std::move(messages), [promise](Result<std::vector<store::SentMessage>> result) {
    promise->set_value(std::move(result));
  });
  if (auto result = sent.get(); !result) {
    return std::move(result).error();
  }
  return {};
}

}  // namespace

std::size_t QueueTarget::batch_max() const {
  return events_at_once;
}

std::vector<Delivery> QueueTarget::deliver(const std::vector<Event>& events) {
  const auto queue = queues_.find(queue_);
  if (!queue) {
    return {events.size(), Delivery{Told::failed, "there is no queue " + queue_ + " yet"}};
  }
  std::vector<Delivery> deliveries;
  std::vector<store::NewMessage> messages;
  for (const auto& event : events) {
    auto message = message_of(*queue, event);
    if (const auto status = check_message(*queue, message); !status) {
      deliveries.push_back({Told::refused, status.error().message});
      continue;
    }
    deliveries.emplace_back();
    message.id = make_uuid4(entropy_);
    messages.push_back({queue::encode(message), message.id, message.group, message.deduplication_id, {}});
  }
  if (messages.empty()) {
    return deliveries;
  }
  if (const auto status = send(queues_, queue_, std::move(messages)); !status) {
    for (auto& delivery : deliveries) {
      if (delivery.told == Told::taken) {
        delivery = {Told::failed, status.error().message};
      }
    }
  }
  return deliveries;
}

}  // namespace waybill::event
