#include "alarm/webhook.h"

#include <utility>
#include <vector>

#include "base/bytes.h"
#include "http/post_client.h"
#include "http/sha256.h"

namespace waybill::alarm {
namespace {

PostOutcome outcome_of(int status) {
  if (status >= 200 && status < 300) {
    return {};
  }
  return {http::may_pass(status) ? Posted::failed : Posted::refused, "status " + std::to_string(status)};
}

}  // namespace

struct Webhook::State {
  Options options;
  http::HmacKey key;
  std::unique_ptr<http::PostClient> client;

  std::vector<std::string> headers(const Notice& notice, const std::string& body) const;
};

std::vector<std::string> Webhook::State::headers(const Notice& notice, const std::string& body) const {
  std::vector<std::string> lines = {"Content-Type: application/json", "x-waybill-notice-id: " + notice.id};
  if (!options.secret.empty()) {
    lines.push_back("x-waybill-signature: sha256=" + hex_lower(http::bytes_of(key.sign(body))));
  }
  return lines;
}

Webhook::Webhook(std::unique_ptr<State> state) : state_(std::move(state)) {}

Webhook::~Webhook() = default;

Result<std::unique_ptr<Webhook>> Webhook::open(Options options) {
  auto state = std::make_unique<State>();
  auto client = http::PostClient::open(options.url);
  if (!client) {
    return Error{client.error().kind, "--alarm-webhook: " + client.error().message, {}};
  }
  state->client = *std::move(client);
  state->key = http::HmacKey(options.secret);
  state->options = std::move(options);
  return std::unique_ptr<Webhook>(new Webhook(std::move(state)));
}

PostOutcome Webhook::post(const Notice& notice) {
  const std::string body = body_of(notice, state_->options.server);
  const auto answer = state_->client->post(state_->headers(notice, body), body);
  if (!answer) {
    return {Posted::failed, answer.error().message};
  }
  return outcome_of(answer->status);
}

void Webhook::interrupt() {
  state_->client->interrupt();
}

}  // namespace waybill::alarm
