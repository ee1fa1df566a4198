#pragma once

#include <string_view>
#include <utility>

#include "api/dynamodb/call.h"
#include "http/message.h"
#include "http/responder.h"
#include "http/signature.h"

namespace waybill::api::dynamodb {

// Takes requests to DynamoDB: checks the signature, finds the operation, parses the body, and calls it.
//
// Default deny: nothing of a request is looked at before its signature has been checked, and no operation
// can be reached without the proof of that.
//
// Thread safety: handle() may be called from any thread. What is given outlives the service and all calls.
class Service {
 public:
  Service(const Services& services, const http::Verifier& verifier)
      : services_(services), verifier_(verifier) {}

  void handle(const http::Request& request, http::Responder responder) const;

  // The form in which the service words a request that could not even be received.
  static http::Response refusal(int status, std::string_view reason);

 private:
  const Services& services_;
  const http::Verifier& verifier_;
};

}  // namespace waybill::api::dynamodb
