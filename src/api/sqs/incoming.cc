#include "api/sqs/incoming.h"

#include <algorithm>
#include <utility>

#include "api/sqs/outgoing.h"
#include "queue/digest.h"
#include "queue/settings.h"

namespace waybill::api::sqs {
namespace {

constexpr std::string_view system_attribute_names[] = {
    "SenderId",
    "SentTimestamp",
    "ApproximateReceiveCount",
    "ApproximateFirstReceiveTimestamp",
    "SequenceNumber",
    "MessageDeduplicationId",
    "MessageGroupId",
    "AWSTraceHeader",
    "DeadLetterQueueSourceArn",
    "WaybillFencingToken",
};
constexpr std::string_view fencing_token_name = "WaybillFencingToken";
constexpr std::string_view peek_name = "WaybillPeek";

// Writes the map of system attributes, and nothing where none is asked for.
class SystemAttributes {
 public:
  SystemAttributes(Answer& answer, const Selection& selection) : answer_(answer), selection_(selection) {}

  void add(std::string_view name, std::string_view value) {
    if (!value.empty() && selection_.wants(name)) {
      add_always(name, value);
    }
  }
  void add(std::string_view name, uint64_t value) {
    if (selection_.wants(name)) {
      add_always(name, std::to_string(value));
    }
  }
  void add_always(std::string_view name, std::string_view value) {
    if (!begun_) {
      answer_.begin_map(attributes_form);
      begun_ = true;
    }
    answer_.entry(attributes_form, name, value);
  }
  void end() {
    if (begun_) {
      answer_.end_map();
    }
  }

 private:
  Answer& answer_;
  const Selection& selection_;
  bool begun_ = false;
};

void write_system_attributes(Answer& answer, const Services& services, const Selection& selection,
                             const queue::Message& message, const Circumstances& circumstances) {
  SystemAttributes attributes(answer, selection);
  attributes.add("SenderId", message.sender);
  attributes.add("SentTimestamp", static_cast<uint64_t>(circumstances.sent_ms));
  attributes.add("ApproximateReceiveCount", circumstances.receive_count);
  if (circumstances.first_received_ms != 0) {
    attributes.add("ApproximateFirstReceiveTimestamp",
                   static_cast<uint64_t>(circumstances.first_received_ms));
  }
  if (circumstances.is_fifo && selection.wants("SequenceNumber")) {
    attributes.add_always("SequenceNumber", sequence_text(circumstances.sequence));
  }
  attributes.add("MessageDeduplicationId", message.deduplication_id);
  attributes.add("MessageGroupId", message.group);
  attributes.add("AWSTraceHeader", message.trace_header);
  if (!message.dead_letter_source.empty() && selection.wants("DeadLetterQueueSourceArn")) {
    attributes.add_always("DeadLetterQueueSourceArn", services.queue_arn(message.dead_letter_source));
  }
  if (circumstances.fencing_token != 0) {
    attributes.add(fencing_token_name, circumstances.fencing_token);
  }
  if (!circumstances.peeked_state.empty()) {
    attributes.add_always("WaybillState", circumstances.peeked_state);
    attributes.add_always("WaybillPlace", circumstances.peeked_place);
  }
  attributes.end();
}

void write_attributes(Answer& answer, const std::vector<queue::MessageAttribute>& attributes) {
  if (attributes.empty()) {
    return;
  }
  answer.text("MD5OfMessageAttributes", queue::md5_of_attributes(attributes));
  answer.begin_map(message_attributes_form);
  for (const auto& attribute : attributes) {
    answer.begin_entry(message_attributes_form, attribute.name);
    if (attribute.is_binary()) {
      answer.bytes("BinaryValue", attribute.value);
    } else {
      answer.text("StringValue", attribute.value);
    }
    answer.text("DataType", attribute.type).end_entry(message_attributes_form);
  }
  answer.end_map();
}

}  // namespace

Result<Selection> Selection::read(const Fields& fields) {
  Selection selection;
  for (const auto parameter : {"AttributeNames", "MessageSystemAttributeNames"}) {
    const auto names = fields.strings(parameter);
    for (const auto name : names.value_or(std::vector<std::string_view>())) {
      if (name == "All") {
        selection.wants_all_system_attributes_ = true;
      } else if (name == peek_name) {
        selection.is_peek_ = true;
      } else if (std::ranges::find(system_attribute_names, name) != std::end(system_attribute_names)) {
        selection.system_attributes_.emplace_back(name);
      } else {
        return queue::unknown_attribute(name);
      }
    }
  }
  const auto names = fields.strings("MessageAttributeNames");
  for (const auto name : names.value_or(std::vector<std::string_view>())) {
    if (name == "All" || name == ".*") {
      selection.wants_all_attributes_ = true;
    } else if (name.ends_with(".*")) {
      selection.attribute_prefixes_.emplace_back(name.substr(0, name.size() - 2));
    } else {
      selection.attributes_.emplace_back(name);
    }
  }
  return selection;
}

// What SQS does not have is told to those who ask for it by name.
bool Selection::wants(std::string_view system_attribute) const {
  return (wants_all_system_attributes_ && system_attribute != fencing_token_name) ||
         std::ranges::find(system_attributes_, system_attribute) != system_attributes_.end();
}

std::vector<queue::MessageAttribute> Selection::chosen(
    std::vector<queue::MessageAttribute> attributes) const {
  if (wants_all_attributes_) {
    return attributes;
  }
  std::erase_if(attributes, [this](const queue::MessageAttribute& attribute) {
    const bool is_named = std::ranges::find(attributes_, attribute.name) != attributes_.end();
    return !is_named && std::ranges::none_of(attribute_prefixes_, [&](const std::string& prefix) {
      return attribute.name.starts_with(prefix);
    });
  });
  return attributes;
}

void write_message(Answer& answer, const Services& services, const Selection& selection,
                   queue::Message message, const Circumstances& circumstances) {
  answer.begin_element(messages_form).text("MessageId", message.id);
  if (!circumstances.receipt_handle.empty()) {
    answer.text("ReceiptHandle", circumstances.receipt_handle);
  }
  answer.text("MD5OfBody", message.body_md5).text("Body", message.body);
  write_system_attributes(answer, services, selection, message, circumstances);
  write_attributes(answer, selection.chosen(std::move(message.attributes)));
  answer.end_element(messages_form);
}

}  // namespace waybill::api::sqs
