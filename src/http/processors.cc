#include "http/processors.h"

#include <pthread.h>
#include <sched.h>

namespace waybill::http {

std::vector<int> usable_processors() {
  std::vector<int> usable;
  cpu_set_t set;
  CPU_ZERO(&set);
  if (::sched_getaffinity(0, sizeof(set), &set) == 0) {
    for (int processor = 0; processor < CPU_SETSIZE; ++processor) {
      if (CPU_ISSET(processor, &set)) {
        usable.push_back(processor);
      }
    }
  }
  return usable;
}

void stay_on(std::span<const int> processors) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int processor : processors) {
    CPU_SET(processor, &set);
  }
  ::pthread_setaffinity_np(::pthread_self(), sizeof(set), &set);
}

}  // namespace waybill::http
