#include <utility>

#include "api/sqs/contract_queue.h"
#include "api/sqs/operations.h"
#include "api/sqs/parameters.h"

namespace waybill::api::sqs {

void delete_queue(Call call, const json::Value& body) {
  const auto queue = find_queue(call, body);
  if (!queue) {
    call.fail(queue.error());
    return;
  }
  if (const auto checked = check_removal(call, (*queue)->name); !checked) {
    call.fail(checked.error());
    return;
  }
  call.queues().remove((*queue)->name, answer_empty_with(std::move(call)));
}

}  // namespace waybill::api::sqs
