#pragma once

#include <cstdint>
#include <string>

#include "intake/writers.h"

namespace waybill::intake {

// Is told how work goes on, for people to see. Calls come one at a time, from any thread.
class Watcher {
 public:
  virtual ~Watcher() = default;
  // `what`: "importing", "reading the source" …
  virtual void advanced(const std::string& what, uint64_t done, uint64_t total) = 0;
  virtual void rejected(const Rejection& rejection) = 0;
  // Of following: changes that wait, and for how long the oldest does.
  virtual void lags(uint64_t changes, int64_t oldest_ms, uint64_t applied) = 0;
  // Something that an operator should know.
  virtual void says(const std::string& text) = 0;
};

}  // namespace waybill::intake
