#include <utility>

#include "api/sqs/contract_queue.h"
#include "api/sqs/operations.h"
#include "api/sqs/parameters.h"

namespace waybill::api::sqs {
namespace {

Error in_words(Error error, std::string_view name) {
  if (error.kind == ErrorKind::purge_in_progress) {
    error.message = "Only one PurgeQueue operation on " + std::string(name) + " is allowed every 60 seconds.";
  }
  return error;
}

}  // namespace

void purge_queue(Call call, const json::Value& body) {
  const auto queue = find_queue(call, body);
  if (!queue) {
    call.fail(queue.error());
    return;
  }
  if (const auto checked = check_purge(call, (*queue)->name); !checked) {
    call.fail(checked.error());
    return;
  }
  auto name = (*queue)->name;
  auto& queues = call.queues();
  auto done = [call = std::move(call), name](Result<queue::QueuePtr> purged) mutable {
    Call::resume(std::move(call), [name = std::move(name), purged = std::move(purged)](Call back) {
      if (!purged) {
        back.fail(in_words(purged.error(), name));
        return;
      }
      back.answer_empty();
    });
  };
  queues.purge(name, std::move(done));
}

}  // namespace waybill::api::sqs
