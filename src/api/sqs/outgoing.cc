#include "api/sqs/outgoing.h"

#include <algorithm>
#include <utility>

#include "base/bytes.h"
#include "http/sha256.h"
#include "queue/digest.h"

namespace waybill::api::sqs {
namespace {

constexpr std::string_view trace_header_name = "AWSTraceHeader";

Error malformed_binary() {
  return Error{ErrorKind::malformed, "Invalid Base64", {}};
}

Status read_value(const Fields& fields, queue::MessageAttribute& attribute) {
  const auto type = fields.string("DataType");
  const auto text = fields.string("StringValue");
  const auto binary = fields.string("BinaryValue");
  attribute.type = type.value_or("");
  if (fields.has("StringListValues") || fields.has("BinaryListValues")) {
    return Error{ErrorKind::unsupported,
                 "Message attribute list values in SendMessage operation are not supported.",
                 {}};
  }
  if (!attribute.is_binary()) {
    attribute.value = text.value_or("");
    return {};
  }
  auto bytes = decode_base64(binary.value_or(""));
  if (!bytes) {
    return malformed_binary();
  }
  attribute.value = *std::move(bytes);
  return {};
}

Status read_attributes(const Fields& fields, std::vector<queue::MessageAttribute>& attributes) {
  const auto map = fields.map("MessageAttributes", "MessageAttributeValue");
  if (!map) {
    return {};
  }
  for (json::Members members(*map); members.next();) {
    const auto value = dynamodb::read_structure(members.value(), "MessageAttributeValue", fields.reading());
    if (!value) {
      return {};
    }
    auto& attribute = attributes.emplace_back();
    attribute.name = members.key();
    WAYBILL_TRY(read_value(*value, attribute));
  }
  std::ranges::sort(attributes, {}, &queue::MessageAttribute::name);
  return {};
}

// AWSTraceHeader is the one system attribute that can be sent.
Status read_system_attributes(const Fields& fields, std::optional<std::string_view>& trace_header) {
  const auto map = fields.map("MessageSystemAttributes", "MessageSystemAttributeValue");
  if (!map) {
    return {};
  }
  for (json::Members members(*map); members.next();) {
    const auto value =
        dynamodb::read_structure(members.value(), "MessageSystemAttributeValue", fields.reading());
    if (!value) {
      return {};
    }
    if (members.key() != trace_header_name) {
      return invalid("Message system attribute name '" + std::string(members.key()) + "' is invalid.");
    }
    const auto text = value->string("StringValue");
    if (value->string("DataType") != "String" || !text || text->empty()) {
      return invalid(
          "Message system attribute 'AWSTraceHeader' must contain a non-empty value of type 'String'.");
    }
    trace_header = text;
  }
  return {};
}

std::string deduplication_id(const queue::Queue& queue, const queue::Draft& draft) {
  if (!queue.settings.is_fifo) {
    return {};
  }
  return draft.deduplication_id ? std::string(*draft.deduplication_id)
                                : hex_lower(http::bytes_of(http::sha256(draft.body)));
}

}  // namespace

Result<queue::Draft> read_draft(const Fields& fields) {
  queue::Draft draft;
  draft.body = fields.string("MessageBody").value_or("");
  draft.delay_seconds = fields.integer("DelaySeconds");
  draft.group = fields.string("MessageGroupId");
  draft.deduplication_id = fields.string("MessageDeduplicationId");
  WAYBILL_TRY(read_attributes(fields, draft.attributes));
  WAYBILL_TRY(read_system_attributes(fields, draft.trace_header));
  return draft;
}

Outgoing make_outgoing(Entropy& entropy, const queue::Queue& queue, const queue::Draft& draft,
                       std::string_view sender) {
  queue::Message message;
  message.id = make_uuid4(entropy);
  message.sender = sender;
  message.body = draft.body;
  message.body_md5 = queue::md5_hex(draft.body);
  message.group = draft.group.value_or("");
  message.deduplication_id = deduplication_id(queue, draft);
  message.trace_header = draft.trace_header.value_or("");
  message.attributes = draft.attributes;

  Outgoing outgoing;
  outgoing.message.record = queue::encode(message);
  if (draft.delay_seconds && !queue.settings.is_fifo) {
    outgoing.message.delay_ms = *draft.delay_seconds * 1000;
  }
  if (!message.attributes.empty()) {
    outgoing.checksums.attributes = queue::md5_of_attributes(message.attributes);
  }
  if (!message.trace_header.empty()) {
    outgoing.checksums.system_attributes = queue::md5_of_trace_header(message.trace_header);
  }
  outgoing.checksums.body = std::move(message.body_md5);
  outgoing.message.id = std::move(message.id);
  outgoing.message.group = std::move(message.group);
  outgoing.message.deduplication_id = std::move(message.deduplication_id);
  return outgoing;
}

void write_sent(Answer& answer, const store::SentMessage& sent, const Checksums& checksums, bool is_fifo) {
  answer.text("MessageId", sent.id).text("MD5OfMessageBody", checksums.body);
  if (!checksums.attributes.empty()) {
    answer.text("MD5OfMessageAttributes", checksums.attributes);
  }
  if (!checksums.system_attributes.empty()) {
    answer.text("MD5OfMessageSystemAttributes", checksums.system_attributes);
  }
  if (is_fifo) {
    answer.text("SequenceNumber", sequence_text(sent.sequence));
  }
}

std::string sequence_text(uint64_t sequence) {
  constexpr std::size_t digits = 19;
  const auto number = std::to_string(sequence);
  std::string text = "1";
  return text.append(digits - std::min(digits, number.size()), '0').append(number);
}

}  // namespace waybill::api::sqs
