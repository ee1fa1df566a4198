#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "samples.h"
#include "store/store.h"
#include "table/key.h"

namespace waybill::micro {

// A store that costs next to nothing, so that what is counted is what stands above the seam: it knows one
// table, finds the same item under every key and the same entries in every range, and commits at once.
class SampleStore final : public store::Store {
 public:
  explicit SampleStore(int entries) : table_(jobs_table()) {
    for (int i = 0; i < entries; ++i) {
      const item::Item item = job(i);
      entries_.push_back({table::primary_key(table_->key, item.view()), found(item)});
    }
  }

  const table::TablePtr& table() const { return table_; }

  void commit(store::Transaction /*transaction*/, store::Done done) override {
    store::Outcome outcome;
    outcome.results.resize(1);
    outcome.results.front().after_bytes = entries_.front().item.size_bytes;
    done(std::move(outcome));
  }
  void commit_each(std::vector<store::Transaction> /*transactions*/, store::EachDone /*done*/) override {}

  Result<std::optional<store::Found>> get(const table::Table& /*table*/,
                                          std::string_view /*key*/) const override {
    return std::optional(entries_.front().item);
  }
  Result<std::vector<std::optional<store::Found>>> get_together(
      const std::vector<store::GetRequest>& requests) const override {
    return std::vector<std::optional<store::Found>>(requests.size(), entries_.front().item);
  }
  Status read(const store::Range& /*range*/, store::Visitor& visitor) const override {
    for (const auto& [key, item] : entries_) {
      if (!visitor.visit(key, item.item.view(), item.size_bytes)) {
        break;
      }
    }
    return {};
  }

  table::TablePtr find_table(std::string_view /*name*/) const override { return table_; }
  std::vector<std::string> list_tables(std::string_view /*after*/, std::size_t /*limit*/) const override {
    return {table_->name};
  }
  void create_table(table::Table /*table*/, store::TableDone /*done*/) override {}
  void change_table(std::string /*name*/, store::TableChange /*change*/, store::TableDone /*done*/) override {
  }
  void delete_table(std::string /*name*/, UniqueFunction<Status(const table::Table&)> /*check*/,
                    store::TableDone /*done*/) override {}
  Status read_changes(const store::ChangeRange&, store::ChangeVisitor&) const override { return {}; }
  Result<table::ChangePlace> end_of_log(table::SpaceId) const override { return table::ChangePlace(); }
  std::vector<table::StreamPtr> streams() const override { return {}; }
  table::StreamPtr find_stream(std::string_view, std::string_view) const override { return nullptr; }
  bool is_past(int64_t) const override { return true; }
  void restore_table(store::RestoreSource /*source*/, store::TableChange /*make*/,
                     store::TableDone /*done*/) override {}
  void create_backup(std::string /*table*/, std::string /*name*/, store::BackupDone /*done*/) override {}
  void delete_backup(std::string /*id*/, store::BackupDone /*done*/) override {}
  table::BackupPtr find_backup(std::string_view /*id*/) const override { return nullptr; }
  std::vector<table::BackupPtr> backups() const override { return {}; }
  void put_note(table::Note /*note*/, store::NoteDone /*done*/) override {}
  void forget_note(std::string /*name*/, store::NoteDone /*done*/) override {}
  Result<std::vector<table::Note>> notes(std::string_view /*prefix*/) const override {
    return std::vector<table::Note>();
  }
  void hold_table(store::WantedPast /*wanted*/, store::MakeNote /*make*/, store::NoteDone /*done*/) override {
  }
  Status read_held(const table::HeldTable& /*held*/, std::string_view /*after*/,
                   store::Visitor& /*visitor*/) override {
    return {};
  }
  void begin_import(table::Table /*table*/, table::Note /*note*/, store::TableDone /*done*/) override {}
  void end_import(std::string /*table*/, store::ImportEnd /*end*/, table::Note /*note*/,
                  store::NoteDone /*done*/) override {}
  Result<store::StoreBackup> back_up(const std::string& /*folder*/, uint32_t /*keep*/,
                                     const store::Progress& /*progress*/) override {
    return store::StoreBackup();
  }
  store::Stats stats(table::SpaceId /*space*/) const override { return {}; }
  usage::Meter& meter() const override { return meter_; }
  Status read_usage(table::SpaceId, store::MinuteRange, store::UsageVisitor&) override { return {}; }
  uint64_t approximate_bytes(table::SpaceId /*space*/, std::string_view /*begin*/,
                             std::string_view /*end*/) const override {
    return 0;
  }

 private:
  struct Entry {
    std::string key;
    store::Found item;
  };

  static store::Found found(const item::Item& item) { return {item, item::size_bytes(item.view())}; }

  static inline const SystemClock clock_;
  mutable usage::Meter meter_{clock_};
  table::TablePtr table_;
  std::vector<Entry> entries_;
};

}  // namespace waybill::micro
