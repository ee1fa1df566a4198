#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "item/json.h"
#include "store/store.h"
#include "table/key.h"

namespace waybill::api::dynamodb {

inline item::Item item_of(std::string_view json_text) {
  json::Parser parser;
  return *item::parse_item(*parser.parse_copy(json_text));
}

// Items and their index entries in maps: what a reading operation needs of a store.
class MemoryStore final : public store::Store {
 public:
  explicit MemoryStore(table::Table table) : table_(std::make_shared<const table::Table>(std::move(table))) {}

  const table::TablePtr& table() const { return table_; }

  void put(std::string_view json_text) {
    const item::Item item = item_of(json_text);
    const std::string primary = table::primary_key(table_->key, item.view());
    spaces_[table_->space][primary] = item;
    for (const auto& index : table_->indexes) {
      if (const auto entry = table::entry_key(index, item.view(), primary)) {
        item::Item projected;
        table::append_projected(projected.encoded, *table_, index, item.view());
        spaces_[index.space][*entry] = std::move(projected);
      }
    }
  }

  void commit(store::Transaction, store::Done) override {}
  void commit_each(std::vector<store::Transaction>, store::EachDone) override {}

  Result<std::optional<store::Found>> get(const table::Table& table, std::string_view key) const override {
    const auto& items = space(table.space);
    const auto found = items.find(std::string(key));
    if (found == items.end()) {
      return std::optional<store::Found>();
    }
    return std::optional(store::Found{found->second, item::size_bytes(found->second.view())});
  }

  Result<std::vector<std::optional<store::Found>>> get_together(
      const std::vector<store::GetRequest>& requests) const override {
    std::vector<std::optional<store::Found>> found;
    for (const auto& request : requests) {
      found.push_back(*get(*request.table, request.key));
    }
    return found;
  }

  Status read(const store::Range& range, store::Visitor& visitor) const override {
    std::vector<std::pair<std::string, item::Item>> entries;
    for (const auto& [key, item] : space(range.index != nullptr ? range.index->space : range.table->space)) {
      if (key >= range.begin && (range.end.empty() || key < range.end)) {
        entries.emplace(range.forward ? entries.end() : entries.begin(), key, item);
      }
    }
    for (const auto& [key, item] : entries) {
      if (!visitor.visit(key, item.view(), item::size_bytes(item.view()))) {
        break;
      }
    }
    return {};
  }

  table::TablePtr find_table(std::string_view name) const override {
    return name == table_->name ? table_ : nullptr;
  }
  std::vector<std::string> list_tables(std::string_view, std::size_t) const override {
    return {table_->name};
  }
  void create_table(table::Table, store::TableDone) override {}
  void change_table(std::string, store::TableChange, store::TableDone) override {}
  void delete_table(std::string, UniqueFunction<Status(const table::Table&)>, store::TableDone) override {}
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
  store::Stats stats(table::SpaceId) const override { return {}; }
  usage::Meter& meter() const override { return meter_; }
  Status read_usage(table::SpaceId, store::MinuteRange, store::UsageVisitor&) override { return {}; }
  uint64_t approximate_bytes(table::SpaceId, std::string_view, std::string_view) const override {
    return collection_bytes;
  }

  uint64_t collection_bytes = 0;  // what approximate_bytes says

 private:
  static inline const SystemClock clock_;
  mutable usage::Meter meter_{clock_};

  const std::map<std::string, item::Item>& space(table::SpaceId id) const {
    static const std::map<std::string, item::Item> none;
    const auto found = spaces_.find(id);
    return found == spaces_.end() ? none : found->second;
  }

  table::TablePtr table_;
  std::map<table::SpaceId, std::map<std::string, item::Item>> spaces_;
};

// A table "songs" with keys pk (S) and sk (N), a local index "by_title" (KEYS_ONLY) on title, and a global
// one "by_year" that includes the title.
inline table::Table songs() {
  using item::Type;
  table::Table table;
  table.space = 1;
  table.name = "songs";
  table.key = {{"pk", Type::string}, table::KeyAttribute{"sk", Type::number}};
  table::Index local;
  local.space = 2;
  local.name = "by_title";
  local.kind = table::IndexKind::local;
  local.key = {{"pk", Type::string}, table::KeyAttribute{"title", Type::string}};
  local.projection.kind = table::ProjectionKind::keys_only;
  table::Index global;
  global.space = 3;
  global.name = "by_year";
  global.key = {{"year", Type::number}, std::nullopt};
  global.projection = {table::ProjectionKind::include, {"title"}};
  table.indexes = {local, global};
  return table;
}

}  // namespace waybill::api::dynamodb
