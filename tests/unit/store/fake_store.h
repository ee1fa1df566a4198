#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "store/store.h"

namespace waybill::store {

// Queues that know how many messages they have, and can move them. Answers come within the call.
class FakeQueues : public Queues {
 public:
  void set(QueueStats stats, queue::Settings settings = {}) {
    const std::lock_guard lock(mutex_);
    auto queue = std::make_shared<queue::Queue>();
    queue->name = stats.name;
    queue->settings = std::move(settings);
    queues_[stats.name] = queue;
    stats_[stats.name] = std::move(stats);
  }
  void set_visible(const std::string& name, int64_t visible) {
    QueueStats stats;
    stats.name = name;
    stats.visible = visible;
    set(std::move(stats));
  }
  void drop(const std::string& name) {
    const std::lock_guard lock(mutex_);
    queues_.erase(name);
    stats_.erase(name);
  }
  int64_t visible(const std::string& name) {
    const std::lock_guard lock(mutex_);
    return stats_.at(name).visible;
  }
  std::size_t moves() {
    const std::lock_guard lock(mutex_);
    return moves_;
  }
  // Called before each move, without the lock.
  std::function<void()> before_move;

  queue::QueuePtr find(std::string_view name) const override {
    const std::lock_guard lock(mutex_);
    const auto found = queues_.find(std::string(name));
    return found == queues_.end() ? nullptr : found->second;
  }
  std::vector<std::string> names(std::string_view /*prefix*/, std::string_view /*after*/,
                                 std::size_t /*limit*/) const override {
    return {};
  }
  std::vector<queue::QueuePtr> all() const override {
    const std::lock_guard lock(mutex_);
    std::vector<queue::QueuePtr> listed;
    for (const auto& [name, queue] : queues_) {
      listed.push_back(queue);
    }
    return listed;
  }
  void stats(std::string name, StatsDone done) override {
    std::vector<QueueStats> found;
    {
      const std::lock_guard lock(mutex_);
      for (const auto& [of, stats] : stats_) {
        if (name.empty() || of == name) {
          found.push_back(stats);
        }
      }
    }
    done(std::move(found));
  }
  void move(MoveRequest request, MoveDone done) override {
    if (before_move) {
      before_move();
    }
    done(moved(request));
  }

  void create(queue::Queue /*queue*/, QueueDone /*done*/) override {}
  void change(std::string /*name*/, QueueChange /*change*/, QueueDone /*done*/) override {}
  void remove(std::string /*name*/, QueueDone /*done*/) override {}
  void purge(std::string /*name*/, QueueDone /*done*/) override {}
  void send(std::string /*queue*/, std::vector<NewMessage> /*messages*/, SendDone /*done*/) override {}
  std::shared_ptr<Wait> receive(ReceiveRequest /*request*/, ReceiveDone /*done*/) override { return nullptr; }
  Result<std::optional<queue::Message>> read(const Delivery& /*delivery*/) const override {
    return std::optional<queue::Message>();
  }
  Result<std::optional<Peeked>> look(const queue::Receipt& /*receipt*/) const override {
    return std::optional<Peeked>();
  }
  void settle(std::string /*queue*/, std::vector<Settlement> /*settlements*/, SettleDone /*done*/) override {}
  Result<std::vector<Peeked>> peek(const PeekRequest& /*request*/) const override {
    return std::vector<Peeked>();
  }

 private:
  Result<Moved> moved(const MoveRequest& request) {
    const std::lock_guard lock(mutex_);
    ++moves_;
    if (!stats_.contains(request.from) || !stats_.contains(request.to)) {
      return Error{ErrorKind::queue_not_found, "The specified queue does not exist.", {}};
    }
    auto& from = stats_[request.from].visible;
    const int64_t count = std::min(from, static_cast<int64_t>(request.new_ids.size()));
    from -= count;
    stats_[request.to].visible += count;
    return Moved{static_cast<std::size_t>(count), from};
  }

  mutable std::mutex mutex_;  // guards what follows
  std::map<std::string, queue::QueuePtr> queues_;
  std::map<std::string, QueueStats> stats_;
  std::size_t moves_ = 0;
};

// Notes and queues; no tables.
class FakeStore final : public Store {
 public:
  FakeQueues& fake_queues() { return queues_; }
  Queues* queues() override { return &queues_; }

  void put_note(table::Note note, NoteDone done) override {
    {
      const std::lock_guard lock(mutex_);
      notes_.insert_or_assign(note.name, note);
    }
    done({});
  }
  void forget_note(std::string name, NoteDone done) override {
    {
      const std::lock_guard lock(mutex_);
      notes_.erase(name);
    }
    done({});
  }
  Result<std::vector<table::Note>> notes(std::string_view prefix) const override {
    const std::lock_guard lock(mutex_);
    std::vector<table::Note> found;
    for (const auto& [name, note] : notes_) {
      if (name.starts_with(prefix)) {
        found.push_back(note);
      }
    }
    return found;
  }

  void commit(Transaction /*transaction*/, Done /*done*/) override {}
  void commit_each(std::vector<Transaction> /*transactions*/, EachDone /*done*/) override {}
  Result<std::optional<Found>> get(const table::Table& /*table*/, std::string_view /*key*/) const override {
    return std::optional<Found>();
  }
  Result<std::vector<std::optional<Found>>> get_together(
      const std::vector<GetRequest>& /*requests*/) const override {
    return std::vector<std::optional<Found>>();
  }
  Status read(const Range& /*range*/, Visitor& /*visitor*/) const override { return {}; }
  Status read_changes(const ChangeRange& /*range*/, ChangeVisitor& /*visitor*/) const override { return {}; }
  Result<table::ChangePlace> end_of_log(table::SpaceId /*log*/) const override {
    return table::ChangePlace();
  }
  std::vector<table::StreamPtr> streams() const override { return {}; }
  table::StreamPtr find_stream(std::string_view /*table*/, std::string_view /*label*/) const override {
    return nullptr;
  }
  bool is_past(int64_t /*time_ms*/) const override { return true; }
  table::TablePtr find_table(std::string_view /*name*/) const override { return nullptr; }
  std::vector<std::string> list_tables(std::string_view /*after*/, std::size_t /*limit*/) const override {
    return {};
  }
  void create_table(table::Table /*table*/, TableDone /*done*/) override {}
  void change_table(std::string /*name*/, TableChange /*change*/, TableDone /*done*/) override {}
  void delete_table(std::string /*name*/, UniqueFunction<Status(const table::Table&)> /*check*/,
                    TableDone /*done*/) override {}
  void restore_table(RestoreSource /*source*/, TableChange /*make*/, TableDone /*done*/) override {}
  void create_backup(std::string /*table*/, std::string /*name*/, BackupDone /*done*/) override {}
  void delete_backup(std::string /*id*/, BackupDone /*done*/) override {}
  table::BackupPtr find_backup(std::string_view /*id*/) const override { return nullptr; }
  std::vector<table::BackupPtr> backups() const override { return {}; }
  void hold_table(WantedPast /*wanted*/, MakeNote /*make*/, NoteDone /*done*/) override {}
  Status read_held(const table::HeldTable& /*held*/, std::string_view /*after*/,
                   Visitor& /*visitor*/) override {
    return {};
  }
  void begin_import(table::Table /*table*/, table::Note /*note*/, TableDone /*done*/) override {}
  void end_import(std::string /*table*/, ImportEnd /*end*/, table::Note /*note*/,
                  NoteDone /*done*/) override {}
  Result<StoreBackup> back_up(const std::string& /*folder*/, uint32_t /*keep*/,
                              const Progress& /*progress*/) override {
    return StoreBackup();
  }
  Stats stats(table::SpaceId /*space*/) const override { return {}; }
  usage::Meter& meter() const override { return meter_; }
  Status read_usage(table::SpaceId /*space*/, MinuteRange /*range*/, UsageVisitor& /*visitor*/) override {
    return {};
  }
  uint64_t approximate_bytes(table::SpaceId /*space*/, std::string_view /*begin*/,
                             std::string_view /*end*/) const override {
    return 0;
  }

 private:
  static inline const SystemClock clock_;
  mutable usage::Meter meter_{clock_};
  FakeQueues queues_;

  mutable std::mutex mutex_;  // guards what follows
  std::map<std::string, table::Note> notes_;
};

}  // namespace waybill::store
