#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "event/target.h"
#include "http/post_client.h"

namespace waybill::event {

// Puts events on a bus of EventBridge with PutEvents, signed with Signature Version 4. An entry's Source and
// DetailType are the event's source and type, its Detail is the whole CloudEvent.
//
// An entry that EventBridge fails for its own reasons is to be tried again; one that it says is wrong is
// refused. A request that it does not take as a whole has failed: mostly it is the key that is wrong, and
// somebody will mend it. Only where it says that the content is wrong are the entries tried one by one, and
// the wrong one refused.
class EventBridgeTarget final : public Target {
 public:
  struct Options {
    std::string endpoint;  // a URL; "": Amazon's own of the region
    std::string region;
    std::string bus;
    std::string access_key;
    std::string secret_key;
    const Clock* clock = nullptr;
  };

  // Error invalid where the endpoint is no URL.
  static Result<std::unique_ptr<Target>> open(Options options);

  std::size_t batch_max() const override;
  std::vector<Delivery> deliver(const std::vector<Event>& events) override;
  void interrupt() override { client_->interrupt(); }

 private:
  EventBridgeTarget(std::unique_ptr<http::PostClient> client, Options options)
      : client_(std::move(client)), options_(std::move(options)) {}

  std::vector<Delivery> put(const std::vector<std::string>& entries);
  std::vector<std::string> signed_headers(const std::string& body) const;

  const std::unique_ptr<http::PostClient> client_;
  const Options options_;
};

}  // namespace waybill::event
