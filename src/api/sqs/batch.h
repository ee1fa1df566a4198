#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/sqs/answer.h"
#include "api/sqs/parameters.h"
#include "base/result.h"

// What the operations have in common that do one thing to several messages, each by itself.
namespace waybill::api::sqs {

// The entries of a batch whose number and ids are right. `entry_type`: the service's name for one,
// "SendMessageBatchRequestEntry". Wrong types of fields go to the fields' Reading.
Result<std::vector<Fields>> read_batch(const Fields& fields, std::string_view entry_type);

// Of an entry that read_batch has given.
std::string id_of(const Fields& entry);

// The field Failed; nothing where there are none.
struct BatchFailure {
  std::string id;
  Error error;
};
void write_failures(Answer& answer, const std::vector<BatchFailure>& failures);

}  // namespace waybill::api::sqs
