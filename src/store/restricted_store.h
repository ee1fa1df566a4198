#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "access/policy.h"
#include "store/restricted_queues.h"
#include "store/store.h"

namespace waybill::store {

// A store as the holder of a key with a policy sees it: what the policy does not give is not there, and
// cannot be changed. Whoever works through this object need not know of policies.
//
//   tables    those that no grant names are in no list, and are not found
//   items     out of reach, they are in no answer, and count for no page: neither as items nor as bytes
//   streams   changes are left out where one of the images that are kept is out of reach
//   stats     nothing is told of tables of which only some items may be read
//   changes   an Outcome that has failed, or an Error, of kind access_denied. Its detail is what it is about,
//             "table/NAME" or "queue/NAME"; its message is empty, for those who know the request to fill
//
// Where a partition key alone puts an item out of reach, asking for the item is denied, whether it is there
// or not; in ranges it is left out.
//
// Thread safety: see Store. The object may go as soon as a method that takes a callback has called it.
class RestrictedStore final : public Store {
 public:
  // `owner` is who asks, by a name that nobody else has. `store` outlives it.
  RestrictedStore(Store& store, access::PolicyPtr policy, std::string owner);

  void commit(Transaction transaction, Done done) override;
  void commit_each(std::vector<Transaction> transactions, EachDone done) override;
  Result<std::optional<Found>> get(const table::Table& table, std::string_view key) const override;
  Result<std::vector<std::optional<Found>>> get_together(
      const std::vector<GetRequest>& requests) const override;
  Status read(const Range& range, Visitor& visitor) const override;
  Status read_changes(const ChangeRange& range, ChangeVisitor& visitor) const override;
  Result<table::ChangePlace> end_of_log(table::SpaceId log) const override;
  std::vector<table::StreamPtr> streams() const override;
  table::StreamPtr find_stream(std::string_view table_name, std::string_view label) const override;
  bool is_past(int64_t time_ms) const override { return store_.is_past(time_ms); }
  Status may_know(std::string_view table) const override;
  table::TablePtr find_table(std::string_view name) const override;
  std::vector<std::string> list_tables(std::string_view after, std::size_t limit) const override;
  void create_table(table::Table table, TableDone done) override;
  void change_table(std::string name, TableChange change, TableDone done) override;
  void delete_table(std::string name, UniqueFunction<Status(const table::Table&)> check,
                    TableDone done) override;
  void restore_table(RestoreSource source, TableChange make, TableDone done) override;
  void create_backup(std::string table, std::string backup_name, BackupDone done) override;
  void delete_backup(std::string id, BackupDone done) override;
  table::BackupPtr find_backup(std::string_view id) const override;
  std::vector<table::BackupPtr> backups() const override;
  void put_note(table::Note note, NoteDone done) override;
  void forget_note(std::string name, NoteDone done) override;
  Result<std::vector<table::Note>> notes(std::string_view prefix) const override;
  void hold_table(WantedPast wanted, MakeNote make, NoteDone done) override;
  Status read_held(const table::HeldTable& held, std::string_view after, Visitor& visitor) override;
  void begin_import(table::Table table, table::Note note, TableDone done) override;
  void end_import(std::string table, ImportEnd end, table::Note note, NoteDone done) override;
  Result<StoreBackup> back_up(const std::string& folder, uint32_t keep, const Progress& progress) override;
  Stats stats(table::SpaceId space) const override;
  usage::Meter& meter() const override { return store_.meter(); }
  Status read_usage(table::SpaceId space, MinuteRange range, UsageVisitor& visitor) override;
  void set_rules(std::string table, RulesPtr rules, RulesAre are, UniqueFunction<void(Status)> done) override;
  Result<int64_t> counter(std::string_view name) const override;
  Queues* queues() override { return queues_.get(); }
  uint64_t approximate_bytes(table::SpaceId space, std::string_view begin,
                             std::string_view end) const override;

 private:
  Status check_table(access::Verb verb, std::string_view table) const;
  Status restrict(Transaction& transaction) const;
  Status restrict(Action& action) const;
  Result<access::Reach> reach_for(const table::Table& table, std::string_view key) const;
  bool tells_totals_of(table::SpaceId space) const;

  Store& store_;
  const access::PolicyPtr policy_;
  const std::string owner_;
  std::unique_ptr<RestrictedQueues> queues_;  // null: the store has none
};

}  // namespace waybill::store
