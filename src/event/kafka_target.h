#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "event/target.h"

namespace waybill::event {

// Writes events to a topic, with the record's id as the key, so that those of one record stand in one
// partition, in their order. All replicas that are in sync have what is taken; a write that the library
// repeats is there once.
class KafkaTarget final : public Target {
 public:
  struct Options {
    std::string brokers;  // "host:9092,host:9092"
    std::string topic;
    int timeout_ms = 30'000;  // how long a write is tried before it has failed
  };

  // Does not wait for the brokers. Error invalid where the library does not take what is given.
  static Result<std::unique_ptr<Target>> open(Options options);
  ~KafkaTarget() override;

  std::size_t batch_max() const override;
  std::vector<Delivery> deliver(const std::vector<Event>& events) override;
  void interrupt() override;

 private:
  struct State;
  explicit KafkaTarget(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

}  // namespace waybill::event
