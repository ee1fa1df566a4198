#pragma once

#include <cstddef>
#include <vector>

#include "api/jobs/operations.h"
#include "http/message.h"

// POST /v1/batch: requests that come together and are answered together. Each is carried out as if it had
// come alone, with its own commit and its own answer; none waits for another.
namespace waybill::api::jobs {

inline constexpr std::size_t batch_requests_max = 100;

// One request of a batch: what it would be alone.
struct BatchedRequest {
  http::Request request;  // without a body
  json::Value body;
};

// The requests of a batch's body. What is said of `outer`, the batch itself, holds for each: who acts. They
// live as long as the document of the body. Error malformed.
Result<std::vector<BatchedRequest>> read_batch(const http::Request& outer, const json::Value& body);

}  // namespace waybill::api::jobs
