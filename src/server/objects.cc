#include "server/objects.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "client/connection.h"
#include "depot/s3_place.h"

namespace waybill::server {
namespace {

// They wait for disks and commits more than they compute.
constexpr int workers_min = 8;
constexpr int workers_for_far = 32;
constexpr int copiers = 4;
constexpr int copiers_for_far = 16;

http::SignatureOptions for_objects(http::SignatureOptions options) {
  options.services = {"s3"};
  return options;
}

int worker_count(bool is_far) {
  return std::max(is_far ? workers_for_far : workers_min,
                  2 * static_cast<int>(std::thread::hardware_concurrency()));
}

Result<std::shared_ptr<object::ContentPlace>> open_place(const Config& config, const Clock& clock,
                                                         const Clock& id_clock, Entropy& entropy) {
  depot::S3Place::Options options;
  WAYBILL_TRY_ASSIGN(options.location, depot::read_location(config.objects));
  options.connection.region = client::find_region();
  options.connection.key = client::find_objects_key();
  options.connection.clock = &clock;
  const auto endpoint = config.objects_endpoint.empty()
                            ? "https://s3." + options.connection.region + ".amazonaws.com"
                            : config.objects_endpoint;
  WAYBILL_TRY_ASSIGN(options.connection.endpoint, client::read_endpoint("--objects-endpoint", endpoint));
  options.clock = &id_clock;
  options.entropy = &entropy;
  auto place = std::make_shared<depot::S3Place>(options);
  WAYBILL_TRY(depot::claim(
      place->bucket(), {config.data_dir + "/objects-in-s3", config.data_dir + "/objects", entropy, clock}));
  return std::shared_ptr<object::ContentPlace>(std::move(place));
}

}  // namespace

Objects::Objects(bucket::Buckets& buckets, const Options& options)
    : verifier_(for_objects(options.signatures)),
      workers_(worker_count(options.is_far), "objects"),
      copiers_(options.is_far ? copiers_for_far : copiers, "object copies"),
      services_{buckets,  options.entropy, options.region, "000000000000", options.signatures.accept_any,
                workers_, copiers_},
      service_(services_, verifier_) {}

Result<std::unique_ptr<bucket::Buckets>> open_buckets(store::Store& store, const Config& config,
                                                      const Clock& clock, Entropy& entropy) {
  bucket::Buckets::Options options{config.data_dir + "/objects", &clock, &entropy};
  if (config.objects.empty()) {
    WAYBILL_TRY(depot::check_not_elsewhere(config.data_dir + "/objects-in-s3"));
  } else {
    options.open_place = [config, &clock, &entropy](const Clock& id_clock) {
      return open_place(config, clock, id_clock, entropy);
    };
  }
  return bucket::Buckets::open(store, options);
}

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
