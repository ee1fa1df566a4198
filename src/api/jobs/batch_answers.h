#pragma once

#include <atomic>
#include <cstddef>
#include <utility>
#include <vector>

#include "http/responder.h"

namespace waybill::api::jobs {

// The answers of a batch as they come in. The last one sends them.
//
// Thread safety: set() from any thread, once for each place; post() of the responder as long as one is owed.
class BatchAnswers {
 public:
  BatchAnswers(http::Responder responder, std::size_t count)
      : responder_(std::move(responder)), answers_(count), owed_(count) {}

  http::Responder& responder() { return responder_; }

  void set(std::size_t place, http::Response response);

 private:
  http::Responder responder_;
  std::vector<http::Response> answers_;
  std::atomic<std::size_t> owed_;
};

}  // namespace waybill::api::jobs
