#include "server/jobs.h"

#include <utility>

namespace waybill::server {
namespace {

http::SignatureOptions for_jobs(http::SignatureOptions options) {
  options.services = {"waybill", "execute-api"};
  return options;
}

}  // namespace

Jobs::Jobs(store::Store& store, const rules::Contracts& contracts, const Options& options)
    : verifier_(for_jobs(options.signatures)),
      ulids_(options.entropy),
      feed_(store),
      services_{{store, options.clock, options.entropy, ulids_},
                [&contracts](std::string_view name) { return contracts.find(name); },
                [&contracts] { return contracts.all(); },
                &feed_,
                options.signatures.accept_any,
                [&contracts](std::string_view name) { return contracts.adoptions().find(name); }},
      service_(services_, verifier_) {
  if (store.queues() != nullptr) {
    keeper_ = std::make_unique<job::Keeper>(services_.jobs, services_.all_contracts);
  }
}

}  // namespace waybill::server
