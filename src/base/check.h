#pragma once

namespace waybill {

// Prints the failed check with its place and stops the process.
[[noreturn]] void check_failed(const char* expression, const char* file, int line);

}  // namespace waybill

// States what a programmer guarantees; a violation stops the process. Input from outside never reaches
// one of these: it is answered with an Error.
#define WAYBILL_CHECK(expression)                               \
  do {                                                          \
    if (!(expression)) [[unlikely]] {                           \
      ::waybill::check_failed(#expression, __FILE__, __LINE__); \
    }                                                           \
  } while (false)
