#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "api/dynamodb/call.h"
#include "http/message.h"
#include "http/responder.h"
#include "http/signature.h"

namespace waybill::api::dynamodb {

// Takes requests in the protocol of DynamoDB, which its streams and Application Auto Scaling
// speak as well: checks the signature, finds
// the operation, parses the body, and calls it.
//
// Default deny: nothing of a request is looked at before its signature has been checked, and no operation
// can be reached without the proof of that.
//
// Thread safety: handle() may be called from any thread. What is given outlives the service and all calls.
class Service {
 public:
  Service(const Services& services, const http::Verifier& verifier, std::vector<OperationList> lists)
      : services_(services), verifier_(verifier), lists_(std::move(lists)) {}

  void handle(const http::Request& request, http::Responder responder) const;

  // The form in which the service words a request that could not even be received.
  static http::Response refusal(int status, std::string_view reason);

 private:
  struct Found {
    const NamedOperation* operation = nullptr;
    CallWords words;
  };
  Found find_operation(std::string_view target) const;

  const Services& services_;
  const http::Verifier& verifier_;
  const std::vector<OperationList> lists_;
};

}  // namespace waybill::api::dynamodb
