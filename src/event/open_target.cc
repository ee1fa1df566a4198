#include "event/open_target.h"

#include <cstdlib>
#include <string_view>
#include <utility>

#include "base/bytes.h"
#include "contract/publication.h"
#include "event/eventbridge_target.h"
#include "event/kafka_target.h"
#include "event/queue_target.h"
#include "event/webhook_target.h"
#include "http/sha256.h"
#include "rules/deployed.h"

namespace waybill::event {
namespace {

using contract::Contract;
using contract::Publication;

// Reads what a publication says, for one contract.
class Opener {
 public:
  Opener(const Contract& contract, const Tools& tools) : contract_(contract), tools_(tools) {}

  Result<std::string> text(const contract::TextTemplate& text) const {
    auto made = text.render([&](const std::string& name) { return rules::parameter(contract_, name); });
    if (!made) {
      return invalid("\"" + contract::written(text) + "\" has a parameter without a value");
    }
    return *std::move(made);
  }

  Result<std::string> secret(const std::string& variable) const {
    auto value = tools_.environment(variable);
    if (!value || value->empty()) {
      return invalid("the environment has no " + variable + ": set it before the server starts");
    }
    return *std::move(value);
  }

  Result<NamedTarget> webhook(const Publication& publication) const;
  Result<NamedTarget> kafka(const Publication& publication) const;
  Result<NamedTarget> eventbridge(const Publication& publication) const;
  Result<NamedTarget> queue(const Publication& publication) const;

 private:
  const Contract& contract_;
  const Tools& tools_;
};

// A URL as logs may show it: without name and password, and with a digest in place of its query.
std::string presentable(std::string_view url) {
  const std::size_t begin = url.find("://") == std::string_view::npos ? 0 : url.find("://") + 3;
  const std::size_t host_end = std::min(url.find('/', begin), url.size());
  const std::size_t at = url.substr(0, host_end).rfind('@');
  const std::string_view rest = url.substr(at == std::string_view::npos ? begin : at + 1);
  std::string shown(rest.substr(0, rest.find_first_of("?#")));
  if (shown.size() != url.size() - begin) {
    constexpr std::size_t digest_digits = 8;
    shown += "#" + hex_lower(http::bytes_of(http::sha256(url))).substr(0, digest_digits);
  }
  return shown;
}

Result<NamedTarget> Opener::webhook(const Publication& publication) const {
  WebhookTarget::Options options;
  options.clock = tools_.clock;
  WAYBILL_TRY_ASSIGN(options.url, text(publication.url));
  if (!publication.secret_env.empty()) {
    WAYBILL_TRY_ASSIGN(options.secret, secret(publication.secret_env));
  }
  WAYBILL_TRY_ASSIGN(auto target, WebhookTarget::open(options));
  return NamedTarget{presentable(options.url), std::move(target)};
}

Result<NamedTarget> Opener::kafka(const Publication& publication) const {
  KafkaTarget::Options options;
  WAYBILL_TRY_ASSIGN(options.brokers, text(publication.brokers));
  WAYBILL_TRY_ASSIGN(options.topic, text(publication.topic));
  std::string name = options.topic + " at " + options.brokers;
  WAYBILL_TRY_ASSIGN(auto target, KafkaTarget::open(std::move(options)));
  return NamedTarget{std::move(name), std::move(target)};
}

Result<NamedTarget> Opener::eventbridge(const Publication& publication) const {
  EventBridgeTarget::Options options;
  options.clock = tools_.clock;
  WAYBILL_TRY_ASSIGN(options.endpoint, text(publication.endpoint));
  WAYBILL_TRY_ASSIGN(options.region, text(publication.region));
  WAYBILL_TRY_ASSIGN(options.bus, text(publication.bus));
  WAYBILL_TRY_ASSIGN(options.access_key, secret(publication.access_key_env));
  WAYBILL_TRY_ASSIGN(options.secret_key, secret(publication.secret_key_env));
  std::string name = options.bus + " in " + options.region;
  name += options.endpoint.empty() ? "" : " at " + presentable(options.endpoint);
  WAYBILL_TRY_ASSIGN(auto target, EventBridgeTarget::open(std::move(options)));
  return NamedTarget{std::move(name), std::move(target)};
}

Result<NamedTarget> Opener::queue(const Publication& publication) const {
  WAYBILL_TRY_ASSIGN(auto name, text(publication.queue));
  if (tools_.store->queues() == nullptr) {
    return invalid("this store has no queues");
  }
  auto target = std::make_unique<QueueTarget>(*tools_.store, *tools_.entropy, name);
  return NamedTarget{std::move(name), std::move(target)};
}

Result<NamedTarget> open(const Opener& opener, const Publication& publication) {
  switch (publication.to) {
    case Publication::Kind::webhook:
      return opener.webhook(publication);
    case Publication::Kind::kafka:
      return opener.kafka(publication);
    case Publication::Kind::eventbridge:
      return opener.eventbridge(publication);
    case Publication::Kind::queue:
      return opener.queue(publication);
  }
  return invalid("this place to publish to is not known");
}

}  // namespace

std::optional<std::string> system_environment(const std::string& name) {
  const char* const value = std::getenv(name.c_str());
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

Result<NamedTarget> open_target(const Contract& contract, const Publication& publication,
                                const Tools& tools) {
  const std::string kind(contract::word_of(publication.to));
  auto made = open(Opener(contract, tools), publication);
  if (!made) {
    return Error{made.error().kind,
                 "contract " + contract.name + ", publish to " + kind + ": " + made.error().message,
                 {}};
  }
  made->name.insert(0, kind + " ");
  return made;
}

}  // namespace waybill::event
