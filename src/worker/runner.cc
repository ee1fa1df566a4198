#include "worker/runner.h"

#include <exception>
#include <filesystem>
#include <utility>

#include "base/log.h"
#include "base/stand_back.h"
#include "base/thread_name.h"
#include "worker/trouble.h"
#include "worker/workers.h"

namespace waybill::worker {
namespace {

constexpr int64_t claim_wait_s = 20;
constexpr int64_t attempts_put_off_max = 3;  // then trouble is taken for final
constexpr int64_t put_off_s = 30;
constexpr int failures_told = 5;  // one line, then one for so many failures more

// Which of a call's failures goes into the log: the first, and now and then one more.
bool is_told(int failures) {
  return failures % failures_told == 1;
}

// A folder that is there as long as its owner.
class JobFolder {
 public:
  explicit JobFolder(std::string path) : path_(std::move(path)) {
    std::filesystem::create_directories(path_, failure_);
  }
  ~JobFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  JobFolder(const JobFolder&) = delete;
  JobFolder& operator=(const JobFolder&) = delete;

  const std::string& path() const { return path_; }
  const std::error_code& failure() const { return failure_; }

 private:
  const std::string path_;
  std::error_code failure_;
};

}  // namespace

Runner::Runner(client::Served served, const Running& running, std::unique_ptr<Worker> worker,
               std::unique_ptr<Heart> heart)
    : served_(std::move(served)), running_(running), worker_(std::move(worker)), heart_(std::move(heart)) {}

Result<std::unique_ptr<Runner>> Runner::start(const client::Served& served, const Running& running) {
  auto worker = make_worker(served.worker);
  if (worker == nullptr) {
    return Error{ErrorKind::unsupported, "there is no built-in worker \"" + served.worker + "\"", {}};
  }
  WAYBILL_TRY_ASSIGN(auto heart, Heart::start({running.jobs, running.lease_s}));
  std::unique_ptr<Runner> runner(new Runner(served, running, std::move(worker), std::move(heart)));
  for (std::size_t number = 0; number < running.slots; ++number) {
    WAYBILL_TRY_ASSIGN(auto slot, runner->make_slot(number));
    runner->threads_.emplace_back(
        [self = runner.get(), slot = std::move(slot)]() mutable { self->run(std::move(slot)); });
  }
  return runner;
}

Runner::~Runner() {
  stop();
  end_jobs();
  join();
}

void Runner::stop() {
  claims_.request_stop();
}

void Runner::end_jobs() {
  heart_->stop_all();
}

void Runner::join() {
  for (auto& thread : threads_) {
    if (thread.joinable()) {
      thread.join();
    }
  }
}

Result<Runner::Slot> Runner::make_slot(std::size_t number) const {
  const std::string name = served_.worker + "@" + running_.name + "-" + std::to_string(number);
  auto connection = running_.jobs;
  connection.actor = name;
  WAYBILL_TRY_ASSIGN(auto jobs, client::JobsClient::open(connection));
  WAYBILL_TRY_ASSIGN(auto objects, client::ObjectClient::open(running_.objects, running_.own_objects));
  return Slot{number, name, std::move(jobs), std::move(objects)};
}

void Runner::run(Slot slot) {
  name_this_thread((served_.worker + "-worker").substr(0, 15).c_str());
  stand_back(running_.nice);
  int failures = 0;
  while (!claims_.stop_requested()) {
    auto claimed =
        slot.jobs.claim(served_, {.worker = slot.name, .wait_s = claim_wait_s, .lease_s = running_.lease_s},
                        claims_.get_token());
    if (claimed) {
      failures = 0;
      if (*claimed) {
        const int64_t claimed_ms = running_.jobs.clock->steady_ms();
        work_on(slot, std::make_shared<const client::Job>(**std::move(claimed)), claimed_ms);
      }
      continue;
    }
    if (claims_.stop_requested()) {
      break;
    }
    if (is_told(++failures)) {
      log_warning("worker " + served_.worker + " cannot claim " + served_.contract + "/" + served_.record +
                  ": " + claimed.error().message);
    }
    client::sleep_unless_stopped(client::pause_ms_after(failures), claims_.get_token());
  }
}

void Runner::work_on(Slot& slot, const std::shared_ptr<const client::Job>& job, int64_t claimed_ms) {
  ++busy_;
  const auto hold = heart_->take(job, claimed_ms);
  const auto outcome = attempt(slot, *job, hold->stop());
  const auto released = heart_->release(hold);
  const auto words = words_for(served_, *job);
  const bool is_refused = !outcome && outcome.error().kind == ErrorKind::lease_lost;
  if (released.is_lost || is_refused) {
    log_warning("worker " + served_.worker + " has lost a job, and leaves it as it is: " + words);
  } else if (!outcome && hold->stop().stop_requested()) {
    // Nobody has to wait for the rest of the lease, and the job is none the worse for it.
    const auto given = slot.jobs.release(*job, 0, nullptr);
    log_info("worker " + served_.worker + " gives a job back" + (given ? "" : " when its lease is over") +
             ": " + words);
  } else {
    settle(slot, *job, outcome, released.left_ms);
  }
  --busy_;
}

Result<Outcome> Runner::attempt(Slot& slot, const client::Job& job, const std::stop_token& stop) {
  const JobFolder folder(running_.folder + "/" + served_.worker + "-" + std::to_string(slot.number) + "-" +
                         std::to_string(slot.jobs_done++));
  if (folder.failure()) {
    return passing_trouble("DISK_TROUBLE", "no folder for files can be made: " + folder.failure().message());
  }
  Task task({served_, job, slot.jobs, slot.objects, running_.tools, folder.path(), stop});
  try {
    return worker_->work(task);
  } catch (const std::exception& failure) {
    return final_trouble("INTERNAL", std::string("the worker broke: ") + failure.what());
  }
}

// What is refused here is refused for good: the server has said no, or the job is somebody else's now.
void Runner::settle(Slot& slot, const client::Job& job, const Result<Outcome>& outcome, int64_t left_ms) {
  const client::Calling calling{.stop = {}, .patience_ms = left_ms};
  const auto words = words_for(served_, job);
  if (!outcome) {
    const auto failure = failure_of(outcome.error());
    log_warning("worker " + served_.worker + " fails: " + failure.code + ": " + failure.message + ": " +
                words);
    if (const auto settled = put_off_or_fail(slot, job, failure, calling); !settled) {
      log_warning("a failure could not be told: " + settled.error().message + ": " + words);
    }
    return;
  }
  const auto* const paused = std::get_if<Paused>(&*outcome);
  const auto settled = paused != nullptr ? slot.jobs.pause(job, paused->step, paused->fields, calling)
                                         : slot.jobs.finish(job, std::get<Done>(*outcome).fields, calling);
  if (settled) {
    log_info("worker " + served_.worker + (paused != nullptr ? " pauses: " : " is done: ") + words);
    return;
  }
  const auto& error = settled.error();
  log_warning("the end of a job could not be told: " + error.message + ": " + words);
  // A result that breaks the contract would break it again.
  if (error.kind == ErrorKind::invalid || error.kind == ErrorKind::too_large) {
    const auto failed = slot.jobs.fail(job, {"RESULT_REFUSED", error.message, false}, calling);
    if (!failed) {
      log_warning("a failure could not be told: " + failed.error().message + ": " + words);
    }
  }
}

// Where the contract ends a record with its first failure, trouble that may pass is no failure yet: the job
// is given back, says what stood in the way, and somebody tries again.
Status Runner::put_off_or_fail(Slot& slot, const client::Job& job, const client::Failure& failure,
                               const client::Calling& calling) const {
  if (failure.retry && !served_.retries && job.attempt() < attempts_put_off_max) {
    return slot.jobs.release(job, put_off_s, &failure, calling);
  }
  WAYBILL_TRY(slot.jobs.fail(job, failure, calling));
  return {};
}

}  // namespace waybill::worker
