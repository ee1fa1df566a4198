#pragma once

#include <algorithm>
#include <future>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "engine/fixture.h"
#include "queue/settings.h"
#include "store/queues.h"

namespace waybill::engine {

// A store with queues, asked and waited for.
class QueueTest : public EngineTest {
 protected:
  using Given = std::vector<store::Delivery>;

  store::Queues& queues() { return *store_->queues(); }

  static queue::Queue described(std::string name, std::map<std::string, std::string> attributes = {}) {
    if (name.ends_with(".fifo")) {
      attributes["FifoQueue"] = "true";
    }
    queue::Queue queue;
    queue.name = std::move(name);
    queue.attributes = std::move(attributes);
    auto settings = queue::read_settings(queue.attributes);
    WAYBILL_CHECK(settings.has_value());
    queue.settings = *settings;
    return queue;
  }

  // What `call` hands to its callback.
  template <typename Value, typename Call>
  static Value answer_of(Call call) {
    std::promise<Value> done;
    auto result = done.get_future();
    call([&](Value value) { done.set_value(std::move(value)); });
    return result.get();
  }

  Result<queue::QueuePtr> make(const std::string& name, std::map<std::string, std::string> attributes = {}) {
    return answer_of<Result<queue::QueuePtr>>(
        [&](auto done) { queues().create(described(name, std::move(attributes)), std::move(done)); });
  }

  static store::NewMessage message(const std::string& body, const std::string& group = {},
                                   const std::string& deduplication_id = {}) {
    queue::Message made;
    made.id = "id-" + body;
    made.body = body;
    made.group = group;
    made.deduplication_id = deduplication_id;
    return {queue::encode(made), made.id, group, deduplication_id.empty() ? body : deduplication_id, {}};
  }

  Result<std::vector<store::SentMessage>> send_all(const std::string& queue,
                                                   std::vector<store::NewMessage> messages) {
    return answer_of<Result<std::vector<store::SentMessage>>>(
        [&](auto done) { queues().send(queue, std::move(messages), std::move(done)); });
  }

  store::SentMessage send(const std::string& queue, const std::string& body, const std::string& group = {}) {
    return send_all(queue, {message(body, group)}).value().front();
  }

  Result<Given> try_receive(const std::string& queue, uint32_t count = 1,
                            std::optional<int64_t> visibility_ms = {}) {
    return answer_of<Result<Given>>(
        [&](auto done) { queues().receive({queue, count, visibility_ms, 0}, std::move(done)); });
  }

  Given receive(const std::string& queue, uint32_t count = 1, std::optional<int64_t> visibility_ms = {}) {
    auto given = try_receive(queue, count, visibility_ms);
    EXPECT_TRUE(given) << given.error().message;
    return given ? *std::move(given) : Given();
  }

  Given receive_tentatively(const std::string& queue, uint32_t count = 1) {
    return answer_of<Result<Given>>(
               [&](auto done) { queues().receive({queue, count, {}, 0, true}, std::move(done)); })
        .value();
  }

  std::string body_of(const store::Delivery& delivery) {
    const auto read = queues().read(delivery);
    EXPECT_TRUE(read);
    return *read ? (*read)->body : "gone";
  }

  std::vector<std::string> bodies_of(const Given& given) {
    std::vector<std::string> bodies;
    for (const auto& delivery : given) {
      bodies.push_back(body_of(delivery));
    }
    return bodies;
  }

  store::Settled settle(const std::string& queue, const store::Delivery& delivery,
                        std::optional<int64_t> visibility_ms = {}, bool counts = true) {
    return answer_of<Result<std::vector<store::Settled>>>([&](auto done) {
             queues().settle(queue, {{delivery.receipt, visibility_ms, counts}}, std::move(done));
           })
        .value()
        .front();
  }

  store::QueueStats stats(const std::string& queue) {
    return answer_of<std::vector<store::QueueStats>>(
               [&](auto done) { queues().stats(queue, std::move(done)); })
        .at(0);
  }
};

}  // namespace waybill::engine
