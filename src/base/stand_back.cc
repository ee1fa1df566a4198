#include "base/stand_back.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>

namespace waybill {

void stand_back(int nice) {
  const auto thread = static_cast<id_t>(::gettid());  // on Linux each thread has its own
  const int now = ::getpriority(PRIO_PROCESS, thread);
  if (now < nice) {
    static_cast<void>(::setpriority(PRIO_PROCESS, thread, std::min(nice, 19)));
  }
}

}  // namespace waybill
