#include "base/check.h"

#include <cstdio>
#include <cstdlib>

namespace waybill {

void check_failed(const char* expression, const char* file, int line) {
  std::fprintf(stderr, "waybill: internal check failed: %s (%s:%d)\n", expression, file, line);
  std::fflush(stderr);
  std::abort();
}

}  // namespace waybill
