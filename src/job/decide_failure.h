#pragma once

#include <cstdint>
#include <string>

#include "contract/model.h"

// What becomes of a record when an attempt at it has failed. Pure.
namespace waybill::job {

struct Failure {
  int64_t attempts = 0;       // that have failed, this one included
  int64_t limit = 0;          // so many may, by the contract's own count; 0: it has none
  int64_t receives = 0;       // how often the message was given out
  bool may_try_again = true;  // as far as the worker goes
};

struct Fate {
  std::string to;            // the state
  bool gives_up = false;     // nobody will try again by himself
  bool dead_letter = false;  // the message goes to the dead letters
  int64_t wait_s = 0;        // else: before it is tried again
};

// The record has a `fail` move.
Fate decide_failure(const contract::Record& record, const Failure& failure);

// How long to wait after so many failed attempts: the last time that the contract gives stays.
int64_t backoff_s(const contract::Work& work, int64_t attempts);

// Where a record goes that is given up, whoever found out.
std::string give_up_state(const contract::Work& work);

}  // namespace waybill::job
