#pragma once

#include <cstddef>
#include <functional>

namespace waybill::bench {

struct Spent {
  double seconds = 0;
  double cpu_seconds = 0;  // of the whole process, user and system
};

// Calls `work` with each number below `count`, in this order, on so many threads: each takes the next number
// when it is done with one.
Spent work_through(std::size_t count, std::size_t threads, const std::function<void(std::size_t)>& work);

}  // namespace waybill::bench
