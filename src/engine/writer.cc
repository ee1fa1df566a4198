#include "engine/writer.h"

#include <unistd.h>

#include <algorithm>
#include <span>
#include <string>

#include "base/burst.h"
#include "base/log.h"
#include "base/thread_name.h"
#include "engine/fill_together.h"
#include "engine/queues/queue_jobs.h"
#include "engine/ruled.h"
#include "engine/sync_behind.h"

namespace waybill::engine {

namespace {

constexpr std::size_t batch_jobs_max = 1024;
constexpr std::size_t batch_bytes_max = 16ULL << 20;
constexpr std::size_t kept_bytes_max = 1ULL << 20;  // of memory, from one batch to the next
constexpr int looks_after_one_job = 200;            // about 100 us
constexpr int alone_min = 8;
constexpr int exit_io_error = 74;

}  // namespace

// The jobs of one batch.
struct Writer::Jobs {
  std::span<std::unique_ptr<Job>> all;

  bool are_about_queues() const {
    return std::ranges::all_of(all, [](const auto& job) { return !job || job->is_about_queues(); });
  }
  void finish_without_write() {
    for (auto& job : all) {
      if (!job->needs_write()) {
        finish(job);
      }
    }
  }
  void finish_without_sync() {
    for (auto& job : all) {
      if (job && !job->needs_sync()) {
        finish(job);
      }
    }
  }
  void finish_all() {
    for (auto& job : all) {
      if (job) {
        finish(job);
      }
    }
  }

 private:
  static void finish(std::unique_ptr<Job>& job) {
    job->finish();
    job.reset();
  }
};

void end_process(std::string_view why) {
  log_error(std::string(why) +
            "; stopping at once, so that nothing is acknowledged that is not on disk. Check the disk, then "
            "start again");
  ::_exit(exit_io_error);
}

// The last job: the writer ends behind the batch it is in.
class Writer::StopJob final : public Job {
 public:
  explicit StopJob(bool& stopping) : stopping_(stopping) {}
  void decide(Batch& /*batch*/) override {}
  void finish() override { stopping_ = true; }

 private:
  bool& stopping_;
};

Writer::Writer(const Database& database, Watermark& watermark, Catalog& catalog, WriterState state,
               std::unique_ptr<queues::Book> book, Options options)
    : database_(database),
      watermark_(watermark),
      catalog_(catalog),
      book_(std::move(book)),
      state_(std::move(state)),
      options_(options),
      stats_(state_.stats) {
  state_.book = book_.get();
  catalog_.publish({state_.tables, state_.streams, state_.backups, state_.held, state_.queues});
  alarm_ = std::make_unique<queues::AlarmClock>(*options_.clock,
                                                [this] { submit(std::make_unique<queues::LookJob>()); });
  thread_ = std::thread([this] { run(); });
}

Writer::~Writer() {
  submit(std::make_unique<StopJob>(stopping_));
  thread_.join();
}

void Writer::submit(std::unique_ptr<Job> job) {
  waiting_.fetch_add(1, std::memory_order_relaxed);
  queue_.push(std::move(job));
}

store::Stats Writer::stats(table::SpaceId space) const {
  const std::lock_guard lock(stats_mutex_);
  const auto found = stats_.find(space);
  return found == stats_.end() ? store::Stats{} : found->second;
}

bool Writer::is_past(int64_t time_ms) {
  int64_t floor = floor_ms_.load();
  while (floor < time_ms && !floor_ms_.compare_exchange_weak(floor, time_ms)) {
  }
  return under_way_ms_.load() >= time_ms;
}

void Writer::run() {
  name_this_thread("writer");
  std::vector<std::unique_ptr<Job>> jobs;
  int alone = 0;  // batches of one job in a row
  while (!stopping_) {
    // Somebody who waits for one write after the other will come back soon.
    alone = jobs.size() == 1 ? alone + 1 : 0;
    const int looks = alone >= alone_min ? looks_after_one_job : 0;
    jobs.clear();
    queue_.take_all(looks, [&](std::unique_ptr<Job> job) { jobs.push_back(std::move(job)); });
    for (std::size_t next = 0; next < jobs.size();) {
      run_batch(jobs, next);
    }
  }
}

void Writer::run_batch(std::vector<std::unique_ptr<Job>>& jobs, std::size_t& next) {
  const std::size_t first = next;
  under_way_ms_.store(state_.last_change.time_ms);
  const int64_t now_ms = options_.clock->wall_ms();
  const int64_t log_ms = std::max({now_ms, state_.last_change.time_ms, floor_ms_.load()});
  under_way_ms_.store(log_ms);
  Batch batch(database_, state_, now_ms, log_ms, writes_);
  while (next < jobs.size() && next - first < batch_jobs_max && batch.size_bytes() < batch_bytes_max) {
    const bool alone = jobs[next]->alone();
    if (alone && next > first) {
      break;
    }
    jobs[next++]->decide(batch);
    if (alone) {
      break;
    }
  }
  book_->serve(batch);
  Jobs decided{std::span(jobs).subspan(first, next - first)};
  {
    const Burst burst;
    decided.finish_without_write();
    book_->finish_tentative();
  }
  if (!batch.empty() || batch.lacks_numbers()) {
    commit(batch, decided);
  }
  under_way_ms_.store(nothing_under_way);
  if (!state_.used.empty()) {
    options_.meter->add(state_.used);
  }
  if (batch.size_bytes() > kept_bytes_max) {
    writes_ = rocksdb::WriteBatch();
  }
  waiting_.fetch_sub(next - first, std::memory_order_relaxed);
  {
    const Burst burst;
    tell_followers(state_);
    decided.finish_all();
    book_->finish();
  }
  set_alarm();
}

// A receive is told before the sync: what a power cut could take back is that the message was given out, and
// then it is given out again. Readers of tables see nothing that is not synced, so this is for batches that
// have nothing to do with tables. Never is more than one batch written that is not synced: a log that is
// written over (prepared_log.h) could lose the first of two and keep the second.
void Writer::commit(Batch& batch, Jobs& jobs) {
  book_->seal(batch);
  const bool told_early = options_.sync && jobs.are_about_queues();
  write(batch, options_.sync && !told_early);
  publish(batch);
  if (told_early) {
    {
      const Burst burst;
      jobs.finish_without_sync();
      book_->finish_without_sync();
    }
    sync();
  }
}

void Writer::set_alarm() {
  const int64_t next_ms = book_->next_event_ms();
  const bool has_rung = alarm_ms_ <= options_.clock->wall_ms();
  if (next_ms != alarm_ms_ || has_rung) {
    alarm_ms_ = next_ms;
    alarm_->set(next_ms);
  }
}

// After a failed write or sync nobody knows what the disk has: trying again could lie.
void Writer::write(Batch& batch, bool sync) {
  rocksdb::WriteOptions write_options;
  write_options.sync = sync;
  batch.begin_change();
  auto& writes = batch.seal();
  {
    // Ranges that are deleted go into a memtable of RocksDB's own, which waits for nothing.
    const uint32_t entries = writes.HasDeleteRange() ? 0 : writes.Count();
    const SyncBehind behind(sync ? entries : 0);
    const FillTogether together(entries);
    if (const auto status = database_.db().Write(write_options, &writes); !status.ok()) {
      end_process("a write to disk failed: " + status.ToString());
    }
  }
  batch.end_change(database_.db().GetLatestSequenceNumber());
  if (sync) {
    note_synced();
  }
}

void Writer::sync() {
  if (const auto status = database_.db().SyncWAL(); !status.ok()) {
    end_process("a write to disk failed: " + status.ToString());
  }
  note_synced();
}

// What was not synced may be gone after a power cut: it must not be missed then.
void Writer::note_synced() {
  if (auto noted = watermark_.note(state_.commit); !noted) {
    end_process(noted.error().message);
  }
}

void Writer::publish(const Batch& batch) {
  state_.counters->publish();
  if (batch.tables_changed()) {
    catalog_.publish({state_.tables, state_.streams, state_.backups, state_.held, state_.queues});
  }
  const std::lock_guard lock(stats_mutex_);
  for (const auto space : batch.counted_spaces()) {
    if (const auto found = state_.stats.find(space); found != state_.stats.end()) {
      stats_[space] = found->second;
    } else {
      stats_.erase(space);
    }
  }
}

}  // namespace waybill::engine
