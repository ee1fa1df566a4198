#include "queue/settings.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <optional>

#include "base/json.h"

namespace waybill::queue {
namespace {

constexpr int64_t second_ms = 1000;
constexpr int64_t receives_max = 1000;
constexpr std::size_t allowed_sources_max = 10;

struct NumberRule {
  std::string_view name;
  int64_t least;
  int64_t most;
  int64_t long_most;  // with long delays
};

constexpr NumberRule number_rules[] = {
    {"DelaySeconds", 0, delay_seconds_max, long_delay_seconds_max},
    {"KmsDataKeyReusePeriodSeconds", 60, 86'400, 86'400},
    {"MaximumMessageSize", 1024, 1'048'576, 1'048'576},
    {"MessageRetentionPeriod", 60, 1'209'600, 1'209'600},
    {"ReceiveMessageWaitTimeSeconds", 0, 20, 20},
    {"VisibilityTimeout", 0, visibility_seconds_max, long_delay_seconds_max},
    {"WaybillAlarmAgeSeconds", 0, long_delay_seconds_max, long_delay_seconds_max},
    {"WaybillAlarmDepth", 0, std::numeric_limits<int64_t>::max(), std::numeric_limits<int64_t>::max()},
};

struct WordRule {
  std::string_view name;
  std::array<std::string_view, 2> words;
  bool is_fifo_only;
};

constexpr WordRule word_rules[] = {
    {"ContentBasedDeduplication", {"true", "false"}, true},
    {"DeduplicationScope", {"messageGroup", "queue"}, true},
    {"FifoThroughputLimit", {"perQueue", "perMessageGroupId"}, true},
    {"SqsManagedSseEnabled", {"true", "false"}, false},
    {"WaybillLongDelays", {"true", "false"}, false},
};

// Those that an empty value takes away.
constexpr std::string_view removable[] = {"KmsMasterKeyId",     "Policy",
                                          "RedriveAllowPolicy", "RedrivePolicy",
                                          "WaybillAlarmDepth",  "WaybillAlarmAgeSeconds"};

constexpr std::string_view told_by_the_service[] = {"All",
                                                    "ApproximateNumberOfMessages",
                                                    "ApproximateNumberOfMessagesDelayed",
                                                    "ApproximateNumberOfMessagesNotVisible",
                                                    "CreatedTimestamp",
                                                    "FifoQueue",
                                                    "LastModifiedTimestamp",
                                                    "QueueArn"};

template <typename Rules>
auto find_rule(const Rules& rules, std::string_view name) {
  return std::ranges::find(rules, name, [](const auto& rule) { return rule.name; });
}

Error invalid_attribute(std::string_view name) {
  return Error{
      ErrorKind::attribute_invalid, "Invalid value for the parameter " + std::string(name) + ".", {}};
}

std::optional<int64_t> whole_number(std::string_view text) {
  int64_t value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool is_number = problem == std::errc() && end == text.data() + text.size();
  return is_number ? std::optional(value) : std::nullopt;
}

bool is_true(const Attributes& attributes, const std::string& name) {
  const auto found = attributes.find(name);
  return found != attributes.end() && found->second == "true";
}

bool is_word(const Attributes& attributes, const std::string& name, std::string_view word) {
  const auto found = attributes.find(name);
  return found != attributes.end() && found->second == word;
}

// Of a value that has been checked.
int64_t number_of(const Attributes& attributes, const std::string& name, int64_t usual) {
  const auto found = attributes.find(name);
  return found == attributes.end() ? usual : whole_number(found->second).value_or(usual);
}

// maxReceiveCount may be a number or a text.
std::optional<int64_t> count_of(const json::Value& value) {
  if (value.is_string()) {
    return whole_number(value.string());
  }
  return value.type() == json::Type::number ? value.integer() : std::nullopt;
}

std::string text_of(const json::Value& value) {
  if (value.is_string()) {
    return std::string(value.string());
  }
  const auto count = count_of(value);
  return count ? std::to_string(*count) : "null";
}

Result<Redrive> read_redrive(std::string_view text) {
  const auto refused = [text](std::string_view reason) {
    return invalid_value(text, "RedrivePolicy", reason);
  };
  json::Parser parser;
  const auto policy = parser.parse_copy(text);
  if (!policy || !policy->is_object()) {
    return refused("Redrive policy is not a valid JSON map.");
  }
  const auto arn = policy->find("deadLetterTargetArn");
  const auto count = policy->find("maxReceiveCount");
  if (!arn || !arn->is_string()) {
    return refused("Redrive policy does not contain mandatory attribute: deadLetterTargetArn.");
  }
  if (!count) {
    return refused("Redrive policy does not contain mandatory attribute: maxReceiveCount.");
  }
  if (policy->size() > 2) {
    return refused("Only following attributes are supported: [deadLetterTargetArn, maxReceiveCount].");
  }
  const auto receives = count_of(*count);
  if (!receives || *receives < 1 || *receives > receives_max) {
    return refused("Invalid value for maxReceiveCount: " + text_of(*count) +
                   ", valid values are from 1 to 1000 both inclusive.");
  }
  const auto target = name_in_arn(arn->string());
  if (target.empty()) {
    return refused("Invalid value for deadLetterTargetArn.");
  }
  return Redrive{std::string(target), static_cast<uint32_t>(*receives)};
}

// The names in a list of ARNs; nullopt where it is none.
std::optional<std::vector<std::string>> read_sources(const std::optional<json::Value>& arns) {
  if (!arns || !arns->is_array() || arns->size() == 0 || arns->size() > allowed_sources_max) {
    return std::nullopt;
  }
  std::vector<std::string> names;
  for (json::Elements elements(*arns); elements.next();) {
    const auto name = elements.value().is_string() ? name_in_arn(elements.value().string()) : "";
    if (name.empty()) {
      return std::nullopt;
    }
    names.emplace_back(name);
  }
  return names;
}

Result<RedriveAllow> read_redrive_allow(std::string_view text) {
  const auto refused = [text](std::string_view reason) {
    return invalid_value(text, "RedriveAllowPolicy", reason);
  };
  json::Parser parser;
  const auto policy = parser.parse_copy(text);
  if (!policy || !policy->is_object()) {
    return refused("Redrive allow policy is not a valid JSON map.");
  }
  const auto permission = policy->find("redrivePermission");
  const auto sources = policy->find("sourceQueueArns");
  const auto word = permission && permission->is_string() ? permission->string() : std::string_view();
  if (word == "byQueue") {
    auto names = read_sources(sources);
    if (!names) {
      return refused("sourceQueueArns must name 1 to 10 queues by their ARNs.");
    }
    return RedriveAllow{RedriveAllow::Kind::named, *std::move(names)};
  }
  if (sources) {
    return refused("sourceQueueArns goes with the redrivePermission byQueue alone.");
  }
  if (word != "allowAll" && word != "denyAll") {
    return refused("redrivePermission must be one of allowAll, denyAll, byQueue.");
  }
  return RedriveAllow{word == "allowAll" ? RedriveAllow::Kind::all : RedriveAllow::Kind::none, {}};
}

Status check_policy(std::string_view text) {
  json::Parser parser;
  const auto policy = parser.parse_copy(text);
  return policy && policy->is_object() ? Status() : Status(invalid_attribute("Policy"));
}

Status check_number(const NumberRule& rule, std::string_view value, bool allows_long_delays) {
  const auto number = whole_number(value);
  const int64_t most = allows_long_delays ? rule.long_most : rule.most;
  if (!number || *number < rule.least || *number > most) {
    return invalid_attribute(rule.name);
  }
  return {};
}

Status check_one(std::string_view name, std::string_view value, const Settings& settings) {
  if (const auto* rule = find_rule(number_rules, name); rule != std::end(number_rules)) {
    return check_number(*rule, value, settings.allows_long_delays);
  }
  if (const auto* rule = find_rule(word_rules, name); rule != std::end(word_rules)) {
    if (rule->is_fifo_only && !settings.is_fifo) {
      return unknown_attribute(name);
    }
    return std::ranges::find(rule->words, value) != rule->words.end() ? Status()
                                                                      : Status(invalid_attribute(name));
  }
  if (name == "Policy") {
    return check_policy(value);
  }
  // A standard queue has no such attribute: the service knows no FifoQueue of false.
  const bool is_known = name == "RedrivePolicy" || name == "RedriveAllowPolicy" || name == "KmsMasterKeyId" ||
                        (name == "FifoQueue" && settings.is_fifo);
  return is_known ? Status() : Status(unknown_attribute(name));
}

Status check_together(const Attributes& attributes) {
  if (is_word(attributes, "FifoThroughputLimit", "perMessageGroupId") &&
      !is_word(attributes, "DeduplicationScope", "messageGroup")) {
    return Error{ErrorKind::attribute_invalid,
                 "The perMessageGroupId value for FifoThroughputLimit is allowed only when the value for "
                 "DeduplicationScope is messageGroup",
                 {}};
  }
  if (attributes.contains("KmsMasterKeyId") && is_true(attributes, "SqsManagedSseEnabled")) {
    return Error{ErrorKind::attribute_invalid,
                 "You can use one type of server-side encryption (SSE) at one time. You can either enable "
                 "KMS SSE or SQS SSE.",
                 {}};
  }
  return {};
}

}  // namespace

Error unknown_attribute(std::string_view name) {
  return Error{ErrorKind::attribute_unknown, "Unknown Attribute " + std::string(name) + ".", {}};
}

Error invalid_value(std::string_view value, std::string_view parameter, std::string_view reason) {
  std::string text = "Value ";
  return invalid(text.append(value)
                     .append(" for parameter ")
                     .append(parameter)
                     .append(" is invalid. Reason: ")
                     .append(reason));
}

std::string_view name_in_arn(std::string_view arn) {
  constexpr std::ptrdiff_t colons = 5;  // arn:aws:sqs:region:account:name
  const auto last = arn.rfind(':');
  const bool is_one = arn.starts_with("arn:aws") && std::ranges::count(arn, ':') == colons &&
                      arn.find(":sqs:") != std::string_view::npos;
  return is_one ? arn.substr(last + 1) : std::string_view();
}

Result<Settings> read_settings(const Attributes& attributes) {
  Settings settings;
  settings.is_fifo = is_true(attributes, "FifoQueue");
  settings.allows_long_delays = is_true(attributes, "WaybillLongDelays");
  for (const auto& [name, value] : attributes) {
    WAYBILL_TRY(check_one(name, value, settings));
  }
  WAYBILL_TRY(check_together(attributes));
  settings.deduplicates_by_content = is_true(attributes, "ContentBasedDeduplication");
  settings.deduplicates_by_group = is_word(attributes, "DeduplicationScope", "messageGroup");
  settings.delay_ms = second_ms * number_of(attributes, "DelaySeconds", 0);
  settings.visibility_ms = second_ms * number_of(attributes, "VisibilityTimeout", 30);
  settings.retention_ms = second_ms * number_of(attributes, "MessageRetentionPeriod", 345'600);
  settings.wait_ms = second_ms * number_of(attributes, "ReceiveMessageWaitTimeSeconds", 0);
  settings.message_bytes_max =
      static_cast<uint32_t>(number_of(attributes, "MaximumMessageSize", settings.message_bytes_max));
  if (const auto policy = attributes.find("RedrivePolicy"); policy != attributes.end()) {
    WAYBILL_TRY_ASSIGN(settings.redrive, read_redrive(policy->second));
  }
  if (const auto policy = attributes.find("RedriveAllowPolicy"); policy != attributes.end()) {
    WAYBILL_TRY_ASSIGN(settings.redrive_allow, read_redrive_allow(policy->second));
  }
  if (attributes.contains("WaybillAlarmDepth")) {
    settings.alarm_depth = number_of(attributes, "WaybillAlarmDepth", 0);
  }
  if (attributes.contains("WaybillAlarmAgeSeconds")) {
    settings.alarm_age_ms = second_ms * number_of(attributes, "WaybillAlarmAgeSeconds", 0);
  }
  return settings;
}

Attributes with_changes(Attributes attributes, const Attributes& given) {
  const bool names_key = given.contains("KmsMasterKeyId") && !given.at("KmsMasterKeyId").empty();
  if (names_key) {
    attributes.erase("SqsManagedSseEnabled");
  }
  if (is_true(given, "SqsManagedSseEnabled")) {
    attributes.erase("KmsMasterKeyId");
    attributes.erase("KmsDataKeyReusePeriodSeconds");
  }
  for (const auto& [name, value] : given) {
    if (value.empty() && std::ranges::find(removable, name) != std::end(removable)) {
      attributes.erase(name);
    } else {
      attributes.insert_or_assign(name, value);
    }
  }
  return attributes;
}

Attributes shown_attributes(const Queue& queue) {
  Attributes shown = queue.attributes;
  shown.try_emplace("DelaySeconds", "0");
  shown.try_emplace("MaximumMessageSize", "1048576");
  shown.try_emplace("MessageRetentionPeriod", "345600");
  shown.try_emplace("ReceiveMessageWaitTimeSeconds", "0");
  shown.try_emplace("VisibilityTimeout", "30");
  const bool names_key = queue.attributes.contains("KmsMasterKeyId");
  shown.try_emplace("SqsManagedSseEnabled", names_key ? "false" : "true");
  if (names_key) {
    shown.try_emplace("KmsDataKeyReusePeriodSeconds", "300");
  }
  if (queue.settings.is_fifo) {
    shown.try_emplace("ContentBasedDeduplication", "false");
    shown.try_emplace("DeduplicationScope", "queue");
    shown.try_emplace("FifoThroughputLimit", "perQueue");
  }
  return shown;
}

bool is_attribute(std::string_view name) {
  return find_rule(number_rules, name) != std::end(number_rules) ||
         find_rule(word_rules, name) != std::end(word_rules) ||
         std::ranges::find(removable, name) != std::end(removable) ||
         std::ranges::find(told_by_the_service, name) != std::end(told_by_the_service);
}

Status check_redrive_target(const Queue& source, const Queue* target) {
  const auto policy = source.attributes.find("RedrivePolicy");
  const auto text = policy == source.attributes.end() ? std::string_view() : policy->second;
  const auto refused = [text](std::string_view reason) {
    return Status(invalid_value(text, "RedrivePolicy", reason));
  };
  if (target == nullptr) {
    return refused("Dead letter target does not exist.");
  }
  if (target->settings.is_fifo != source.settings.is_fifo) {
    return refused("Dead-letter queue must be same type of queue as the source.");
  }
  const auto& allow = target->settings.redrive_allow;
  const bool is_allowed = allow.kind == RedriveAllow::Kind::all ||
                          (allow.kind == RedriveAllow::Kind::named &&
                           std::ranges::find(allow.sources, source.name) != allow.sources.end());
  return is_allowed
             ? Status()
             : refused("The redrive allow policy of the dead-letter queue does not permit this queue.");
}

}  // namespace waybill::queue
