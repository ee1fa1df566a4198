#pragma once

#include <pthread.h>

namespace waybill {

// Names the calling thread for top, perf and debuggers. At most 15 characters.
inline void name_this_thread(const char* name) {
  ::pthread_setname_np(::pthread_self(), name);
}

}  // namespace waybill
