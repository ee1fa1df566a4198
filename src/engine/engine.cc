#include "engine/engine.h"

#include <atomic>
#include <filesystem>
#include <future>
#include <memory>
#include <mutex>
#include <system_error>

#include "base/log.h"
#include "engine/bulk/bulk_jobs.h"
#include "engine/bulk/bulk_worker.h"
#include "engine/bulk/past_rows.h"
#include "engine/database.h"
#include "engine/encryption/store_encryption.h"
#include "engine/housekeeper.h"
#include "engine/layout.h"
#include "engine/note_jobs.h"
#include "engine/queues/engine_queues.h"
#include "engine/reader.h"
#include "engine/rocks_options.h"
#include "engine/ruled.h"
#include "engine/store_backup.h"
#include "engine/table_jobs.h"
#include "engine/transaction.h"
#include "engine/usage_recorder.h"
#include "engine/watermark.h"
#include "engine/writer.h"
#include "engine/writer_state.h"

namespace waybill::engine {

namespace {

constexpr std::size_t waiting_jobs_max = 65'536;

class TransactionJob final : public Job {
 public:
  TransactionJob(store::Transaction transaction, store::Done done)
      : transaction_(std::move(transaction)), done_(std::move(done)) {}

  void decide(Batch& batch) override { outcome_ = engine::decide(transaction_, batch); }
  void finish() override { done_(std::move(outcome_)); }

 private:
  store::Transaction transaction_;
  store::Done done_;
  store::Outcome outcome_;
};

// Several transactions that come and go together.
class EachTransactionJob final : public Job {
 public:
  EachTransactionJob(std::vector<store::Transaction> transactions, store::EachDone done)
      : transactions_(std::move(transactions)), done_(std::move(done)) {}

  void decide(Batch& batch) override {
    outcomes_.reserve(transactions_.size());
    for (auto& transaction : transactions_) {
      outcomes_.push_back(engine::decide(transaction, batch));
    }
  }
  void finish() override { done_(std::move(outcomes_)); }

 private:
  std::vector<store::Transaction> transactions_;
  store::EachDone done_;
  std::vector<store::Outcome> outcomes_;
};

store::Outcome failed_outcome(const Error& error) {
  store::Outcome outcome;
  outcome.kind = store::OutcomeKind::failed;
  outcome.error = error;
  return outcome;
}

// The parts of the embedded store, in the order in which they are made; they end in the opposite one.
class Engine final : public store::Store {
 public:
  Engine(const Options& options, std::unique_ptr<encryption::StoreEncryption> encryption,
         std::unique_ptr<Database> database, Watermark watermark, WriterState state,
         std::unique_ptr<queues::Book> book)
      : encryption_(std::move(encryption)),
        database_(std::move(database)),
        watermark_(std::move(watermark)),
        meter_(*options.clock),
        writer_(*database_, watermark_, catalog_, std::move(state), std::move(book),
                {options.clock, &meter_, options.durability == Durability::sync}),
        reader_(*database_, *options.clock),
        usage_(*database_, catalog_, writer_, meter_, *options.clock),
        housekeeper_(
            *database_, watermark_, catalog_, writer_, usage_,
            {options.clock, options.data_dir, options.housekeeping_interval_ms, options.disk_reserve_bytes}),
        bulk_(*database_, catalog_, writer_, {options.data_dir + "/engine/bulk-", options.clock}),
        scratch_prefix_(options.data_dir + "/engine/bulk-reading-"),
        clock_(*options.clock),
        entropy_(*options.entropy),
        queues_(*database_, catalog_, writer_, clock_, [this] { return admit(); }) {}

  // Whoever opens the store next finds nobody at work on its files.
  ~Engine() override { encryption_->stop(); }

  void commit(store::Transaction transaction, store::Done done) override {
    if (const auto admitted = admit(); !admitted) {
      done(failed_outcome(admitted.error()));
      return;
    }
    writer_.submit(std::make_unique<TransactionJob>(std::move(transaction), std::move(done)));
  }

  void commit_each(std::vector<store::Transaction> transactions, store::EachDone done) override {
    if (const auto admitted = admit(); !admitted) {
      done(std::vector<store::Outcome>(transactions.size(), failed_outcome(admitted.error())));
      return;
    }
    writer_.submit(std::make_unique<EachTransactionJob>(std::move(transactions), std::move(done)));
  }

  Result<std::optional<store::Found>> get(const table::Table& table, std::string_view key) const override {
    return reader_.get(table, key);
  }

  Result<std::vector<std::optional<store::Found>>> get_together(
      const std::vector<store::GetRequest>& requests) const override {
    return reader_.get_together(requests);
  }

  Status read(const store::Range& range, store::Visitor& visitor) const override {
    return reader_.read(range, visitor);
  }

  Status read_changes(const store::ChangeRange& range, store::ChangeVisitor& visitor) const override {
    return reader_.read_changes(range, visitor);
  }

  Result<table::ChangePlace> end_of_log(table::SpaceId log) const override { return reader_.end_of_log(log); }

  std::vector<table::StreamPtr> streams() const override { return catalog_.streams(); }

  table::StreamPtr find_stream(std::string_view table_name, std::string_view label) const override {
    return catalog_.find_stream(layout::stream_id(table_name, label));
  }

  bool is_past(int64_t time_ms) const override { return writer_.is_past(time_ms); }

  table::TablePtr find_table(std::string_view name) const override { return catalog_.find(name); }

  std::vector<std::string> list_tables(std::string_view after, std::size_t limit) const override {
    return catalog_.names(after, limit);
  }

  void create_table(table::Table table, store::TableDone done) override {
    submit_table_job<CreateTableJob>(std::move(done), std::move(table));
  }

  void change_table(std::string name, store::TableChange change, store::TableDone done) override {
    submit_table_job<ChangeTableJob>(std::move(done), std::move(name), std::move(change));
  }

  void delete_table(std::string name, UniqueFunction<Status(const table::Table&)> check,
                    store::TableDone done) override {
    submit_table_job<DeleteTableJob>(std::move(done), std::move(name), std::move(check), new_backup_id());
  }

  void restore_table(store::RestoreSource source, store::TableChange make, store::TableDone done) override {
    submit_table_job<BeginRestoreJob>(std::move(done), std::move(source), std::move(make));
  }

  void create_backup(std::string table, std::string backup_name, store::BackupDone done) override {
    if (auto admitted = admit(); !admitted) {
      done(std::move(admitted).error());
      return;
    }
    auto begun = [this](const table::Backup& backup, MomentPtr moment) {
      bulk_.lend(backup.id, std::move(moment));
      bulk_.wake();
    };
    writer_.submit(std::make_unique<BeginBackupJob>(
        BeginBackupJob::Wanted{std::move(table), std::move(backup_name), new_backup_id()}, std::move(begun),
        std::move(done)));
  }

  void delete_backup(std::string id, store::BackupDone done) override {
    writer_.submit(std::make_unique<DeleteBackupJob>(std::move(id), std::move(done)));
  }

  table::BackupPtr find_backup(std::string_view id) const override { return catalog_.find_backup(id); }
  std::vector<table::BackupPtr> backups() const override { return catalog_.backups(); }

  void put_note(table::Note note, store::NoteDone done) override {
    submit_note_job<PutNoteJob>(std::move(done), std::move(note));
  }

  void forget_note(std::string name, store::NoteDone done) override {
    submit_note_job<ForgetNoteJob>(std::move(done), std::move(name));
  }

  Result<std::vector<table::Note>> notes(std::string_view prefix) const override {
    return read_notes(*database_, prefix);
  }

  void hold_table(store::WantedPast wanted, store::MakeNote make, store::NoteDone done) override {
    submit_note_job<HoldTableJob>(std::move(done), std::move(wanted), std::move(make));
  }

  Status read_held(const table::HeldTable& held, std::string_view after, store::Visitor& visitor) override {
    const auto table = catalog_.find(held.name);
    if (!table || table->space != held.space) {
      return Error{ErrorKind::table_not_found, "Table not found: " + held.name, {}};
    }
    const int64_t time_ms = held.is_past() ? held.moment_ms : clock_.wall_ms();
    WAYBILL_TRY_ASSIGN(const auto rows,
                       PastRows::open(*database_, scratch_prefix_ + std::to_string(++readings_) + "-", *table,
                                      {held.until, time_ms, std::string(after)},
                                      std::make_shared<const Moment>(database_->db())));
    return read_past(*rows, visitor);
  }

  void begin_import(table::Table table, table::Note note, store::TableDone done) override {
    submit_table_job<BeginImportJob>(std::move(done), std::move(table), std::move(note));
  }

  void end_import(std::string table, store::ImportEnd end, table::Note note, store::NoteDone done) override {
    submit_note_job<EndImportJob>(std::move(done), std::move(table), end, std::move(note));
  }

  Result<store::StoreBackup> back_up(const std::string& folder, uint32_t keep,
                                     const store::Progress& progress) override {
    const std::lock_guard lock(backing_up_);
    return engine::back_up(*database_, folder, keep, progress);
  }

  store::Stats stats(table::SpaceId space) const override { return writer_.stats(space); }

  usage::Meter& meter() const override { return meter_; }

  Status read_usage(table::SpaceId space, store::MinuteRange range, store::UsageVisitor& visitor) override {
    return usage_.read(space, range, visitor);
  }

  void set_rules(std::string table, store::RulesPtr rules, store::RulesAre are,
                 UniqueFunction<void(Status)> done) override {
    writer_.submit(std::make_unique<SetRulesJob>(std::move(table), std::move(rules), are, std::move(done)));
  }

  void follow(std::string table, Follower follower) override {
    auto promise = std::make_shared<std::promise<void>>();
    auto done = promise->get_future();
    writer_.submit(std::make_unique<FollowJob>(std::move(table), std::move(follower),
                                               [promise] { promise->set_value(); }));
    done.wait();
  }

  Result<int64_t> counter(std::string_view name) const override { return writer_.counter(name); }

  store::Queues* queues() override { return &queues_; }

  uint64_t approximate_bytes(table::SpaceId space, std::string_view begin,
                             std::string_view end) const override {
    return reader_.approximate_bytes(space, begin, end);
  }

 private:
  // Whether a change can be taken on now.
  Status admit() const {
    if (writer_.waiting() >= waiting_jobs_max) {
      return Error{
          ErrorKind::unavailable, "The server is busy: too many writes are waiting. Please try again.", {}};
    }
    if (housekeeper_.disk_is_full()) {
      return Error{
          ErrorKind::unavailable, "The server's disk is full: writes are refused. Free some space.", {}};
    }
    return {};
  }

  std::string new_backup_id() {
    constexpr std::size_t time_digits = 17;
    return make_dated_id(clock_.wall_ms(), time_digits, entropy_);
  }

  template <typename TheJob, typename... Arguments>
  void submit_table_job(store::TableDone done, Arguments... arguments) {
    if (auto admitted = admit(); !admitted) {
      done(std::move(admitted).error());
      return;
    }
    // A change may have made an index or a table that wants to be filled.
    store::TableDone then = [this, done = std::move(done)](Result<table::TablePtr> result) mutable {
      housekeeper_.wake();
      bulk_.wake();
      done(std::move(result));
    };
    writer_.submit(std::make_unique<TheJob>(std::move(arguments)..., std::move(then)));
  }

  template <typename TheJob, typename... Arguments>
  void submit_note_job(store::NoteDone done, Arguments... arguments) {
    if (auto admitted = admit(); !admitted) {
      done(std::move(admitted));
      return;
    }
    writer_.submit(std::make_unique<TheJob>(std::move(arguments)..., std::move(done)));
  }

  std::unique_ptr<encryption::StoreEncryption> encryption_;
  std::unique_ptr<Database> database_;
  Watermark watermark_;
  Catalog catalog_;
  mutable usage::Meter meter_;
  mutable Writer writer_;
  Reader reader_;
  UsageRecorder usage_;
  Housekeeper housekeeper_;
  BulkWorker bulk_;
  const std::string scratch_prefix_;
  std::atomic<uint64_t> readings_{0};
  const Clock& clock_;
  Entropy& entropy_;
  std::mutex backing_up_;  // one at a time
  queues::EngineQueues queues_;
};

Error lost_commits(const std::string& data_dir, uint64_t found, uint64_t acknowledged) {
  return Error{ErrorKind::corruption,
               "commits " + std::to_string(found + 1) + " to " + std::to_string(acknowledged) +
                   " were acknowledged, but the log in " + data_dir +
                   " ends before them: it is damaged. Nothing was changed. Restore the directory from a "
                   "copy, or start "
                   "once with --accept-loss to go on without these commits",
               {}};
}

}  // namespace

Result<std::unique_ptr<store::Store>> open(const Options& options) {
  std::error_code failure;
  std::filesystem::create_directories(options.data_dir, failure);
  if (failure) {
    return Error{ErrorKind::unavailable,
                 "cannot make the directory " + options.data_dir + ": " + failure.message(),
                 {}};
  }
  WAYBILL_TRY_ASSIGN(auto encryption, encryption::StoreEncryption::prepare(
                                          {options.data_dir, options.encryption_keys,
                                           options.encrypt_existing, options.entropy, options.env}));
  const bool syncs = options.durability == Durability::sync;
  const auto rocks = make_rocks_options(options.memory_bytes, encryption->env(),
                                        syncs ? LogWriting::over_prepared : LogWriting::at_end);
  WAYBILL_TRY_ASSIGN(auto database, Database::open(options.data_dir + "/engine", rocks));
  WAYBILL_TRY_ASSIGN(auto state, load_state(*database));
  WAYBILL_TRY_ASSIGN(auto watermark, Watermark::open(options.data_dir + "/acknowledged"));
  if (state.commit < watermark.commit()) {
    const Error lost = lost_commits(options.data_dir, state.commit, watermark.commit());
    if (!options.accept_loss) {
      return lost;
    }
    log_warning("--accept-loss: " + lost.message);
    // The numbers given out are not used again: a later check must not mistake new commits for the lost ones.
    state.commit = watermark.commit();
  }
  auto book = std::make_unique<queues::Book>(*database);
  WAYBILL_TRY(book->load(state.queues, options.clock->wall_ms()));
  WAYBILL_TRY(encryption->start());
  if (syncs && state.commit > 0) {
    WAYBILL_TRY(begin_on_disk(*database, options.data_dir + "/engine", state));
  }
  return std::unique_ptr<store::Store>(std::make_unique<Engine>(options, std::move(encryption),
                                                                std::move(database), std::move(watermark),
                                                                std::move(state), std::move(book)));
}

}  // namespace waybill::engine
