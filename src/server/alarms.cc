#include "server/alarms.h"

#include <utility>

#include "base/private_file.h"

namespace waybill::server {
namespace {

constexpr std::size_t secret_file_bytes_max = 4096;

alarm::Defaults defaults_of(const Config& config) {
  alarm::Defaults defaults;
  defaults.depth = config.alarm_depth;
  defaults.dead_letter_depth = config.dead_letter_alarm_depth;
  if (config.alarm_age_seconds) {
    defaults.age_ms = *config.alarm_age_seconds * 1000;
  }
  return defaults;
}

}  // namespace

Result<alarm::Webhook::Options> webhook_options(const Config& config) {
  alarm::Webhook::Options options;
  options.url = config.alarm_webhook;
  if (!config.alarm_webhook_secret_file.empty()) {
    const std::string name = "alarm webhook secret file " + config.alarm_webhook_secret_file;
    WAYBILL_TRY_ASSIGN(options.secret,
                       read_private_file(config.alarm_webhook_secret_file, name, secret_file_bytes_max));
    while (options.secret.ends_with('\n') || options.secret.ends_with('\r')) {
      options.secret.pop_back();
    }
    if (options.secret.empty()) {
      return invalid("the " + name + " is empty");
    }
  }
  return options;
}

Result<std::unique_ptr<alarm::Alarms>> start_alarms(store::Store& store, const Config& config,
                                                    alarm::Webhook::Options webhook,
                                                    alarm::Alarms::Options options) {
  if (store.queues() == nullptr) {
    return std::unique_ptr<alarm::Alarms>();
  }
  std::unique_ptr<alarm::Poster> poster;
  if (!webhook.url.empty()) {
    WAYBILL_TRY_ASSIGN(poster, alarm::Webhook::open(std::move(webhook)));
  }
  options.defaults = defaults_of(config);
  return alarm::Alarms::open(store, options, std::move(poster));
}

}  // namespace waybill::server
