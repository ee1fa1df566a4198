#include "transfer/transfers.h"

#include <utility>

#include "base/log.h"
#include "transfer/export_run.h"
#include "transfer/import_run.h"
#include "transfer/store_calls.h"
#include "transfer/table_parameters.h"

namespace waybill::transfer {

namespace {

constexpr int64_t token_life_ms = int64_t{8} * 60 * 60 * 1000;
constexpr int64_t kept_ms = int64_t{90} * 24 * 60 * 60 * 1000;

// What a client token has begun already, or null. Error `mismatch` where that was something else.
template <typename TheJob>
Result<std::shared_ptr<const TheJob>> begun_before(const JobBook<TheJob>& book, const TheJob& wanted,
                                                   int64_t now_ms, ErrorKind mismatch) {
  for (const auto& job : book.all()) {
    const bool is_fresh = job->state == JobState::in_progress || now_ms - job->end_ms < token_life_ms;
    if (wanted.client_token.empty() || job->client_token != wanted.client_token || !is_fresh) {
      continue;
    }
    if (job->fingerprint != wanted.fingerprint) {
      return Error{mismatch, "The client token was used before with other parameters", {}};
    }
    return job;
  }
  return std::shared_ptr<const TheJob>();
}

// What a job that can't succeed tells of it.
template <typename TheJob>
void set_failed(TheJob& job, const Error& error, int64_t now_ms, std::string_view code) {
  job.state = JobState::failed;
  job.end_ms = now_ms;
  job.failure_code = error.detail.empty() || error.kind != ErrorKind::invalid ? code : error.detail;
  job.failure_message = error.message;
}

}  // namespace

Transfers::Transfers(store::Store& store, const Options& options)
    : store_(store), options_(options), buckets_(options.buckets_dir) {}

Transfers::~Transfers() {
  stopping_ = true;
  exporter_.reset();
  importer_.reset();
}

Result<std::unique_ptr<Transfers>> Transfers::open(store::Store& store, const Options& options) {
  std::unique_ptr<Transfers> transfers(new Transfers(store, options));
  auto& self = *transfers;
  WAYBILL_TRY(self.load());
  self.forget_old();
  self.exporter_ = std::make_unique<Worker>("export", [&self] { return self.do_exports(); });
  self.importer_ = std::make_unique<Worker>("import", [&self] { return self.do_imports(); });
  return transfers;
}

Status Transfers::load() {
  WAYBILL_TRY_ASSIGN(const auto exports, store_.notes(export_notes));
  for (const auto& note : exports) {
    WAYBILL_TRY_ASSIGN(auto job, read_export(note));
    exports_.put(std::move(job));
  }
  WAYBILL_TRY_ASSIGN(const auto imports, store_.notes(import_notes));
  for (const auto& note : imports) {
    WAYBILL_TRY_ASSIGN(auto job, read_import(note));
    imports_.put(std::move(job));
  }
  return {};
}

std::string Transfers::new_id() const {
  constexpr std::size_t time_digits = 14;
  return make_dated_id(options_.clock->wall_ms(), time_digits, *options_.entropy);
}

void Transfers::forget_old() {
  const int64_t before_ms = options_.clock->wall_ms() - kept_ms;
  const auto forget_in = [&](auto& book, std::string_view notes) {
    for (const auto& job : book.all()) {
      if (job->state != JobState::in_progress && job->end_ms < before_ms) {
        book.forget(job->id);
        store_.forget_note(std::string(notes) + job->id, [](const Status& /*status*/) {});
      }
    }
  };
  forget_in(exports_, export_notes);
  forget_in(imports_, import_notes);
}

// Nullopt where a job may begin, whose token is taken then; else what is to be answered.
template <typename TheJob>
std::optional<Result<std::shared_ptr<const TheJob>>> Transfers::claim(const JobBook<TheJob>& book,
                                                                      const TheJob& wanted,
                                                                      ErrorKind mismatch) {
  const std::lock_guard lock(mutex_);
  auto before = begun_before(book, wanted, options_.clock->wall_ms(), mismatch);
  if (!before || *before) {
    return before;
  }
  if (!wanted.client_token.empty() && !starting_tokens_.insert(wanted.client_token).second) {
    return Error{ErrorKind::unavailable, "This is just being started. Please try again.", {}};
  }
  return std::nullopt;
}

void Transfers::release(const std::string& token) {
  const std::lock_guard lock(mutex_);
  starting_tokens_.erase(token);
}

void Transfers::begin_export(store::WantedPast past, Export wanted, ExportDone done) {
  forget_old();
  if (auto answer = claim(exports_, wanted, ErrorKind::export_conflict)) {
    done(*std::move(answer));
    return;
  }
  wanted.id = new_id();
  wanted.start_ms = options_.clock->wall_ms();
  auto begun = std::make_shared<Export>(std::move(wanted));
  auto make = [this, begun](const table::Table& table, const table::HeldTable& held) -> Result<table::Note> {
    begun->held = held;
    begun->table_name = table.name;
    begun->table_id = table.uuid;
    begun->parameters = table_parameters(table);
    begun->total_bytes = store_.stats(table.space).bytes;
    return note_of(*begun);
  };
  store_.hold_table(std::move(past), std::move(make),
                    [this, begun, done = std::move(done)](Status status) mutable {
                      if (status) {
                        exports_.put(*begun);
                        exporter_->wake();
                      }
                      release(begun->client_token);
                      done(status ? Result<ExportPtr>(exports_.find(begun->id)) : std::move(status).error());
                    });
}

void Transfers::begin_import(table::Table table, Import wanted, ImportDone done) {
  forget_old();
  if (auto answer = claim(imports_, wanted, ErrorKind::import_conflict)) {
    done(*std::move(answer));
    return;
  }
  wanted.id = new_id();
  wanted.start_ms = options_.clock->wall_ms();
  wanted.table_name = table.name;
  wanted.table_id = table.uuid;
  auto note = note_of(wanted);
  store_.begin_import(
      std::move(table), std::move(note),
      [this, wanted = std::move(wanted), done = std::move(done)](Result<table::TablePtr> made) mutable {
        if (made) {
          imports_.put(wanted);
          importer_->wake();
        }
        release(wanted.client_token);
        done(made ? Result<ImportPtr>(imports_.find(wanted.id)) : std::move(made).error());
      });
}

// False where something should be tried again.
bool Transfers::do_exports() {
  bool done = true;
  for (const auto& job : exports_.in_progress()) {
    auto status = stopping() ? Status() : do_export(job->id);
    if (!status && status.error().kind != ErrorKind::unavailable) {
      log_error("export " + job->id + " of table " + job->table_name + " failed: " + status.error().message);
      status = fail_export(*exports_.find(job->id), status.error());
    }
    done = done && status.has_value();
  }
  return done;
}

bool Transfers::do_imports() {
  bool done = true;
  for (const auto& job : imports_.in_progress()) {
    auto status = stopping() ? Status() : do_import(job->id);
    if (!status && status.error().kind != ErrorKind::unavailable) {
      log_error("import " + job->id + " into table " + job->table_name +
                " failed: " + status.error().message);
      status = fail_import(*imports_.find(job->id), status.error());
    }
    done = done && status.has_value();
  }
  return done;
}

Status Transfers::do_export(const std::string& id) {
  // What others were shown may be more than what is on disk.
  WAYBILL_TRY_ASSIGN(const auto notes, store_.notes(std::string(export_notes) + id));
  if (notes.empty()) {
    return {};
  }
  WAYBILL_TRY_ASSIGN(auto job, read_export(notes.front()));
  ExportRun run(store_, *options_.clock, std::move(job), [this](const Export& now) {
    exports_.put(now);
    return !stopping();
  });
  WAYBILL_TRY_ASSIGN(auto ended, run.run());
  if (!ended) {
    return {};
  }
  WAYBILL_TRY(put_note(store_, note_of(*ended)));
  log_info("table " + ended->table_name + " is exported: " + std::to_string(ended->items) + " items in " +
           std::to_string(ended->files) + " files in " + ended->folder + "/AWSDynamoDB/" + ended->id);
  exports_.put(*std::move(ended));
  return {};
}

Status Transfers::do_import(const std::string& id) {
  WAYBILL_TRY_ASSIGN(const auto notes, store_.notes(std::string(import_notes) + id));
  if (notes.empty()) {
    return {};
  }
  WAYBILL_TRY_ASSIGN(auto job, read_import(notes.front()));
  ImportRun run(store_, std::move(job), [this](const Import& now) {
    imports_.put(now);
    return !stopping();
  });
  WAYBILL_TRY_ASSIGN(auto ended, run.run());
  if (!ended) {
    return {};
  }
  ended->end_ms = options_.clock->wall_ms();
  WAYBILL_TRY(end_import(store_, ended->table_name, store::ImportEnd::keep, note_of(*ended)));
  log_info("table " + ended->table_name + " is imported: " + std::to_string(ended->items) + " items, " +
           std::to_string(ended->error_count) + " records that are none");
  imports_.put(*std::move(ended));
  return {};
}

Status Transfers::fail_export(Export job, const Error& error) {
  set_failed(job, error, options_.clock->wall_ms(), "ExportFailed");
  WAYBILL_TRY(put_note(store_, note_of(job)));
  exports_.put(std::move(job));
  return {};
}

// A table with some of its items would pass for the whole.
Status Transfers::fail_import(Import job, const Error& error) {
  set_failed(job, error, options_.clock->wall_ms(), "ImportFailed");
  WAYBILL_TRY(end_import(store_, job.table_name, store::ImportEnd::discard, note_of(job)));
  imports_.put(std::move(job));
  return {};
}

}  // namespace waybill::transfer
