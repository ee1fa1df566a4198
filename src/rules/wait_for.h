#pragma once

#include <future>
#include <memory>
#include <utility>

#include "base/result.h"

namespace waybill::rules {

// Calls `begin` with what it is to call when it is done, and waits for that.
template <typename Value, typename Begin>
Result<Value> wait_for(Begin begin) {
  auto promise = std::make_shared<std::promise<Result<Value>>>();
  auto made = promise->get_future();
  begin([promise](Result<Value> result) { promise->set_value(std::move(result)); });
  return made.get();
}

}  // namespace waybill::rules
