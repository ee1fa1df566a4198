#include "api/dynamodb/message_action.h"

#include <algorithm>
#include <charconv>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "api/sqs/outgoing.h"
#include "queue/draft.h"
#include "queue/receipt.h"
#include "queue/settings.h"

namespace waybill::api::dynamodb {
namespace {

Error wrong_attribute(std::string_view name, std::string_view wanted) {
  return invalid("One or more parameter values were invalid: The attribute " + std::string(name) +
                 " of a message must be " + std::string(wanted));
}

Result<std::optional<std::string_view>> read_text(item::ItemView item, std::string_view name) {
  const auto value = item.find(name);
  if (!value) {
    return std::optional<std::string_view>();
  }
  if (value->type() != item::Type::string) {
    return wrong_attribute(name, "of type S");
  }
  return std::optional(value->bytes());
}

Result<std::optional<int64_t>> read_whole(item::ItemView item, std::string_view name) {
  const auto value = item.find(name);
  if (!value) {
    return std::optional<int64_t>();
  }
  int64_t number = 0;
  const auto text = value->type() == item::Type::number ? value->bytes() : std::string_view();
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || fault != std::errc() || end != text.data() + text.size()) {
    return wrong_attribute(name, "a whole number, of type N");
  }
  return std::optional(number);
}

Status only_has(item::ItemView item, std::initializer_list<std::string_view> names) {
  for (item::AttributeCursor cursor(item); cursor.next();) {
    if (std::ranges::find(names, cursor.name()) == names.end()) {
      return invalid("One or more parameter values were invalid: A message has no attribute " +
                     std::string(cursor.name()));
    }
  }
  return {};
}

// {"DataType": "String", "StringValue": "…"} or {"DataType": "Binary", "BinaryValue": …}
Result<queue::MessageAttribute> read_attribute(std::string_view name, item::ValueView value) {
  if (value.type() != item::Type::map) {
    return wrong_attribute("MessageAttributes." + std::string(name), "of type M");
  }
  queue::MessageAttribute attribute;
  attribute.name = name;
  const auto members = value.members();
  WAYBILL_TRY(only_has(members, {"DataType", "StringValue", "BinaryValue"}));
  WAYBILL_TRY_ASSIGN(const auto type, read_text(members, "DataType"));
  attribute.type = type.value_or("");
  WAYBILL_TRY_ASSIGN(const auto text, read_text(members, "StringValue"));
  const auto binary = members.find("BinaryValue");
  if (binary && binary->type() != item::Type::binary) {
    return wrong_attribute("BinaryValue", "of type B");
  }
  attribute.value =
      attribute.is_binary() ? (binary ? binary->bytes() : std::string_view()) : text.value_or("");
  return attribute;
}

Result<queue::Draft> read_draft(item::ItemView item) {
  WAYBILL_TRY(only_has(item, {"MessageBody", "DelaySeconds", "MessageGroupId", "MessageDeduplicationId",
                              "AWSTraceHeader", "MessageAttributes"}));
  queue::Draft draft;
  WAYBILL_TRY_ASSIGN(const auto body, read_text(item, "MessageBody"));
  if (!body) {
    return wrong_attribute("MessageBody", "given");
  }
  draft.body = *body;
  WAYBILL_TRY_ASSIGN(draft.delay_seconds, read_whole(item, "DelaySeconds"));
  WAYBILL_TRY_ASSIGN(draft.group, read_text(item, "MessageGroupId"));
  WAYBILL_TRY_ASSIGN(draft.deduplication_id, read_text(item, "MessageDeduplicationId"));
  WAYBILL_TRY_ASSIGN(draft.trace_header, read_text(item, "AWSTraceHeader"));
  if (const auto attributes = item.find("MessageAttributes")) {
    if (attributes->type() != item::Type::map) {
      return wrong_attribute("MessageAttributes", "of type M");
    }
    for (item::AttributeCursor cursor(attributes->members()); cursor.next();) {
      WAYBILL_TRY_ASSIGN(auto attribute, read_attribute(cursor.name(), cursor.value()));
      draft.attributes.push_back(std::move(attribute));
    }
    std::ranges::sort(draft.attributes, {}, &queue::MessageAttribute::name);
  }
  return draft;
}

Result<store::NewMessage> read_message(const Call& call, const queue::Queue& queue, item::ItemView item) {
  WAYBILL_TRY_ASSIGN(const auto draft, read_draft(item));
  WAYBILL_TRY(queue::check(queue, draft));
  return sqs::make_outgoing(call.services().entropy, queue, draft, call.principal().access_key_id()).message;
}

Result<queue::Receipt> read_receipt(item::ItemView key) {
  WAYBILL_TRY(only_has(key, {"ReceiptHandle"}));
  WAYBILL_TRY_ASSIGN(const auto handle, read_text(key, "ReceiptHandle"));
  auto receipt = handle ? queue::decode_receipt(*handle) : std::nullopt;
  if (!receipt) {
    return wrong_attribute("ReceiptHandle", "the receipt handle of a message that was received");
  }
  return *std::move(receipt);
}

// What "SET VisibilityTimeout = :seconds" makes of nothing.
Result<int64_t> read_visibility(const queue::Queue& queue, const store::Action& action) {
  WAYBILL_TRY_ASSIGN(const auto made,
                     action.update->apply(item::ItemView(), expression::ItemPresence::missing));
  WAYBILL_TRY(only_has(made.view(), {"VisibilityTimeout"}));
  WAYBILL_TRY_ASSIGN(const auto seconds, read_whole(made.view(), "VisibilityTimeout"));
  const int64_t most =
      queue.settings.allows_long_delays ? queue::long_delay_seconds_max : queue::visibility_seconds_max;
  if (!seconds || *seconds < 0 || *seconds > most) {
    return wrong_attribute("VisibilityTimeout", "set to a number from 0 to " + std::to_string(most));
  }
  return *seconds * 1000;
}

Error no_condition() {
  return invalid(
      "An action about a queue has no condition of its own. ConditionCheck takes "
      "attribute_exists(ReceiptHandle)");
}

// The one condition that there is; whether it holds is the store's to say.
Status check_condition(const ActionFields& fields) {
  const auto& condition = fields.expressions.condition;
  if (fields.kind == store::ActionKind::check ? condition != "attribute_exists(ReceiptHandle)"
                                              : condition.has_value()) {
    return no_condition();
  }
  return {};
}

}  // namespace

Result<store::Action> make_message_action(const Call& call, const ActionFields& fields,
                                          store::Action parsed) {
  const std::string name(fields.table_name->substr(queue_table_prefix.size()));
  store::Queues* const queues = call.store().queues();
  if (queues != nullptr) {
    WAYBILL_TRY(queues->may_know(name));
  }
  const auto queue = queues == nullptr ? nullptr : queues->find(name);
  if (queue == nullptr) {
    return Error{ErrorKind::not_found, "Requested resource not found: Queue: " + name + " not found", {}};
  }
  WAYBILL_TRY(check_condition(fields));
  store::MessageAction message;
  message.queue = name;
  store::Action action;
  if (parsed.kind == store::ActionKind::put) {
    action.kind = store::ActionKind::send;
    WAYBILL_TRY_ASSIGN(message.message, read_message(call, *queue, parsed.item.view()));
  } else {
    action.kind =
        parsed.kind == store::ActionKind::check ? store::ActionKind::hold : store::ActionKind::settle;
    WAYBILL_TRY_ASSIGN(message.settlement.receipt, read_receipt(parsed.item.view()));
    if (parsed.kind == store::ActionKind::update) {
      WAYBILL_TRY_ASSIGN(message.settlement.visibility_ms, read_visibility(*queue, parsed));
    }
  }
  // Names the message among the items of the transaction.
  action.key = fields.table_name->substr(0, queue_table_prefix.size());
  action.key += name + "/" + std::to_string(message.settlement.receipt.sequence);
  action.item = std::move(parsed.item);
  action.message = std::make_shared<const store::MessageAction>(std::move(message));
  return action;
}

}  // namespace waybill::api::dynamodb
