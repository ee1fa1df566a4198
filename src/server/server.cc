#include "server/server.h"

#include <sys/resource.h>

#include <algorithm>
#include <thread>
#include <utility>

#include "api/autoscaling/operations.h"
#include "api/dynamodb/call.h"
#include "api/dynamodb/operations.h"
#include "api/dynamodb/service.h"
#include "api/sqs/call.h"
#include "api/sqs/service.h"
#include "api/streams/operations.h"
#include "archive/archiver.h"
#include "base/clock.h"
#include "base/entropy.h"
#include "bucket/buckets.h"
#include "control/server.h"
#include "engine/engine.h"
#include "http/server.h"
#include "http/signature.h"
#include "migration/adoptions.h"
#include "migration/book.h"
#include "migration/migrations.h"
#include "redrive/move_tasks.h"
#include "rules/contracts.h"
#include "server/alarms.h"
#include "server/commands.h"
#include "server/contracts.h"
#include "server/encryption_keys.h"
#include "server/jobs.h"
#include "server/machine_memory.h"
#include "server/metrics_access.h"
#include "server/metrics_page.h"
#include "server/objects.h"
#include "server/own_objects.h"
#include "server/publishing.h"
#include "server/routes.h"
#include "server/workers.h"
#include "transfer/transfers.h"

namespace waybill::server {

// In the order of use: each part outlives those below it.
struct Server::Parts {
  Parts(const Config& given, const http::SignatureOptions& signatures,
        std::unique_ptr<engine::encryption::KeyDoor> keys, std::unique_ptr<store::Store> opened,
        std::unique_ptr<transfer::Transfers> begun, std::unique_ptr<redrive::MoveTasks> moving,
        std::unique_ptr<migration::Book> book, std::unique_ptr<bucket::Buckets> objects_kept,
        std::unique_ptr<rules::Contracts> in_force, MetricsAccess metrics_access)
      : config(given),
        encryption_keys(std::move(keys)),
        verifier(signatures),
        store(std::move(opened)),
        migration_book(std::move(book)),
        buckets(std::move(objects_kept)),
        contracts(std::move(in_force)),
        transfers(std::move(begun)),
        move_tasks(std::move(moving)),
        services{*store,
                 clock,
                 entropy,
                 config.region,
                 "000000000000",
                 config.host + ":" + std::to_string(config.port),
                 encryption_keys != nullptr,
                 transfers.get()},
        dynamodb(services, verifier,
                 {api::dynamodb::operations(), api::streams::operations(), api::autoscaling::operations()}),
        queue_services{
            store->queues(),
            clock,
            entropy,
            config.region,
            services.account_id,
            services.endpoint,
            move_tasks.get(),
            [in_use = contracts.get()](std::string_view queue) { return in_use->find_use(queue); }},
        sqs(queue_services, verifier),
        jobs(*store, *contracts, {clock, entropy, signatures}),
        objects(*buckets, {entropy, config.region, signatures, !config.objects.empty()}),
        metrics(*store, clock, std::move(metrics_access), config.version),
        routes({dynamodb, sqs, jobs.service(), objects.service()}, metrics, config.region) {}

  Config config;
  std::unique_ptr<engine::encryption::KeyDoor> encryption_keys;  // null: the data is not encrypted
  http::Verifier verifier;
  std::unique_ptr<store::Store> store;
  std::unique_ptr<migration::Book> migration_book;
  std::unique_ptr<bucket::Buckets> buckets;
  std::unique_ptr<rules::Contracts> contracts;
  std::unique_ptr<migration::Migrations> migrations;
  std::unique_ptr<migration::Adoptions> adoptions;
  std::unique_ptr<transfer::Transfers> transfers;
  std::unique_ptr<redrive::MoveTasks> move_tasks;  // null: the store has no queues
  static inline const SystemClock clock;
  static inline SystemEntropy entropy;
  api::dynamodb::Services services;
  api::dynamodb::Service dynamodb;
  api::sqs::Services queue_services;
  api::sqs::Service sqs;
  Jobs jobs;
  Objects objects;
  MetricsPage metrics;
  Routes routes;
  std::unique_ptr<Publishing> publishing;
  std::unique_ptr<control::Server> control;
  std::unique_ptr<http::Server> http;
  std::unique_ptr<alarm::Alarms> alarms;  // null: the store has no queues
  std::unique_ptr<archive::Archiver> archiver;
  OwnObjects own_objects{*buckets};
  std::unique_ptr<worker::Crew> workers;  // null: none are to run
};

namespace {

Result<http::SignatureOptions> signature_options(const Config& config) {
  http::SignatureOptions options;
  options.accept_any = config.keys_file.empty();
  options.services = {"dynamodb", "application-autoscaling", "sqs"};
  if (!config.keys_file.empty()) {
    WAYBILL_TRY_ASSIGN(options.keys, http::read_keys_file(config.keys_file));
  }
  return options;
}

http::ServerOptions http_options(const Config& config) {
  http::ServerOptions options;
  options.host = config.host;
  options.port = config.port;
  const int processors = static_cast<int>(std::thread::hardware_concurrency());
  options.threads = config.threads > 0 ? config.threads : std::max(processors, 1);
  options.thread_per_processor = config.threads == 0;
  options.render_error = api::dynamodb::Service::refusal;
  return options;
}

// Every connection is an open file, and a shell's usual limit is 1,024 of them. Where the limit cannot be
// raised, connections beyond it wait.
void raise_open_files_limit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) == 0) {
    limit.rlim_cur = limit.rlim_max;
    ::setrlimit(RLIMIT_NOFILE, &limit);
  }
}

}  // namespace

Server::Server(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}

Server::~Server() {
  stop();
  join();
}

Result<std::unique_ptr<Server>> Server::start(const Config& config) {
  WAYBILL_TRY(check(config));
  WAYBILL_TRY_ASSIGN(auto signatures, signature_options(config));
  const auto worker_key = make_worker_key(signatures, Parts::entropy);
  WAYBILL_TRY_ASSIGN(auto encryption_keys, find_encryption_keys(config));
  WAYBILL_TRY_ASSIGN(auto metrics_access, MetricsAccess::from(config));
  WAYBILL_TRY_ASSIGN(auto webhook, webhook_options(config));
  raise_open_files_limit();
  engine::Options storage;
  storage.data_dir = config.data_dir;
  storage.clock = &Parts::clock;
  storage.entropy = &Parts::entropy;
  storage.durability = config.relaxed_durability ? engine::Durability::relaxed : engine::Durability::sync;
  const uint64_t memory_mb =
      config.memory_mb != 0 ? config.memory_mb : default_store_memory_mb(machine_memory_bytes());
  storage.memory_bytes = memory_mb << 20;
  storage.accept_loss = config.accept_loss;
  storage.encryption_keys = encryption_keys.get();
  storage.encrypt_existing = config.encrypt_existing;
  WAYBILL_TRY_ASSIGN(auto store, engine::open(storage));
  WAYBILL_TRY_ASSIGN(auto migration_book, migration::Book::open(*store));
  const auto wrap = [book = migration_book.get()](const std::string& table, const rules::Deployed* deployed,
                                                  store::RulesPtr rules) {
    return book->wrap(table, deployed, std::move(rules));
  };
  const event::Tools tools{store.get(), &Parts::clock, &Parts::entropy};
  const auto check_places = [tools](const rules::Deployed& deployed) {
    return event::Publishers::check(deployed.contract, {tools});
  };
  WAYBILL_TRY_ASSIGN(auto buckets, open_buckets(*store, config, Parts::clock, Parts::entropy));
  const auto make_more = [buckets = buckets.get()](const rules::Deployed& deployed) {
    return make_buckets(*buckets, deployed);
  };
  WAYBILL_TRY_ASSIGN(
      auto contracts,
      open_contracts(*store, config, {&Parts::clock, &Parts::entropy, wrap, check_places, make_more}));
  const auto buckets_dir = config.buckets_dir.empty() ? config.data_dir + "/buckets" : config.buckets_dir;
  WAYBILL_TRY_ASSIGN(auto transfers,
                     transfer::Transfers::open(*store, {&Parts::clock, &Parts::entropy, buckets_dir}));
  std::unique_ptr<redrive::MoveTasks> move_tasks;
  if (store->queues() != nullptr) {
    WAYBILL_TRY_ASSIGN(move_tasks, redrive::MoveTasks::open(*store, {&Parts::clock, &Parts::entropy}));
  }
  auto parts = std::make_unique<Parts>(config, signatures, std::move(encryption_keys), std::move(store),
                                       std::move(transfers), std::move(move_tasks), std::move(migration_book),
                                       std::move(buckets), std::move(contracts), std::move(metrics_access));
  WAYBILL_TRY_ASSIGN(parts->migrations,
                     migration::Migrations::open(*parts->store, *parts->migration_book, *parts->contracts,
                                                 {&Parts::clock, &Parts::entropy}));
  parts->publishing = std::make_unique<Publishing>(*parts->contracts, tools);
  WAYBILL_TRY_ASSIGN(parts->control,
                     control::Server::listen(control::socket_path(config.data_dir),
                                             make_commands(parts->services, *parts->contracts,
                                                           *parts->migrations, *parts->publishing)));
  const auto& routes = parts->routes;
  auto listening = http_options(config);
  listening.open_upload = [&routes](const http::Request& request, std::optional<uint64_t> /*content_length*/,
                                    const http::UploadGate& gate) {
    return routes.open_upload(request, gate);
  };
  WAYBILL_TRY_ASSIGN(parts->http,
                     http::Server::listen(std::move(listening),
                                          [&routes](const http::Request& request, http::Responder responder) {
                                            routes.handle(request, std::move(responder));
                                          }));
  parts->metrics.set_http(*parts->http);
  webhook.server = config.host + ":" + std::to_string(parts->http->port());
  WAYBILL_TRY_ASSIGN(parts->alarms, start_alarms(*parts->store, config, std::move(webhook),
                                                 {&Parts::clock, &Parts::entropy, {}}));
  parts->metrics.set_alarms(parts->alarms.get());
  parts->metrics.set_contracts(*parts->contracts);
  WAYBILL_TRY(parts->publishing->restart());
  parts->migrations->go_on();
  parts->adoptions = std::make_unique<migration::Adoptions>(*parts->store, *parts->contracts, Parts::clock);
  parts->metrics.set_publishing(*parts->publishing);
  parts->archiver = std::make_unique<archive::Archiver>(
      *parts->store, archive::Archiver::Options{&Parts::clock, buckets_dir + "/archive"});
  WAYBILL_TRY_ASSIGN(parts->workers, start_workers(config, parts->http->port(), worker_key,
                                                   {&Parts::clock, &Parts::entropy, &parts->own_objects}));
  parts->contracts->set_on_change([shared = parts.get()] {
    shared->adoptions->look();
    if (shared->workers != nullptr) {
      shared->workers->look();
    }
    return shared->publishing->restart();
  });
  return std::unique_ptr<Server>(new Server(std::move(parts)));
}

uint16_t Server::port() const {
  return parts_->http->port();
}

void Server::reload_encryption_keys() {
  server::reload_encryption_keys(parts_->config, parts_->encryption_keys.get());
}

void Server::stop() {
  parts_->routes.begin_stop();
  if (parts_->workers != nullptr) {
    parts_->workers->stop();
  }
  parts_->http->stop();
}

void Server::join() {
  parts_->http->join();
  parts_->control.reset();
  parts_->adoptions.reset();
  parts_->migrations.reset();
}

}  // namespace waybill::server
