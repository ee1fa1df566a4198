#include "server/config.h"

#include <charconv>

namespace waybill::server {
namespace {

constexpr int64_t alarm_threshold_max = 1'000'000'000'000;

}  // namespace

Result<Address> parse_address(std::string_view text) {
  const auto expected = invalid("--listen takes HOST:PORT, for example 127.0.0.1:8000 or [::1]:8000; got '" +
                                std::string(text) + "'");
  const auto colon = text.rfind(':');
  if (colon == std::string_view::npos || colon == 0) {
    return expected;
  }
  auto host = text.substr(0, colon);
  if (host.front() == '[' && host.back() == ']') {
    host = host.substr(1, host.size() - 2);
  } else if (host.find(':') != std::string_view::npos) {
    return expected;  // an IPv6 address without its brackets: where the port begins is anybody's guess
  }
  const auto digits = text.substr(colon + 1);
  uint16_t port = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), port);
  if (host.empty() || error != std::errc() || end != digits.data() + digits.size()) {
    return expected;
  }
  return Address{std::string(host), port};
}

bool is_loopback(std::string_view host) {
  if (host == "localhost" || host == "::1") {
    return true;
  }
  // 127.0.0.0/8, as four numbers: a name like 127.example.com is somebody else's.
  return host.starts_with("127.") && host.find_first_not_of("0123456789.") == std::string_view::npos;
}

namespace {

Status check_alarms(const Config& config) {
  for (const auto& threshold :
       {config.alarm_depth, config.alarm_age_seconds, config.dead_letter_alarm_depth}) {
    if (threshold.value_or(0) < 0 || threshold.value_or(0) > alarm_threshold_max) {
      return invalid("--alarm-depth, --alarm-age and --dead-letter-alarm-depth must be between 0 and " +
                     std::to_string(alarm_threshold_max));
    }
  }
  const auto& webhook = config.alarm_webhook;
  if (!webhook.empty() && !webhook.starts_with("http://") && !webhook.starts_with("https://")) {
    return invalid("--alarm-webhook takes a URL that begins with http:// or https://");
  }
  if (webhook.empty() && !config.alarm_webhook_secret_file.empty()) {
    return invalid("--alarm-webhook-secret-file is of no use without --alarm-webhook");
  }
  return {};
}

}  // namespace

Status check(const Config& config) {
  if (config.keys_file.empty() && !is_loopback(config.host)) {
    return invalid("'" + config.host +
                   "' can be reached from other machines, and without keys anybody could read and change "
                   "the data.\nGive --keys FILE with a file like\n"
                   "  {\"keys\":[{\"id\":\"AKIDEXAMPLE\",\"secret\":\"…\"}]}\n"
                   "that only its owner can read (chmod 600), or listen on 127.0.0.1.");
  }
  constexpr uint64_t memory_mb_min = 32;
  if (config.memory_mb != 0 && config.memory_mb < memory_mb_min) {
    return invalid("--memory-mb must be at least " + std::to_string(memory_mb_min));
  }
  constexpr int threads_max = 256;
  if (config.threads < 0 || config.threads > threads_max) {
    return invalid("--threads must be between 1 and " + std::to_string(threads_max) +
                   ", or 0 for one for each processor");
  }
  if (config.objects.empty() && !config.objects_endpoint.empty()) {
    return invalid("--objects-endpoint is of no use without --objects s3://BUCKET/PREFIX");
  }
  if (config.metrics_open && !config.metrics_token_file.empty()) {
    return invalid("--metrics-open and --metrics-token-file exclude each other");
  }
  return check_alarms(config);
}

}  // namespace waybill::server
