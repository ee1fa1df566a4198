#include "api/sqs/contract_queue.h"

#include <optional>
#include <string>

namespace waybill::api::sqs {
namespace {

std::optional<rules::QueueUse> use_of(const Call& call, std::string_view queue) {
  const auto& find = call.services().use_of;
  return find ? find(queue) : std::nullopt;
}

// "The queue jobs is that of contract orchestrator (work on job), which is in force: "
Error refusal(std::string_view queue, const rules::QueueUse& use, const std::string& what) {
  return Error{ErrorKind::unsupported,
               "The queue " + std::string(queue) + " is that of contract " + use.contract + " (" +
                   (use.is_dead_letters ? "dead letters of " : "work on ") + use.record +
                   "), which is in force: " + what,
               {}};
}

}  // namespace

Status check_removal(const Call& call, std::string_view queue) {
  const auto use = use_of(call, queue);
  if (!use) {
    return {};
  }
  return refusal(queue, *use,
                 "its messages would be lost, and those of new records as well. Withdraw the contract first "
                 "(waybill contract withdraw " +
                     use->contract + ")");
}

Status check_purge(const Call& call, std::string_view queue) {
  const auto use = use_of(call, queue);
  if (!use || use->is_dead_letters) {
    return {};
  }
  return refusal(queue, *use,
                 "its records would wait for ever. Cancel or delete the records, or withdraw the contract "
                 "first (waybill contract withdraw " +
                     use->contract + ")");
}

Status check_settings(const Call& call, const queue::Queue& queue, const queue::Attributes& changes) {
  const auto use = use_of(call, queue.name);
  if (!use || use->is_dead_letters) {
    return {};
  }
  for (const auto* const name : {"MessageRetentionPeriod", "RedrivePolicy"}) {
    const auto given = changes.find(name);
    const auto present = queue.attributes.find(name);
    const bool is_same =
        given == changes.end() || (present != queue.attributes.end() && present->second == given->second);
    if (!is_same) {
      return refusal(queue.name, *use,
                     std::string(name) + " stays as the contract has it: records would wait for messages " +
                         "that are gone, or be given up unseen. Withdraw the contract first (waybill " +
                         "contract withdraw " + use->contract + ")");
    }
  }
  return {};
}

}  // namespace waybill::api::sqs
