#pragma once

#include <memory>
#include <string>

#include "api/s3/call.h"
#include "api/s3/service.h"
#include "api/s3/workers.h"
#include "base/entropy.h"
#include "bucket/buckets.h"
#include "http/signature.h"
#include "rules/deployed.h"

namespace waybill::server {

// S3 with all that it needs of its own.
class Objects {
 public:
  struct Options {
    Entropy& entropy;
    std::string region;
    http::SignatureOptions signatures;  // of the other services: its keys hold here as well
  };

  // The buckets outlive it.
  Objects(bucket::Buckets& buckets, const Options& options);

  const api::s3::Service& service() const { return service_; }

 private:
  http::Verifier verifier_;
  api::s3::Workers workers_;
  api::s3::Workers copiers_;
  api::s3::Services services_;
  api::s3::Service service_;
};

// Makes the buckets that a contract asks for, and gives them its limits. Error invalid where a name cannot be
// one.
Status make_buckets(bucket::Buckets& buckets, const rules::Deployed& deployed);

}  // namespace waybill::server
