#pragma once

#include <future>
#include <memory>
#include <utility>

#include "base/result.h"

namespace waybill::migration {

// Calls `begin` with what it is to call when it is done, and waits for that.
template <typename Value, typename Begin>
Value wait_for(Begin begin) {
  auto promise = std::make_shared<std::promise<Value>>();
  auto made = promise->get_future();
  begin([promise](Value value) { promise->set_value(std::move(value)); });
  return made.get();
}

}  // namespace waybill::migration
