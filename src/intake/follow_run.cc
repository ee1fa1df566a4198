#include "intake/follow_run.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <set>
#include <utility>

#include "intake/array_text.h"
#include "intake/item_requests.h"
#include "intake/sql.h"

namespace waybill::intake {
namespace {

constexpr std::size_t lines_max = 1'000;  // that are applied together
constexpr int wait_ms = 1'000;            // for a notice; nothing depends on one
constexpr int64_t tell_every_ms = 1'000;

using Values = std::vector<std::optional<std::string>>;

// Lines of the change table.
struct Lines {
  std::vector<std::string> numbers;
  std::vector<Values> was;                  // identities of rows before a change
  std::set<std::vector<std::string>> keys;  // of all rows that changed
};

Result<Values> values_of(std::string_view array) {
  WAYBILL_TRY_ASSIGN(const auto parsed, parse_array(array));
  Values values;
  for (const auto& node : parsed.nodes) {
    values.push_back(node.is_null ? std::nullopt : std::optional(node.text));
  }
  return values;
}

class FollowRun {
 public:
  FollowRun(Session& session, bool until_none, Watcher& watcher)
      : session_(session),
        changes_(*session.changes()),
        identity_(identity_columns(session.mapping(), session.shape())),
        until_none_(until_none),
        watcher_(watcher) {}

  Result<FollowReport> run() {
    const Writers::Options options{session_.settings().endpoint, session_.shape().table,
                                   session_.settings().in_flight};
    WAYBILL_TRY_ASSIGN(writers_, Writers::start(options, session_.clock(), session_.patience(),
                                                [this](uint64_t, const std::vector<Rejection>& rejected) {
                                                  tell_rejected(rejected);
                                                }));
    WAYBILL_TRY(session_.run_always("LISTEN " + identifier(changes_.channel())));
    while (!session_.stop().load()) {
      WAYBILL_TRY_ASSIGN(const auto lines, read_lines());
      if (!lines.numbers.empty()) {
        WAYBILL_TRY(apply(lines));
      } else if (until_none_) {
        break;
      } else {
        WAYBILL_TRY(wait());
      }
      WAYBILL_TRY(tell_lag());
    }
    const std::lock_guard lock(mutex_);
    return report_;
  }

 private:
  Result<Lines> read_lines() {
    WAYBILL_TRY_ASSIGN(const auto rows, session_.run(changes_.lines_statement(lines_max)));
    Lines lines;
    for (std::size_t row = 0; row < rows.count(); ++row) {
      lines.numbers.push_back(rows.text(row, 0));
      for (const std::size_t column : {1U, 2U}) {
        if (const auto array = rows.at(row, column)) {
          WAYBILL_TRY_ASSIGN(auto values, values_of(*array));
          WAYBILL_TRY(add_key(lines, values));
          if (column == 1) {
            lines.was.push_back(std::move(values));
          }
        }
      }
    }
    return lines;
  }

  // The identity begins with the source's key.
  Status add_key(Lines& lines, const Values& identity) const {
    if (identity.size() != identity_.size()) {
      return invalid(
          "changes were noted for another mapping than this one: run --finish, then --prepare, and "
          "import again with --restart");
    }
    std::vector<std::string> key;
    key.reserve(session_.mapping().source.key.size());
    for (std::size_t at = 0; at < session_.mapping().source.key.size(); ++at) {
      key.push_back(identity[at].value_or(""));
    }
    lines.keys.insert(std::move(key));
    return {};
  }

  // Rows as they are now: what is read here was committed after the lines were, or with them.
  Result<Rows> read_rows(const Lines& lines) {
    std::vector<std::string> arrays;
    for (std::size_t at = 0; at < session_.mapping().source.key.size(); ++at) {
      std::vector<std::string> column;
      column.reserve(lines.keys.size());
      for (const auto& key : lines.keys) {
        column.push_back(key[at]);
      }
      arrays.push_back(array_text(column));
    }
    return session_.run(rows_statement(session_.mapping().source, session_.columns(), session_.key_types()),
                        arrays);
  }

  Status apply(const Lines& lines) {
    WAYBILL_TRY_ASSIGN(const auto rows, read_rows(lines));
    std::map<Digest, Write> writes;
    std::set<Digest> there;  // keys of rows that are there
    uint64_t put = 0;
    for (std::size_t row = 0; row < rows.count(); ++row) {
      put += add_row(rows, row, writes, there) ? 1 : 0;
    }
    for (const auto& identity : lines.was) {
      add_removal(identity, writes, there);
    }
    const uint64_t removed = writes.size() - put;
    WAYBILL_TRY(write(std::move(writes)));
    WAYBILL_TRY(session_.run(changes_.forget_statement(), {array_text(lines.numbers)}));
    const std::lock_guard lock(mutex_);
    report_.changes += lines.numbers.size();
    report_.written += put;
    report_.removed += removed;
    return {};
  }

  bool add_row(const Rows& rows, std::size_t row, std::map<Digest, Write>& writes, std::set<Digest>& there) {
    const auto values = session_.values(rows, row);
    const std::string name = session_.row_name(session_.key_values(rows, row));
    if (const auto key = session_.mapper().key_of(values)) {
      there.insert(digest_of(key->encoded));
    }
    const auto item = session_.mapper().item_of(values);
    if (!item) {
      tell_rejected({{name, item.error().message, {}}});
      return false;
    }
    const Digest key = digest_of(key_in(session_.shape(), item->view()).encoded);
    if (is_expired(session_.shape(), item->view(), session_.clock().wall_seconds())) {
      there.erase(key);
      return false;
    }
    return writes.insert_or_assign(key, Write{put_request(item->view()), name, {}}).second;
  }

  // Where no row has the item of this identity any more.
  void add_removal(const Values& identity, std::map<Digest, Write>& writes, const std::set<Digest>& there) {
    std::vector<std::optional<std::string_view>> row(session_.columns().size());
    std::string name;
    for (std::size_t at = 0; at < identity.size(); ++at) {
      const auto column = std::ranges::find(session_.columns(), identity_[at]);
      row[static_cast<std::size_t>(column - session_.columns().begin())] = identity[at];
      name += (at == 0 ? "" : ",") + identity_[at] + "=" + identity[at].value_or("NULL");
    }
    const auto key = session_.mapper().key_of(row);
    if (!key) {
      return;  // such a row never had an item
    }
    const Digest digest = digest_of(key->encoded);
    if (!there.contains(digest)) {
      writes.emplace(digest, Write{delete_request(key->view()), name, {}});
    }
  }

  Status write(std::map<Digest, Write> writes) {
    std::vector<Write> batch;
    std::size_t bytes = 0;
    for (auto& [key, write] : writes) {
      if (batch.size() == writes_per_batch_max || bytes + write.request.size() > batch_bytes_max) {
        WAYBILL_TRY(writers_->submit(std::exchange(batch, {})));
        bytes = 0;
      }
      bytes += write.request.size();
      batch.push_back(std::move(write));
    }
    if (!batch.empty()) {
      WAYBILL_TRY(writers_->submit(std::move(batch)));
    }
    return writers_->drain();
  }

  Status wait() {
    const auto noticed = session_.database().wait_for_notice(wait_ms);
    if (!noticed && noticed.error().kind == ErrorKind::unavailable) {
      return session_.reconnect();
    }
    return noticed ? Status() : noticed.error();
  }

  Status tell_lag() {
    const int64_t now_ms = session_.clock().steady_ms();
    if (now_ms - told_ms_ < tell_every_ms) {
      return {};
    }
    told_ms_ = now_ms;
    WAYBILL_TRY_ASSIGN(const auto lag, session_.run(changes_.lag_statement()));
    const std::lock_guard lock(mutex_);
    watcher_.lags(static_cast<uint64_t>(lag.integer(0, 0)), lag.integer(0, 1), report_.changes);
    return {};
  }

  void tell_rejected(const std::vector<Rejection>& rejected) {
    const std::lock_guard lock(mutex_);
    report_.rejected += rejected.size();
    for (const auto& one : rejected) {
      watcher_.rejected(one);
    }
  }

  Session& session_;
  const ChangeTable& changes_;
  const std::vector<std::string> identity_;
  const bool until_none_;
  Watcher& watcher_;
  int64_t told_ms_ = 0;

  std::mutex mutex_;  // guards what follows, and calls of the watcher
  FollowReport report_;

  std::unique_ptr<Writers> writers_;  // its threads end before all else
};

Status check_followable(const Session& session) {
  if (!session.changes()) {
    return invalid(
        "changes of a query cannot be noted: name the table whose rows change with table: beside query:");
  }
  return {};
}

}  // namespace

Status prepare(Session& session) {
  WAYBILL_TRY(check_followable(session));
  WAYBILL_TRY_ASSIGN(const bool is_prepared, session.is_prepared());
  if (is_prepared) {
    return Error{ErrorKind::in_use, "changes are being noted already", {}};
  }
  auto statements = session.changes()->install(identity_columns(session.mapping(), session.shape()));
  statements.insert(statements.begin(), "SET LOCAL lock_timeout = '5s'");
  auto done = session.database().run_together(statements);
  constexpr std::string_view lock_not_available = "55P03";
  if (!done && done.error().detail == lock_not_available) {
    return Error{ErrorKind::unavailable,
                 "a transaction holds the table for longer than five seconds: end it, and try again",
                 {}};
  }
  return done;
}

Result<uint64_t> count_changes(Session& session) {
  WAYBILL_TRY(check_followable(session));
  WAYBILL_TRY_ASSIGN(const auto lag, session.run(session.changes()->lag_statement()));
  return static_cast<uint64_t>(lag.integer(0, 0));
}

Status remove_changes(Session& session) {
  WAYBILL_TRY(check_followable(session));
  auto statements = session.changes()->remove();
  statements.insert(statements.begin(), "SET LOCAL lock_timeout = '5s'");
  return session.database().run_together(statements);
}

Result<FollowReport> run_follow(Session& session, bool until_none, Watcher& watcher) {
  WAYBILL_TRY(check_followable(session));
  return FollowRun(session, until_none, watcher).run();
}

}  // namespace waybill::intake
