#pragma once

#include <string_view>

#include "job/services.h"
#include "queue/message.h"

// Messages that announce work, and the records they are about. Pure.
namespace waybill::job {

// The key of the record that a message's body names (rules::key_of_fields): the members of the envelope that
// are a field as it stands tell its key fields. Error invalid where the body is none of this kind's.
Result<item::Item> key_of_message(const Subject& subject, std::string_view body);

// A message that was given up, as the dead letters have it. `receives`: how often it was given out.
queue::Message dead_letter_of(const Subject& subject, queue::Message message, int64_t receives);

// Whether the record of a dead letter has been seen to already.
bool is_seen_to(const queue::Message& message);

}  // namespace waybill::job
