#pragma once

#include <string>

#include "base/result.h"
#include "http/message.h"
#include "server/config.h"

namespace waybill::server {

// Who may read /metrics: whoever has the token, where there is one; else anybody, where no keys are asked for
// or the configuration says so; else nobody.
class MetricsAccess {
 public:
  // Reads the token's file.
  static Result<MetricsAccess> from(const Config& config);

  bool allows(const http::Request& request) const;
  // What to answer where it does not.
  http::Response refusal() const;

 private:
  bool open_ = false;
  std::string token_;  // empty: there is none
};

}  // namespace waybill::server
