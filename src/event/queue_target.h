#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/entropy.h"
#include "event/target.h"
#include "store/store.h"

namespace waybill::event {

// Sends each event as a message to a queue of the store's own. In a FIFO queue the record is the group, and
// the event's id keeps it from being there twice. Where there is no queue of that name yet, it waits for one.
class QueueTarget final : public Target {
 public:
  // All that is given outlives it; the store has queues.
  QueueTarget(store::Store& store, Entropy& entropy, std::string queue)
      : queues_(*store.queues()), entropy_(entropy), queue_(std::move(queue)) {}

  std::size_t batch_max() const override;
  std::vector<Delivery> deliver(const std::vector<Event>& events) override;
  void interrupt() override {}

 private:
  store::Queues& queues_;
  Entropy& entropy_;
  const std::string queue_;
};

}  // namespace waybill::event
