#pragma once

#include <memory>

#include "api/jobs/call.h"
#include "api/jobs/feed.h"
#include "api/jobs/service.h"
#include "base/clock.h"
#include "base/entropy.h"
#include "base/ulid.h"
#include "http/signature.h"
#include "job/keeper.h"
#include "rules/contracts.h"
#include "store/store.h"

namespace waybill::server {

// The jobs API with all that it needs of its own.
class Jobs {
 public:
  struct Options {
    const Clock& clock;
    Entropy& entropy;
    http::SignatureOptions signatures;  // of the other services: its keys hold here as well
  };

  // Store and contracts outlive it.
  Jobs(store::Store& store, const rules::Contracts& contracts, const Options& options);

  const api::jobs::Service& service() const { return service_; }

 private:
  http::Verifier verifier_;
  UlidMaker ulids_;
  api::jobs::Feed feed_;
  api::jobs::Services services_;
  api::jobs::Service service_;
  std::unique_ptr<job::Keeper> keeper_;  // null: the store has no queues
};

}  // namespace waybill::server
