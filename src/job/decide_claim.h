#pragma once

#include <cstdint>
#include <string>

#include "contract/model.h"
#include "job/draft.h"

// What becomes of a message that a worker is about to get. Pure.
namespace waybill::job {

enum class ClaimKind : unsigned char {
  take,     // the worker gets the record; the draft has what changes
  drop,     // there is nothing to do on the record: the message is deleted
  give_up,  // workers were lost too often: the draft has the trouble, not the move
};

struct ClaimDecision {
  ClaimKind kind = ClaimKind::take;
  int64_t attempt = 1;  // of kind take
};

// `receives`: how often the message was given out, this time included.
//
// A message that comes again while its record is being worked on tells that its worker was lost: that counts
// as a failed attempt, unless the worker has given it back. One that comes for the first time is a second
// message of the record and is dropped, unless records of this kind pause for reviews: then it is the message
// by which the work goes on.
ClaimDecision decide_claim(const contract::Record& record, Draft& draft, int64_t receives,
                           bool was_released = false);

// The attempts that may fail by the contract's own count; 0: it has none.
int64_t attempts_limit(const contract::Record& record, Draft& draft);

}  // namespace waybill::job
