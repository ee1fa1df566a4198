#pragma once

#include <functional>
#include <future>
#include <string>
#include <utility>

#include "engine/batch.h"
#include "engine/bulk/row_source.h"
#include "engine/bulk/table_builder.h"
#include "engine/job_queue.h"
#include "engine/table_jobs.h"
#include "store/store.h"
#include "table/backup.h"

// Where work on whole tables begins and ends: both are commits of their own; what lies between is done beside
// the writer (bulk_worker.h).
namespace waybill::engine {

// Makes the description of a table whose items will come from elsewhere. See Store::restore_table.
class BeginRestoreJob final : public TableJob {
 public:
  BeginRestoreJob(store::RestoreSource source, store::TableChange make, store::TableDone done)
      : TableJob(std::move(done)), source_(std::move(source)), make_(std::move(make)) {}

 private:
  Result<table::TablePtr> change(Batch& batch) override;
  Result<table::Table> from_past(Batch& batch);
  Result<table::Table> from_backup(Batch& batch);

  store::RestoreSource source_;
  store::TableChange make_;
};

// The items of a table are in the store: from here on everybody sees it.
class FinishTableJob final : public Job {
 public:
  FinishTableJob(table::TablePtr table, TableBuilder::Counts counts, std::promise<void> done)
      : table_(std::move(table)), counts_(std::move(counts)), done_(std::move(done)) {}
  void decide(Batch& batch) override;
  void finish() override { done_.set_value(); }

 private:
  const table::TablePtr table_;
  const TableBuilder::Counts counts_;
  std::promise<void> done_;
};

// Gives a table that is being made new spaces: an attempt that was cut off has left something in the old
// ones.
class RenewTableJob final : public Job {
 public:
  RenewTableJob(std::string name, std::promise<void> done) : name_(std::move(name)), done_(std::move(done)) {}
  void decide(Batch& batch) override;
  void finish() override { done_.set_value(); }

 private:
  const std::string name_;
  std::promise<void> done_;
};

// Begins a backup. `begun` gets the moment that it is to be made of.
class BeginBackupJob final : public Job {
 public:
  struct Wanted {
    std::string table;
    std::string name;
    std::string id;
  };
  using Begun = UniqueFunction<void(const table::Backup&, MomentPtr)>;

  BeginBackupJob(Wanted wanted, Begun begun, store::BackupDone done)
      : wanted_(std::move(wanted)), begun_(std::move(begun)), done_(std::move(done)) {}
  void decide(Batch& batch) override;
  void finish() override;

 private:
  Result<table::BackupPtr> begin(Batch& batch) const;

  const Wanted wanted_;
  Begun begun_;
  store::BackupDone done_;
  const Database* database_ = nullptr;
  Result<table::BackupPtr> result_ = table::BackupPtr();
};

// The items of a backup are in the store. A table that was only waiting for it goes.
class FinishBackupJob final : public Job {
 public:
  FinishBackupJob(table::BackupPtr backup, store::Stats counts, std::promise<void> done)
      : backup_(std::move(backup)), counts_(counts), done_(std::move(done)) {}
  void decide(Batch& batch) override;
  void finish() override { done_.set_value(); }

 private:
  const table::BackupPtr backup_;
  const store::Stats counts_;
  std::promise<void> done_;
};

// As RenewTableJob.
class RenewBackupJob final : public Job {
 public:
  RenewBackupJob(std::string id, std::promise<void> done) : id_(std::move(id)), done_(std::move(done)) {}
  void decide(Batch& batch) override;
  void finish() override { done_.set_value(); }

 private:
  const std::string id_;
  std::promise<void> done_;
};

class DeleteBackupJob final : public Job {
 public:
  DeleteBackupJob(std::string id, store::BackupDone done) : id_(std::move(id)), done_(std::move(done)) {}
  void decide(Batch& batch) override { result_ = remove(batch); }
  void finish() override { done_(std::move(result_)); }

 private:
  Result<table::BackupPtr> remove(Batch& batch) const;

  const std::string id_;
  store::BackupDone done_;
  Result<table::BackupPtr> result_ = table::BackupPtr();
};

}  // namespace waybill::engine
