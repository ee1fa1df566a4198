#pragma once

#include <string_view>

#include "api/sqs/call.h"
#include "http/message.h"
#include "http/responder.h"
#include "http/signature.h"

namespace waybill::api::sqs {

// Takes requests to SQS in both of its protocols: checks the signature, finds the operation, makes JSON of
// the parameters where they are none, and calls it.
//
// Default deny: nothing of a request is looked at before its signature has been checked, and no operation can
// be reached without the proof of that.
//
// Thread safety: handle() may be called from any thread. What is given outlives the service and all calls.
class Service {
 public:
  Service(const Services& services, const http::Verifier& verifier)
      : services_(services), verifier_(verifier) {}

  // Whether a request is for this service: by its target, by being a form, or by an Action in its URL.
  static bool is_for(const http::Request& request);

  void handle(const http::Request& request, http::Responder responder) const;

 private:
  const Services& services_;
  const http::Verifier& verifier_;
};

}  // namespace waybill::api::sqs
