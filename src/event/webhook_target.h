#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "event/target.h"
#include "http/post_client.h"
#include "http/sha256.h"

namespace waybill::event {

// Posts each event by itself to a URL. The body is the CloudEvent, and these headers go with it, as Standard
// Webhooks has them:
//
//   webhook-id         the event's id: a second one with the same is the same event, told again
//   webhook-timestamp  seconds since 1970 of this attempt
//   webhook-signature  "v1," and the HMAC-SHA256 of "ID.TIMESTAMP.BODY" with the secret, in base64; where
//                      there is a secret. One that begins with "whsec_" is base64 behind that
//
// Taken is what is answered with 2xx. 3xx and 4xx are refusals, but for 408, 425 and 429.
class WebhookTarget final : public Target {
 public:
  struct Options {
    std::string url;
    std::string secret;  // "": unsigned
    const Clock* clock = nullptr;
  };

  // Error invalid where the URL is none, or the secret is not what it says to be.
  static Result<std::unique_ptr<Target>> open(const Options& options);

  std::size_t batch_max() const override;
  std::vector<Delivery> deliver(const std::vector<Event>& events) override;
  void interrupt() override { client_->interrupt(); }

 private:
  WebhookTarget(std::unique_ptr<http::PostClient> client, const Clock& clock)
      : client_(std::move(client)), clock_(clock) {}
  Delivery post(const Event& event);

  const std::unique_ptr<http::PostClient> client_;
  const Clock& clock_;
  bool signs_ = false;
  http::HmacKey key_;
};

}  // namespace waybill::event
