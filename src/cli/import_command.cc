#include "cli/import_command.h"

#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <utility>

#include "base/clock.h"
#include "cli/import_watcher.h"
#include "intake/check_run.h"
#include "intake/follow_run.h"
#include "intake/import_run.h"
#include "intake/page_reader.h"
#include "intake/progress.h"
#include "intake/session.h"
#include "item/json.h"

namespace waybill::cli {
namespace {

constexpr int failure = 1;

intake::StopFlag stop_requested = false;
static_assert(intake::StopFlag::is_always_lock_free, "a signal handler sets it");

// A second signal ends the process as it always does.
void request_stop(int number) {
  stop_requested.store(true);
  std::signal(number, SIG_DFL);
}

int fail(const Error& error) {
  std::cerr << "waybill: " << error.message << "\n";
  return failure;
}

int tell(const contract::Problems& problems, const std::string& file) {
  for (const auto& problem : problems) {
    std::cerr << contract::describe(problem, file) << "\n";
  }
  return failure;
}

std::string shown_seconds(int64_t ms) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.1f s", static_cast<double>(ms) / 1000);
  return text;
}

std::string_view words_for(intake::Difference::Kind kind) {
  switch (kind) {
    case intake::Difference::Kind::missing:
      return "missing in the target";
    case intake::Difference::Kind::different:
      return "different";
    case intake::Difference::Kind::extra:
      return "in the target alone";
    case intake::Difference::Kind::doubled:
      return "one item of several rows";
    case intake::Difference::Kind::rejected:
      break;
  }
  return "cannot be an item";
}

// One run of the command.
class Command {
 public:
  Command(const PostgresImportOptions& options, intake::Session& session, const Clock& clock)
      : options_(options), session_(session), clock_(clock), watcher_(clock) {
    progress_file_ = options.progress_file.empty()
                         ? std::filesystem::path(options.mapping_file).stem().string() + ".progress"
                         : options.progress_file;
  }

  Result<int> run() {
    if (options_.dry_run) {
      return dry_run();
    }
    if (options_.prepare) {
      return prepare();
    }
    if (options_.finish) {
      return finish();
    }
    if (options_.check && !options_.follow) {
      return check();
    }
    WAYBILL_TRY(session_.lock());
    return options_.follow ? follow() : import_and_check();
  }

 private:
  const std::string& source() const {
    const auto& from = session_.mapping().source;
    return from.table.empty() ? from.query : from.table;
  }

  Result<int> dry_run() {
    intake::PageReader reader(session_, {});
    uint64_t shown = 0;
    int code = 0;
    while (shown < options_.dry_rows) {
      WAYBILL_TRY_ASSIGN(const auto page, reader.next());
      for (std::size_t row = 0; page && row < page->count() && shown < options_.dry_rows; ++row, ++shown) {
        const auto item = session_.mapper().item_of(session_.values(*page, row));
        const std::string name = session_.row_name(session_.key_values(*page, row));
        std::string text;
        if (item) {
          item::append_json(text, item->view());
        } else {
          code = failure;
        }
        std::cout << name << (item ? " " + text : " cannot be an item: " + item.error().message) << "\n";
      }
      if (!page) {
        break;
      }
    }
    return code;
  }

  Result<int> prepare() {
    WAYBILL_TRY(intake::prepare(session_));
    std::cout << "changes of " << source() << " are noted in " << session_.changes()->name()
              << " from now on\n";
    if (std::filesystem::exists(progress_file_)) {
      std::cout << "an import that was begun before has missed some: import again, with --restart\n";
    }
    return 0;
  }

  Result<int> finish() {
    WAYBILL_TRY_ASSIGN(const bool is_prepared, session_.is_prepared());
    if (is_prepared) {
      WAYBILL_TRY_ASSIGN(const uint64_t left, intake::count_changes(session_));
      if (left > 0 && !options_.force) {
        return invalid(
            grouped(left) +
            " changes were noted and not brought along: run --follow --drain first, or --finish --force");
      }
      WAYBILL_TRY(intake::remove_changes(session_));
    }
    WAYBILL_TRY_ASSIGN(auto progress, intake::load_progress(progress_file_));
    if (progress) {
      progress->is_finished = true;
      WAYBILL_TRY(intake::save_progress(progress_file_, *progress));
    }
    std::cout << "the move of " << source() << " is over: nothing is left of it in the database\n";
    return 0;
  }

  // Where an import goes on, or a new one.
  Result<intake::Progress> begin() {
    std::optional<intake::Progress> found;
    if (!options_.restart) {
      WAYBILL_TRY_ASSIGN(found, intake::load_progress(progress_file_));
    }
    if (!found) {
      intake::Progress progress;
      progress.fingerprint = session_.fingerprint();
      WAYBILL_TRY_ASSIGN(progress.was_prepared, session_.is_prepared());
      return progress;
    }
    if (found->is_finished) {
      return invalid(
          "this move was finished: importing again would write the old rows over what was written since; "
          "--restart does it all the same");
    }
    if (found->fingerprint != session_.fingerprint()) {
      return invalid(
          progress_file_ +
          " is of another mapping, or this one was changed since: --restart imports from the beginning");
    }
    return *std::move(found);
  }

  // Complete, unless somebody has stopped it.
  Result<intake::Progress> import_rows() {
    WAYBILL_TRY_ASSIGN(auto progress, begin());
    if (progress.is_complete) {
      watcher_.says("all rows were imported before; --restart imports them again");
      return progress;
    }
    if (!progress.was_prepared) {
      watcher_.says(
          "rows that are changed during the import may be missed: nothing notes them (see --prepare)");
    }
    if (progress.rows > 0) {
      watcher_.says("going on behind row " + grouped(progress.rows));
    }
    const int64_t begun_ms = clock_.steady_ms();
    const uint64_t before = progress.rows;
    WAYBILL_TRY_ASSIGN(progress, intake::run_import(session_, std::move(progress), progress_file_, watcher_));
    const int64_t took_ms = std::max<int64_t>(clock_.steady_ms() - begun_ms, 1);
    watcher_.end_line();
    std::cout << source() << " to " << session_.shape().table << ": " << grouped(progress.rows) << " rows, "
              << grouped(progress.written) << " written, " << grouped(progress.rejected) << " rejected"
              << (progress.expired > 0 ? ", " + grouped(progress.expired) + " expired" : "") << "; this run "
              << shown_seconds(took_ms) << ", "
              << grouped((progress.rows - before) * 1000 / static_cast<uint64_t>(took_ms))
              << " rows/s; checksum " << progress.checksum.hex() << "\n"
              << std::flush;
    if (!progress.is_complete) {
      std::cout << "stopped before its end: the same command goes on from there\n";
    }
    return progress;
  }

  Result<int> import_and_check() {
    WAYBILL_TRY_ASSIGN(const auto progress, import_rows());
    if (!progress.is_complete || stop_requested.load()) {
      return failure;
    }
    if (progress.was_prepared) {
      WAYBILL_TRY(bring_changes(true));
    }
    if (options_.skip_check) {
      return progress.rejected > 0 ? failure : 0;
    }
    return check();
  }

  Result<intake::FollowReport> bring_changes(bool until_none) {
    WAYBILL_TRY_ASSIGN(const bool is_prepared, session_.is_prepared());
    if (!is_prepared) {
      return invalid("nothing notes changes of " + source() +
                     ": run --prepare, and then import again with --restart, so that none is missed");
    }
    WAYBILL_TRY_ASSIGN(const auto report, intake::run_follow(session_, until_none, watcher_));
    watcher_.end_line();
    std::cout << grouped(report.changes) << " changes brought along: " << grouped(report.written)
              << " items written, " << grouped(report.removed) << " removed, " << grouped(report.rejected)
              << " rejected\n"
              << std::flush;
    return report;
  }

  Result<int> follow() {
    WAYBILL_TRY_ASSIGN(const auto progress, import_rows());
    if (!progress.is_complete || (stop_requested.load() && !options_.drain)) {
      return failure;
    }
    if (!progress.was_prepared) {
      return invalid(
          "the import was begun before --prepare, so that changes may have been missed: import again, with "
          "--restart");
    }
    WAYBILL_TRY_ASSIGN(const auto report, bring_changes(options_.drain));
    stop_requested.store(false);  // it was the following that was to end
    return options_.check ? check() : Result<int>(report.rejected > 0 ? failure : 0);
  }

  Result<int> check() {
    WAYBILL_TRY_ASSIGN(const auto report, intake::run_check(session_, watcher_));
    watcher_.end_line();
    std::cout << "source: " << grouped(report.rows) << " rows, checksum " << report.source.hex() << "\n"
              << "target: " << grouped(report.items) << " items, checksum " << report.target.hex() << "\n";
    for (const auto& difference : report.listed) {
      std::cout << words_for(difference.kind) << ": " << difference.name
                << (difference.detail.empty() ? "" : " (" + difference.detail + ")") << "\n";
    }
    if (report.differences > report.listed.size()) {
      std::cout << "… and " << grouped(report.differences - report.listed.size()) << " more\n";
    }
    if (report.expired > 0) {
      std::cout << grouped(report.expired) << " rows have expired, and are in no table\n";
    }
    if (report.settled > 0) {
      std::cout << grouped(report.settled) << " were being changed while they were compared, and agree now\n";
    }
    std::cout << (report.is_equal() ? "both sides are equal" : grouped(report.differences) + " differences")
              << "\n"
              << std::flush;
    return report.is_equal() ? 0 : failure;
  }

  const PostgresImportOptions& options_;
  intake::Session& session_;
  const Clock& clock_;
  ImportWatcher watcher_;
  std::string progress_file_;
};

}  // namespace

int run_postgres_import(const PostgresImportOptions& options) {
  std::ifstream file(options.mapping_file, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!file) {
    return fail(invalid("cannot read " + options.mapping_file));
  }
  contract::Problems problems;
  auto mapping = intake::read_mapping(text, problems);
  if (!problems.empty()) {
    contract::sort_by_place(problems);
    return tell(problems, options.mapping_file);
  }
  intake::Settings settings;
  settings.connection = options.connection;
  settings.in_flight = options.in_flight;
  settings.rows_per_second = options.rate;
  settings.patience_ms = options.patience_s * 1000;
  auto endpoint = intake::find_endpoint(options.server);
  if (!endpoint) {
    return fail(endpoint.error());
  }
  settings.endpoint = *std::move(endpoint);
  std::signal(SIGINT, request_stop);
  std::signal(SIGTERM, request_stop);
  const SystemClock clock;
  auto session = intake::Session::open(std::move(mapping), settings, clock, stop_requested, problems);
  if (!session) {
    return fail(session.error());
  }
  if (!problems.empty()) {
    contract::sort_by_place(problems);
    return tell(problems, options.mapping_file);
  }
  const auto code = Command(options, **session, clock).run();
  return code ? *code : fail(code.error());
}

}  // namespace waybill::cli
