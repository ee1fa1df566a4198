#pragma once

#include <string>
#include <utility>

#include "engine/batch.h"
#include "engine/job_queue.h"
#include "engine/table_jobs.h"
#include "store/store.h"

// Notes, and what begins and ends with one: holding a table, bringing in a table's items from above. See
// store.h for the rules of each.
namespace waybill::engine {

class NoteJob : public Job {
 public:
  explicit NoteJob(store::NoteDone done) : done_(std::move(done)) {}
  void decide(Batch& batch) final { status_ = change(batch); }
  void finish() final { done_(std::move(status_)); }

 protected:
  virtual Status change(Batch& batch) = 0;

 private:
  store::NoteDone done_;
  Status status_;
};

class PutNoteJob final : public NoteJob {
 public:
  PutNoteJob(table::Note note, store::NoteDone done) : NoteJob(std::move(done)), note_(std::move(note)) {}

 private:
  Status change(Batch& batch) override;
  const table::Note note_;
};

class ForgetNoteJob final : public NoteJob {
 public:
  ForgetNoteJob(std::string name, store::NoteDone done) : NoteJob(std::move(done)), name_(std::move(name)) {}

 private:
  Status change(Batch& batch) override;
  const std::string name_;
};

class HoldTableJob final : public NoteJob {
 public:
  HoldTableJob(store::WantedPast wanted, store::MakeNote make, store::NoteDone done)
      : NoteJob(std::move(done)), wanted_(std::move(wanted)), make_(std::move(make)) {}

 private:
  Status change(Batch& batch) override;
  Result<table::HeldTable> hold(const table::Table& table, Batch& batch) const;

  const store::WantedPast wanted_;
  store::MakeNote make_;
};

class BeginImportJob final : public TableJob {
 public:
  BeginImportJob(table::Table table, table::Note note, store::TableDone done)
      : TableJob(std::move(done)), table_(std::move(table)), note_(std::move(note)) {}

 private:
  Result<table::TablePtr> change(Batch& batch) override;

  table::Table table_;
  const table::Note note_;
};

class EndImportJob final : public NoteJob {
 public:
  EndImportJob(std::string table, store::ImportEnd end, table::Note note, store::NoteDone done)
      : NoteJob(std::move(done)), table_(std::move(table)), end_(end), note_(std::move(note)) {}

 private:
  Status change(Batch& batch) override;

  const std::string table_;
  const store::ImportEnd end_;
  const table::Note note_;
};

}  // namespace waybill::engine
