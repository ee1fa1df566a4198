#pragma once

#include <string>
#include <variant>

#include "base/result.h"
#include "worker/task.h"

namespace waybill::worker {

// The work is done. `fields` is a JSON object, "" for none.
struct Done {
  std::string fields;
};

// The work waits for a decision of people. `step` is a JSON value, "" for none.
struct Paused {
  std::string step;
  std::string fields;
};

using Outcome = std::variant<Done, Paused>;

// Knows how to do one kind of work.
//
// Thread safety: work() may be called from several threads at a time.
class Worker {
 public:
  virtual ~Worker() = default;

  // Does one job. May be ended at any moment and done again by another process: what it writes outside of the
  // record it writes under names that a second attempt writes again with the same bytes. The record itself
  // moves when this has returned. Returns soon, with any error, once task.stop() is requested. Errors as
  // trouble.h has them.
  virtual Result<Outcome> work(Task& task) const = 0;
};

}  // namespace waybill::worker
