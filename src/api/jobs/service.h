#pragma once

#include "api/jobs/call.h"
#include "http/message.h"
#include "http/responder.h"
#include "http/signature.h"

namespace waybill::api::jobs {

// Takes requests to the jobs API: checks who sends them, finds the operation by path and method, reads the
// body, and calls it.
//
// Default deny: nothing of a request is looked at before its sender is known, and no operation can be reached
// without the proof of that.
//
// Thread safety: handle() may be called from any thread. What is given outlives the service and all calls.
class Service {
 public:
  Service(const Services& services, const http::Verifier& verifier)
      : services_(services), verifier_(verifier) {}

  // Whether a request is for this service, by its path.
  static bool is_for(const http::Request& request) { return request.path.starts_with(path_prefix); }

  void handle(const http::Request& request, http::Responder responder) const;

 private:
  // One request, alone or of a batch, whose body has been read then.
  struct Asked {
    const http::Request& request;
    Path path;
    const json::Value* body_in_batch;  // null: it came alone
  };

  void dispatch(const http::Request& request, http::Responder responder,
                const http::VerifiedPrincipal& principal) const;
  void dispatch_batch(const http::Request& request, http::Responder responder,
                      const http::VerifiedPrincipal& principal, Document& document) const;
  void dispatch_one(Asked asked, Reply reply, const http::VerifiedPrincipal& principal,
                    Document& document) const;

  const Services& services_;
  const http::Verifier& verifier_;
};

}  // namespace waybill::api::jobs
