#pragma once

#include <optional>

#include "api/s3/call.h"
#include "http/message.h"
#include "http/responder.h"
#include "http/signature.h"
#include "http/upload.h"

namespace waybill::api::s3 {

// Takes requests to S3: checks signature and policy, finds the operation, and has it done by a worker. Bodies
// that are contents of objects go to disk as they come.
//
// Default deny: nothing of a request is looked at before its signature has been checked, but for which
// operation it is.
//
// Thread safety: every method may be called from any thread. What is given outlives the service and all
// calls.
class Service {
 public:
  Service(const Services& services, const http::Verifier& verifier)
      : services_(services), verifier_(verifier) {}

  // Whether a request is for this service: by its path, or by the service that its credential is for.
  static bool is_for(const http::Request& request);

  // See http::UploadOpener, for a request that is for this service.
  http::Opening open_upload(const http::Request& request, const http::UploadGate& gate) const;

  void handle(const http::Request& request, http::Responder responder) const;

 private:
  struct Admitted {
    Call call;
    const NamedOperation* operation = nullptr;
  };
  Result<Admitted> admit(const http::Request& request, const Request& read) const;

  const Services& services_;
  const http::Verifier& verifier_;
};

}  // namespace waybill::api::s3
