#include "queue/settings.h"

#include <charconv>

#include "base/json.h"

namespace waybill::queue {
namespace {

int64_t whole(const std::map<std::string, std::string>& attributes, const std::string& name, int64_t usual) {
  const auto found = attributes.find(name);
  if (found == attributes.end()) {
    return usual;
  }
  int64_t value = usual;
  std::from_chars(found->second.data(), found->second.data() + found->second.size(), value);
  return value;
}

bool is_true(const std::map<std::string, std::string>& attributes, const std::string& name) {
  const auto found = attributes.find(name);
  return found != attributes.end() && found->second == "true";
}

}  // namespace

Result<Settings> read_settings(const std::map<std::string, std::string>& attributes) {
  constexpr int64_t second_ms = 1000;
  Settings settings;
  settings.is_fifo = is_true(attributes, "FifoQueue");
  settings.deduplicates_by_content = is_true(attributes, "ContentBasedDeduplication");
  settings.allows_long_delays = is_true(attributes, "WaybillLongDelays");
  settings.delay_ms = second_ms * whole(attributes, "DelaySeconds", 0);
  settings.visibility_ms = second_ms * whole(attributes, "VisibilityTimeout", 30);
  settings.retention_ms = second_ms * whole(attributes, "MessageRetentionPeriod", 345'600);
  settings.wait_ms = second_ms * whole(attributes, "ReceiveMessageWaitTimeSeconds", 0);
  if (const auto policy = attributes.find("RedrivePolicy"); policy != attributes.end()) {
    json::Parser parser;
    if (const auto body = parser.parse_copy(policy->second); body && body->is_object()) {
      const auto arn = body->find("deadLetterTargetArn");
      const auto count = body->find("maxReceiveCount");
      if (arn && arn->is_string() && count && count->type() == json::Type::number) {
        const auto text = arn->string();
        settings.redrive = {std::string(text.substr(text.rfind(':') + 1)),
                            static_cast<uint32_t>(count->integer().value_or(0))};
      }
    }
  }
  return settings;
}

}  // namespace waybill::queue
