#include "cli/work_command.h"

#include <csignal>
#include <cstdlib>
#include <iostream>
#include <utility>

#include "base/clock.h"
#include "base/entropy.h"
#include "base/log.h"
#include "client/connection.h"

namespace waybill::cli {
namespace {

constexpr const char* default_server = "http://127.0.0.1:8000";

std::string variable_or(const char* name, const char* otherwise) {
  const char* const value = std::getenv(name);
  return value == nullptr || *value == '\0' ? otherwise : value;
}

Result<client::Connection> connection_to(const std::string& what, const std::string& url,
                                         http::SigningKey key, const Clock& clock) {
  client::Connection connection;
  WAYBILL_TRY_ASSIGN(connection.endpoint, client::read_endpoint(what, url));
  connection.key = std::move(key);
  connection.region = client::find_region();
  connection.clock = &clock;
  return connection;
}

Result<worker::Crew::Options> crew_options(const WorkOptions& options, const Clock& clock, Entropy& entropy) {
  worker::Crew::Options made;
  const auto endpoint =
      options.endpoint.empty() ? variable_or("WAYBILL_SERVER", default_server) : options.endpoint;
  WAYBILL_TRY_ASSIGN(made.jobs, connection_to("--endpoint", endpoint, client::find_key(), clock));
  made.objects = made.jobs;
  if (!options.objects_endpoint.empty()) {
    WAYBILL_TRY_ASSIGN(made.objects, connection_to("--objects-endpoint", options.objects_endpoint,
                                                   client::find_objects_key(), clock));
  }
  if (!options.only.empty()) {
    WAYBILL_TRY_ASSIGN(made.only, worker::read_worker_list("--only", options.only));
  }
  made.entropy = &entropy;
  made.slots = options.slots;
  made.lease_s = options.lease_s;
  made.nice = options.nice;
  made.folder_parent = options.folder.empty() ? variable_or("TMPDIR", "/tmp") : options.folder;
  made.studio = {"/proc/self/exe", "internal", "media"};
  made.workflows = options.workflows;
  made.guard = {"/proc/self/exe", "internal", "guard"};
  return made;
}

int refuse(const Error& error) {
  std::cerr << "waybill: " << error.message << "\n";
  return 1;
}

}  // namespace

int run_work(const WorkOptions& options) {
  // Taken by sigwait() alone, and from the first moment on: threads inherit it.
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  const SystemClock clock;
  SystemEntropy entropy;
  const auto made = crew_options(options, clock, entropy);
  if (!made) {
    return refuse(made.error());
  }
  const auto crew = worker::Crew::start(*made);
  if (!crew) {
    return refuse(crew.error());
  }
  std::cout << "waybill works for " << made->jobs.endpoint << ", objects at " << made->objects.endpoint
            << "\n"
            << std::flush;
  int received = 0;
  sigwait(&signals, &received);
  log_info("stopping: jobs under way have a few seconds to end");
  // A second signal means that nobody wants to wait.
  pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
  (*crew)->stop();
  return 0;
}

}  // namespace waybill::cli
