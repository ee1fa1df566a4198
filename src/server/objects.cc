#include "server/objects.h"

#include <algorithm>
#include <thread>
#include <utility>

namespace waybill::server {
namespace {

// They wait for disks and commits more than they compute.
constexpr int workers_min = 8;
constexpr int copiers = 4;

http::SignatureOptions for_objects(http::SignatureOptions options) {
  options.services = {"s3"};
  return options;
}

int worker_count() {
  return std::max(workers_min, 2 * static_cast<int>(std::thread::hardware_concurrency()));
}

}  // namespace

Objects::Objects(bucket::Buckets& buckets, const Options& options)
    : verifier_(for_objects(options.signatures)),
      workers_(worker_count(), "objects"),
      copiers_(copiers, "object copies"),
      services_{buckets,  options.entropy, options.region, "000000000000", options.signatures.accept_any,
                workers_, copiers_},
      service_(services_, verifier_) {}

Status make_buckets(bucket::Buckets& buckets, const rules::Deployed& deployed) {
  for (const auto& [name, wanted] : deployed.buckets) {
    bucket::Limits limits;
    if (wanted->bytes_max) {
      limits.bytes_max = static_cast<uint64_t>(*wanted->bytes_max);
    }
    limits.types = wanted->types;
    limits.expires_s = wanted->expires_s;
    WAYBILL_TRY(buckets.ensure_bucket(name, deployed.contract.name, limits));
  }
  return {};
}

}  // namespace waybill::server
