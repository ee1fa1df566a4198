#include "worker/crew.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <set>
#include <utility>

#include "base/log.h"
#include "base/thread_name.h"
#include "worker/steps/workflows.h"
#include "worker/workers.h"

namespace waybill::worker {
namespace {

constexpr int64_t look_every_ms = 10'000;
constexpr int64_t look_again_ms = 1'000;  // after one that failed
constexpr int64_t idle_check_ms = 10;

std::size_t processors() {
  return std::max<std::size_t>(std::thread::hardware_concurrency(), 1);
}

std::string process_name() {
  std::array<char, 256> host{};
  ::gethostname(host.data(), host.size() - 1);
  return std::string(host.data()) + "-" + std::to_string(::getpid());
}

Error no_such_worker(const std::string& what, const std::string& name) {
  std::string all;
  for (const auto each : worker_names()) {
    all.append(all.empty() ? "" : ", ").append(each);
  }
  return invalid(what + ": there is no worker \"" + name + "\"; there are " + all);
}

}  // namespace

Crew::Crew(const Options& options, WorkFolder folder, client::JobsClient client)
    : options_(options),
      folder_(std::move(folder)),
      studio_({.child = options.studio,
               .children_max = processors(),
               .clock = options.jobs.clock,
               .limits = {},
               .nice = options.nice}),
      client_(std::move(client)) {
  running_.jobs = options.jobs;
  running_.objects = options.objects;
  running_.own_objects = options.own_objects;
  running_.tools = {options.jobs.clock, options.entropy, &studio_, options.workflows, options.guard};
  running_.slots = options.slots > 0 ? options.slots : processors();
  running_.lease_s = options.lease_s;
  running_.folder = folder_.path();
  running_.name = process_name();
  running_.nice = options.nice;
  thread_ = std::thread([this] {
    name_this_thread("crew");
    keep();
  });
}

Result<std::unique_ptr<Crew>> Crew::start(const Options& options) {
  if (!options.workflows.empty()) {
    WAYBILL_TRY(steps::check_workflows(options.workflows));
  }
  WAYBILL_TRY_ASSIGN(auto folder, WorkFolder::open(options.folder_parent, *options.jobs.clock));
  WAYBILL_TRY_ASSIGN(auto client, client::JobsClient::open(options.jobs));
  return std::unique_ptr<Crew>(new Crew(options, std::move(folder), std::move(client)));
}

Crew::~Crew() {
  stop(0);
}

void Crew::look() {
  {
    const std::lock_guard lock(mutex_);
    is_to_look_ = true;
  }
  changed_.notify_all();
}

void Crew::stop(int64_t grace_ms) {
  {
    const std::lock_guard lock(mutex_);
    if (std::exchange(ending_, true)) {
      return;
    }
  }
  ends_.request_stop();
  changed_.notify_all();
  thread_.join();
  for (const auto& runner : runners_) {
    runner->stop();
  }
  const auto& clock = *options_.jobs.clock;
  const int64_t end_ms = clock.steady_ms() + grace_ms;
  while (!is_idle() && clock.steady_ms() < end_ms) {
    client::sleep_unless_stopped(idle_check_ms, {});
  }
  for (const auto& runner : runners_) {
    runner->end_jobs();
  }
  studio_.close();
  runners_.clear();
}

bool Crew::is_idle() {
  return std::ranges::all_of(runners_, [](const auto& runner) { return runner->is_idle(); });
}

void Crew::keep() {
  int failures = 0;
  std::unique_lock lock(mutex_);
  while (!ending_) {
    is_to_look_ = false;
    lock.unlock();
    const auto served = client_.list_served({.stop = ends_.get_token()});
    if (served) {
      failures = 0;
      bring_up_to_date(*served);
    } else if (++failures == 1 && !ends_.stop_requested()) {
      log_warning("built-in workers wait for " + options_.jobs.endpoint + ": " + served.error().message);
    }
    lock.lock();
    const auto pause = std::chrono::milliseconds(served ? look_every_ms : look_again_ms);
    changed_.wait_for(lock, pause, [this] { return ending_ || is_to_look_; });
  }
}

bool Crew::is_wanted(const client::Served& served) const {
  const auto known = worker_names();
  if (served.worker == "steps" && options_.workflows.empty()) {
    return false;  // their jobs are for workers that know the workflows
  }
  return std::ranges::find(known, served.worker) != known.end() &&
         (!options_.only || std::ranges::find(*options_.only, served.worker) != options_.only->end());
}

// Runners that go end what they have begun; this waits for them. Only the crew's thread changes the list.
// Called without the lock: stop() looks at the list when the thread has ended.
void Crew::bring_up_to_date(const std::vector<client::Served>& wanted) {
  const auto is_gone = [&](const auto& runner) {
    return std::ranges::find(wanted, runner->served()) == wanted.end();
  };
  for (const auto& runner : runners_) {
    if (is_gone(runner)) {
      runner->stop();
    }
  }
  for (auto at = runners_.begin(); at != runners_.end();) {
    if (is_gone(*at)) {
      while (!(*at)->is_idle() && client::sleep_unless_stopped(idle_check_ms, ends_.get_token())) {
      }
      at = runners_.erase(at);
    } else {
      ++at;
    }
  }
  for (const auto& served : wanted) {
    const bool is_there =
        std::ranges::any_of(runners_, [&](const auto& runner) { return runner->served() == served; });
    if (is_there || !is_wanted(served)) {
      continue;
    }
    auto runner = Runner::start(served, running_);
    if (!runner) {
      log_error("worker " + served.worker + " cannot be started: " + runner.error().message);
      continue;
    }
    log_info("worker " + served.worker + " works on " + served.contract + "/" + served.record);
    runners_.push_back(*std::move(runner));
  }
}

Result<std::vector<std::string>> read_worker_list(const std::string& what, const std::string& list) {
  std::vector<std::string> names;
  if (list == "none") {
    return names;
  }
  const auto known = worker_names();
  for (std::size_t begin = 0; begin <= list.size();) {
    const auto end = std::min(list.find(',', begin), list.size());
    const auto name = list.substr(begin, end - begin);
    if (std::ranges::find(known, name) == known.end()) {
      return no_such_worker(what, name);
    }
    names.push_back(name);
    begin = end + 1;
  }
  return names;
}

}  // namespace waybill::worker
