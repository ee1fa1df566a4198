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
#include "server/config.h"

namespace waybill::server {

// S3 with all that it needs of its own.
class Objects {
 public:
  struct Options {
    Entropy& entropy;
    std::string region;
    http::SignatureOptions signatures;  // of the other services: its keys hold here as well
    bool is_far = false;                // contents are elsewhere: more of its threads wait at a time
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

// Rows in the store, contents where the configuration says: in the data directory, or in S3, which is asked
// whether it can be used. Error invalid where it cannot; it says what to do.
Result<std::unique_ptr<bucket::Buckets>> open_buckets(store::Store& store, const Config& config,
                                                      const Clock& clock, Entropy& entropy);

// Makes the buckets that a contract asks for, and gives them its limits. Error invalid where a name cannot be
// one.
Status make_buckets(bucket::Buckets& buckets, const rules::Deployed& deployed);

}  // namespace waybill::server
