#pragma once

#include <memory>
#include <string>

#include "alarm/poster.h"
#include "base/result.h"

namespace waybill::alarm {

// Tells notices by POST to a URL: the body is body_of() the notice, and these headers go with it.
//
//   x-waybill-notice-id  the notice's id: a second one with the same is the same notice, told again
//   x-waybill-signature  "sha256=" and the HMAC-SHA256 of the body with the secret, in hexadecimal; where
//   there is
//                        a secret
//
// Taken is what is answered with 2xx. Redirects are not followed: they could lead to anybody. 3xx and 4xx are
// refusals, but for 408, 425 and 429.
class Webhook final : public Poster {
 public:
  struct Options {
    std::string url;  // http or https
    std::string secret;
    std::string server;  // what the notices say where they come from
  };

  // Error invalid where the URL is none.
  static Result<std::unique_ptr<Webhook>> open(Options options);
  ~Webhook() override;

  PostOutcome post(const Notice& notice) override;
  void interrupt() override;

 private:
  struct State;
  explicit Webhook(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

}  // namespace waybill::alarm
