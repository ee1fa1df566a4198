#include "event/webhook_target.h"

#include <string_view>
#include <utility>

#include "base/bytes.h"

namespace waybill::event {
namespace {

constexpr std::size_t events_at_once = 50;
// One behind the other: then the other side is away, and each more attempt may take its whole time-out.
constexpr int failures_max = 3;
constexpr std::string_view encoded_secret = "whsec_";

Result<std::string> secret_bytes(const std::string& secret) {
  if (!secret.starts_with(encoded_secret)) {
    return secret;
  }
  auto bytes = decode_base64(std::string_view(secret).substr(encoded_secret.size()));
  if (!bytes || bytes->empty()) {
    return invalid("its secret begins with whsec_, and what follows is not base64");
  }
  return *std::move(bytes);
}

}  // namespace

Result<std::unique_ptr<Target>> WebhookTarget::open(const Options& options) {
  WAYBILL_TRY_ASSIGN(auto client, http::PostClient::open(options.url));
  WAYBILL_TRY_ASSIGN(const auto secret, secret_bytes(options.secret));
  std::unique_ptr<WebhookTarget> target(new WebhookTarget(std::move(client), *options.clock));
  target->signs_ = !secret.empty();
  target->key_ = http::HmacKey(secret);
  return std::unique_ptr<Target>(std::move(target));
}

std::size_t WebhookTarget::batch_max() const {
  return events_at_once;
}

std::vector<Delivery> WebhookTarget::deliver(const std::vector<Event>& events) {
  std::vector<Delivery> deliveries;
  int failures = 0;
  for (const auto& event : events) {
    deliveries.push_back(post(event));
    failures = deliveries.back().told == Told::failed ? failures + 1 : 0;
    if (failures == failures_max) {
      break;
    }
  }
  return deliveries;
}

Delivery WebhookTarget::post(const Event& event) {
  const std::string body = cloud_event(event);
  const std::string time = std::to_string(clock_.wall_seconds());
  std::vector<std::string> headers = {std::string("Content-Type: ") + cloud_event_content_type,
                                      "webhook-id: " + event.id, "webhook-timestamp: " + time};
  if (signs_) {
    headers.emplace_back("webhook-signature: v1,");
    append_base64(headers.back(), http::bytes_of(key_.sign(event.id + "." + time + "." + body)));
  }
  const auto answer = client_->post(headers, body);
  if (!answer) {
    return {Told::failed, answer.error().message};
  }
  if (answer->status >= 200 && answer->status < 300) {
    return {};
  }
  return {http::may_pass(answer->status) ? Told::failed : Told::refused,
          "status " + std::to_string(answer->status)};
}

}  // namespace waybill::event
