#include "bucket/collector.h"

#include <chrono>
#include <utility>
#include <vector>

#include "base/log.h"
#include "base/thread_name.h"
#include "bucket/errors.h"
#include "bucket/row.h"
#include "bucket/upload_row.h"
#include "rules/system_tables.h"

namespace waybill::bucket {
namespace {

constexpr std::size_t rows_at_once = 500;
constexpr int64_t retry_ms = 10'000;  // after something could not be taken away
constexpr int64_t look_ms = 10'000;   // whether it is time to sweep

// Any rows of a table, in no order.
Result<std::vector<std::string>> some_freed(const Rows& rows) {
  struct Gather final : store::Visitor {
    bool visit(std::string_view /*key*/, item::ItemView row, uint32_t /*size_bytes*/) override {
      found.push_back(text_in(row, "what"));
      return found.size() < rows_at_once;
    }
    std::vector<std::string> found;
  };
  Gather gather;
  store::Range range;
  range.table = rows.table(rules::freed_table);
  WAYBILL_TRY(rows.store().read(range, gather));
  return std::move(gather.found);
}

}  // namespace

Collector::Collector(const Rows& rows, object::ContentStore& contents, const Options& options)
    : rows_(rows), contents_(contents), options_(options), started_ms_(options.clock->wall_ms()) {
  rows_.store().follow(std::string(rules::freed_table), [this](const std::vector<item::Item>& /*items*/) {
    {
      const std::lock_guard lock(mutex_);
      told_ = true;
    }
    changed_.notify_one();
  });
  thread_ = std::thread([this] {
    name_this_thread("collector");
    run();
  });
}

Collector::~Collector() {
  rows_.store().follow(std::string(rules::freed_table), nullptr);
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

void Collector::run() {
  sweep_and_log(started_ms_);
  int64_t swept_ms = options_.clock->steady_ms();
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    if (std::exchange(told_, false)) {
      lock.unlock();
      const bool done = collect_and_log();
      lock.lock();
      if (!done) {
        changed_.wait_for(lock, std::chrono::milliseconds(retry_ms), [this] { return stopping_; });
        told_ = true;
      }
      continue;
    }
    changed_.wait_for(lock, std::chrono::milliseconds(look_ms), [this] { return stopping_ || told_; });
    if (!stopping_ && options_.clock->steady_ms() - swept_ms >= options_.sweep_interval_ms) {
      lock.unlock();
      sweep_and_log(options_.clock->wall_ms() - options_.sweep_age_ms);
      swept_ms = options_.clock->steady_ms();
      lock.lock();
    }
  }
}

bool Collector::collect_and_log() {
  const auto done = collect();
  if (!done) {
    log_error("contents of objects that are gone could not be taken away, and will be later: " +
              for_log(done.error()));
  }
  return done.has_value();
}

void Collector::sweep_and_log(int64_t older_than_ms) {
  const auto report = sweep(older_than_ms);
  if (!report) {
    log_error("contents that no object has could not be looked for: " + for_log(report.error()));
  } else if (report->removed != 0) {
    log_info(std::to_string(report->removed) + " contents that no object has were taken away");
  }
}

Status Collector::collect() {
  const std::lock_guard one_at_a_time(collecting_);
  for (;;) {
    WAYBILL_TRY_ASSIGN(const std::size_t count, collect_some());
    if (count == 0) {
      return {};
    }
  }
}

// How many were taken away: those that could not be stay, and are tried again later.
Result<std::size_t> Collector::collect_some() {
  WAYBILL_TRY_ASSIGN(const auto freed, some_freed(rows_));
  const auto table = rows_.table(rules::freed_table);
  store::Transaction transaction;
  for (const auto& what : freed) {
    WAYBILL_TRY_ASSIGN(const bool gone, take_away(what));
    if (gone) {
      item::Item key;
      add_text(key, "what", what);
      transaction.actions.push_back(remove_row(table, std::move(key)));
    }
  }
  const std::size_t count = transaction.actions.size();
  if (count != 0) {
    WAYBILL_TRY(rows_.commit(std::move(transaction)));
  }
  return count;
}

// Whether nothing is left of it.
Result<bool> Collector::take_away(const std::string& what) {
  const auto slash = what.find('/');
  const std::string id = what.substr(slash + 1);
  if (what.starts_with("upload/")) {
    return take_parts_away(id);
  }
  if (const auto content = object::ContentId::parse(id)) {
    WAYBILL_TRY(contents_.remove(*content));
  }
  return true;
}

// Their contents are freed with them.
Result<bool> Collector::take_parts_away(const std::string& upload) {
  for (;;) {
    const auto table = rows_.table(rules::parts_table);
    store::Transaction transaction;
    WAYBILL_TRY(rows_.read(rules::parts_table, upload, {}, [&](item::ItemView row) {
      transaction.actions.push_back(remove_row(table, key_of_part(upload, read_part_row(row).number)));
      return transaction.actions.size() < rows_at_once;
    }));
    if (transaction.actions.empty()) {
      return true;
    }
    WAYBILL_TRY(rows_.commit(std::move(transaction)));
  }
}

Result<object::SweepReport> Collector::sweep(int64_t older_than_ms) {
  const auto is_known = [this](const object::ContentId& id) -> Result<bool> {
    WAYBILL_TRY_ASSIGN(const bool is_object, rows_.has_content(rules::objects_table, id.text()));
    if (is_object) {
      return true;
    }
    return rows_.has_content(rules::parts_table, id.text());
  };
  return contents_.sweep(is_known, older_than_ms);
}

}  // namespace waybill::bucket
