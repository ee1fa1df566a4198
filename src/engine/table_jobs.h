#pragma once

#include <string>
#include <utility>

#include "engine/batch.h"
#include "engine/job_queue.h"
#include "store/store.h"

// What changes tables rather than items. See store.h for the rules of each.
namespace waybill::engine {

// Gives a table that is new its spaces.
void give_spaces(table::Table& table, Batch& batch);
Status check_table_count(const Batch& batch);
// Makes a table that is new. Errors: in_use, limit_exceeded.
Result<table::TablePtr> add_table(table::Table table, Batch& batch);
// A table that is there for everybody. Errors: table_not_found, table_in_use.
Result<table::TablePtr> find_ready_table(const WriterState& state, const std::string& name);

class TableJob : public Job {
 public:
  explicit TableJob(store::TableDone done) : done_(std::move(done)) {}
  void decide(Batch& batch) final { result_ = change(batch); }
  void finish() final { done_(std::move(result_)); }

 protected:
  virtual Result<table::TablePtr> change(Batch& batch) = 0;

 private:
  store::TableDone done_;
  Result<table::TablePtr> result_ = table::TablePtr();
};

class CreateTableJob final : public TableJob {
 public:
  CreateTableJob(table::Table table, store::TableDone done)
      : TableJob(std::move(done)), table_(std::move(table)) {}

 private:
  Result<table::TablePtr> change(Batch& batch) override;
  table::Table table_;
};

class ChangeTableJob final : public TableJob {
 public:
  ChangeTableJob(std::string name, store::TableChange change, store::TableDone done)
      : TableJob(std::move(done)), name_(std::move(name)), change_(std::move(change)) {}

 private:
  Result<table::TablePtr> change(Batch& batch) override;
  std::string name_;
  store::TableChange change_;
};

class DeleteTableJob final : public TableJob {
 public:
  using Check = UniqueFunction<Status(const table::Table&)>;
  // `backup_id`: for the last backup, where one is made.
  DeleteTableJob(std::string name, Check check, std::string backup_id, store::TableDone done)
      : TableJob(std::move(done)),
        name_(std::move(name)),
        check_(std::move(check)),
        backup_id_(std::move(backup_id)) {}

 private:
  Result<table::TablePtr> change(Batch& batch) override;
  void begin_last_backup(const table::Table& table, Batch& batch) const;
  std::string name_;
  Check check_;
  const std::string backup_id_;
};

}  // namespace waybill::engine
