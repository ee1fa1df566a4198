#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "engine/catalog.h"
#include "engine/database.h"
#include "engine/writer.h"
#include "store/queues.h"

namespace waybill::engine::queues {

// The queues of the embedded store: what changes them goes to the writer as jobs, what reads them does not.
class EngineQueues final : public store::Queues {
 public:
  // `admit` says whether a change can be taken on now. All that is referred to outlives this.
  EngineQueues(const Database& database, const Catalog& catalog, Writer& writer, const Clock& clock,
               std::function<Status()> admit)
      : database_(database), catalog_(catalog), writer_(writer), clock_(clock), admit_(std::move(admit)) {}

  queue::QueuePtr find(std::string_view name) const override { return catalog_.find_queue(name); }
  std::vector<std::string> names(std::string_view prefix, std::string_view after,
                                 std::size_t limit) const override {
    return catalog_.queue_names(prefix, after, limit);
  }
  std::vector<queue::QueuePtr> all() const override { return catalog_.queues(); }

  void create(queue::Queue queue, store::QueueDone done) override;
  void change(std::string name, store::QueueChange change, store::QueueDone done) override;
  void remove(std::string name, store::QueueDone done) override;
  void purge(std::string name, store::QueueDone done) override;
  void send(std::string queue, std::vector<store::NewMessage> messages, store::SendDone done) override;
  std::shared_ptr<store::Wait> receive(store::ReceiveRequest request, store::ReceiveDone done) override;
  Result<std::optional<queue::Message>> read(const store::Delivery& delivery) const override;
  Result<std::optional<store::Peeked>> look(const queue::Receipt& receipt) const override;
  void settle(std::string queue, std::vector<store::Settlement> settlements, store::SettleDone done) override;
  Result<std::vector<store::Peeked>> peek(const store::PeekRequest& request) const override;
  void stats(std::string name, store::StatsDone done) override;
  void move(store::MoveRequest request, store::MoveDone done) override;

 private:
  template <typename TheJob, typename Done, typename... Arguments>
  void submit(Done done, Arguments... arguments);

  const Database& database_;
  const Catalog& catalog_;
  Writer& writer_;
  const Clock& clock_;
  const std::function<Status()> admit_;
  std::atomic<uint64_t> waiters_{0};
};

}  // namespace waybill::engine::queues
