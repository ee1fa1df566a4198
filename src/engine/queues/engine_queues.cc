#include "engine/queues/engine_queues.h"

#include <utility>

#include "engine/queues/peek.h"
#include "engine/queues/queue_jobs.h"

namespace waybill::engine::queues {
namespace {

class WriterWait final : public store::Wait {
 public:
  WriterWait(Writer& writer, std::string queue, uint64_t id)
      : writer_(writer), queue_(std::move(queue)), id_(id) {}
  void cancel() override { writer_.submit(std::make_unique<CancelWaitJob>(writer_.book(), queue_, id_)); }

 private:
  Writer& writer_;
  const std::string queue_;
  const uint64_t id_;
};

}  // namespace

template <typename TheJob, typename Done, typename... Arguments>
void EngineQueues::submit(Done done, Arguments... arguments) {
  if (auto admitted = admit_(); !admitted) {
    done(std::move(admitted).error());
    return;
  }
  writer_.submit(std::make_unique<TheJob>(writer_.book(), std::move(arguments)..., std::move(done)));
}

void EngineQueues::create(queue::Queue queue, store::QueueDone done) {
  submit<CreateQueueJob>(std::move(done), std::move(queue));
}

void EngineQueues::change(std::string name, store::QueueChange change, store::QueueDone done) {
  submit<ChangeQueueJob>(std::move(done), std::move(name), std::move(change));
}

void EngineQueues::remove(std::string name, store::QueueDone done) {
  submit<RemoveQueueJob>(std::move(done), std::move(name));
}

void EngineQueues::purge(std::string name, store::QueueDone done) {
  submit<PurgeQueueJob>(std::move(done), std::move(name));
}

void EngineQueues::send(std::string queue, std::vector<store::NewMessage> messages, store::SendDone done) {
  submit<SendJob>(std::move(done), std::move(queue), std::move(messages));
}

std::shared_ptr<store::Wait> EngineQueues::receive(store::ReceiveRequest request, store::ReceiveDone done) {
  const uint64_t id = ++waiters_;
  auto wait = request.wait_ms > 0 ? std::make_shared<WriterWait>(writer_, request.queue, id) : nullptr;
  submit<ReceiveJob>(std::move(done), std::move(request), id);
  return wait;
}

Result<std::optional<queue::Message>> EngineQueues::read(const store::Delivery& delivery) const {
  if (delivery.record) {
    WAYBILL_TRY_ASSIGN(auto message, queue::decode_message(*delivery.record));
    return std::optional(std::move(message));
  }
  const auto& receipt = delivery.receipt;
  rocksdb::PinnableSlice value;
  WAYBILL_TRY_ASSIGN(const bool found,
                     database_.get(database_.messages(),
                                   message_key(receipt.space, receipt.group, receipt.sequence), value));
  if (!found) {
    return std::optional<queue::Message>();
  }
  WAYBILL_TRY_ASSIGN(auto message, queue::decode_message(read_message_row(view(value)).record));
  return std::optional(std::move(message));
}

Result<std::optional<store::Peeked>> EngineQueues::look(const queue::Receipt& receipt) const {
  return queues::look(database_, receipt, clock_.wall_ms());
}

void EngineQueues::settle(std::string queue, std::vector<store::Settlement> settlements,
                          store::SettleDone done) {
  submit<SettleJob>(std::move(done), std::move(queue), std::move(settlements));
}

Result<std::vector<store::Peeked>> EngineQueues::peek(const store::PeekRequest& request) const {
  const auto queue = find(request.queue);
  if (queue == nullptr) {
    return queue_not_found();
  }
  return queues::peek(database_, *queue, request, clock_.wall_ms());
}

void EngineQueues::stats(std::string name, store::StatsDone done) {
  writer_.submit(std::make_unique<QueueStatsJob>(writer_.book(), std::move(name), std::move(done)));
}

void EngineQueues::move(store::MoveRequest request, store::MoveDone done) {
  submit<MoveJob>(std::move(done), std::move(request));
}

}  // namespace waybill::engine::queues
