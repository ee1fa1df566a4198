#include <algorithm>
#include <utility>

#include "api/sqs/operations.h"
#include "api/sqs/parameters.h"
#include "queue/policy.h"
#include "queue/settings.h"

namespace waybill::api::sqs {
namespace {

constexpr std::size_t actions_max = 7;
constexpr std::size_t label_length_max = 80;
constexpr std::size_t account_id_digits = 12;

constexpr std::string_view grantable[] = {
    "*",           "ChangeMessageVisibility",    "DeleteMessage", "GetQueueAttributes",
    "GetQueueUrl", "ListDeadLetterSourceQueues", "PurgeQueue",    "ReceiveMessage",
    "SendMessage",
};

struct Request {
  std::string queue;
  queue::Permission permission;
};

bool is_label(std::string_view label) {
  return label.size() <= label_length_max && std::ranges::all_of(label, [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
                  c == '_';
         });
}

bool is_account_id(std::string_view id) {
  return id.size() == account_id_digits &&
         std::ranges::all_of(id, [](char c) { return c >= '0' && c <= '9'; });
}

Status check(const queue::Permission& permission) {
  if (!is_label(permission.label)) {
    return queue::invalid_value(
        permission.label, "Label",
        "Can only include alphanumeric characters, hyphens, or underscores. 1 to 80 in "
        "length.");
  }
  if (permission.account_ids.empty()) {
    return missing_parameter("AWSAccountIds");
  }
  if (permission.actions.empty()) {
    return missing_parameter("Actions");
  }
  if (permission.actions.size() > actions_max) {
    return Error{ErrorKind::limit_exceeded,
                 std::to_string(permission.actions.size()) + " Actions were found, maximum allowed is " +
                     std::to_string(actions_max) + ".",
                 {}};
  }
  for (const auto& id : permission.account_ids) {
    if (!is_account_id(id)) {
      return queue::invalid_value(id, "PrincipalId", "Unable to verify.");
    }
  }
  for (const auto& action : permission.actions) {
    if (std::ranges::find(grantable, action) == std::end(grantable)) {
      return queue::invalid_value("SQS:" + action, "ActionName",
                                  "Please refer to the appropriate WSDL for a list of valid actions.");
    }
  }
  return {};
}

Result<Request> parse(const Call& call, const json::Value& body) {
  Reading reading;
  const Fields fields(body, reading);
  const auto url = fields.string("QueueUrl");
  const auto label = fields.string("Label");
  const auto account_ids = fields.strings("AWSAccountIds");
  const auto actions = fields.strings("Actions");
  WAYBILL_TRY(reading.status());
  Request request;
  WAYBILL_TRY_ASSIGN(const auto queue, find_queue(call, url));
  request.queue = queue->name;
  WAYBILL_TRY_ASSIGN(request.permission.label, required(label, "Label"));
  if (account_ids) {
    request.permission.account_ids.assign(account_ids->begin(), account_ids->end());
  }
  if (actions) {
    request.permission.actions.assign(actions->begin(), actions->end());
  }
  WAYBILL_TRY(check(request.permission));
  return request;
}

Result<queue::Queue> decide(queue::Queue queue, std::string_view arn, const queue::Permission& permission,
                            int64_t now_ms) {
  auto& policy = queue.attributes["Policy"];
  WAYBILL_TRY_ASSIGN(policy, queue::add_permission(policy, arn, permission));
  queue.changed_ms = now_ms;
  return queue;
}

}  // namespace

void add_permission(Call call, const json::Value& body) {
  auto request = parse(call, body);
  if (!request) {
    call.fail(request.error());
    return;
  }
  auto arn = call.services().queue_arn(request->queue);
  const int64_t now_ms = call.services().clock.wall_ms();
  call.queues().change(
      request->queue,
      [arn = std::move(arn), permission = std::move(request->permission),
       now_ms](const queue::Queue& current) { return decide(current, arn, permission, now_ms); },
      answer_empty_with(std::move(call)));
}

}  // namespace waybill::api::sqs
