#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/batch.h"
#include "engine/job_queue.h"
#include "store/store.h"

// Tables that have rules: what the rules see of the store, and how what they ask for is done.
namespace waybill::engine {

// What a transaction would leave under a key; it is not in the batch yet.
struct Intended {
  table::SpaceId space = 0;
  std::string_view key;
  std::optional<item::ItemView> item;
};

class BatchGround final : public store::Ground {
 public:
  // `batch` outlives it.
  explicit BatchGround(Batch& batch) : batch_(batch) {}

  // From here on `intended` is seen in place of what the batch has.
  void intend(const Intended& intended) { intended_.push_back(intended); }
  void intend(table::SpaceId space, std::string_view key, item::ItemView item);
  void forget_intentions() {
    intended_.clear();
    foreseen_.clear();
  }

  int64_t now_ms() const override { return batch_.now_ms(); }
  uint64_t next_number() override { return batch_.next_number(); }
  table::TablePtr find_table(std::string_view name) const override;
  Result<std::optional<item::Item>> get(const table::Table& table, std::string_view key) const override;
  Result<int64_t> counter(const std::string& name) const override;
  bool is_shared() const override { return intended_.size() > 1; }
  void foresee(store::Effects effects) override;

 private:
  Batch& batch_;
  std::vector<Intended> intended_;
  store::Effects foreseen_;
};

// Adds the effects to the batch; they are used up.
Status apply_effects(store::Effects& effects, Batch& batch);

// Rules of the table; null where it has none. Error unavailable where it has some that nobody has given yet:
// since a restart, for a moment.
Result<const store::Rules*> rules_of(const table::Table& table, const Batch& batch);

// Does what comes with the removal of an item whose time to live had passed. Before it is removed.
Status apply_expiry(const table::Table& table, std::string_view key, item::ItemView item, Batch& batch);

class SetRulesJob final : public Job {
 public:
  SetRulesJob(std::string table, store::RulesPtr rules, store::RulesAre are,
              UniqueFunction<void(Status)> done)
      : table_(std::move(table)), rules_(std::move(rules)), are_(are), done_(std::move(done)) {}

  // All items are to be on disk, where they are walked over.
  bool alone() const override { return true; }
  void decide(Batch& batch) override;
  void finish() override { done_(std::move(status_)); }

 private:
  const std::string table_;
  store::RulesPtr rules_;
  const store::RulesAre are_;
  UniqueFunction<void(Status)> done_;
  Status status_;
};

// See store::Store::follow. `done` may be empty.
class FollowJob final : public Job {
 public:
  FollowJob(std::string table, store::Store::Follower follower, UniqueFunction<void()> done)
      : table_(std::move(table)), follower_(std::move(follower)), done_(std::move(done)) {}

  void decide(Batch& batch) override;
  void finish() override;

 private:
  const std::string table_;
  store::Store::Follower follower_;
  UniqueFunction<void()> done_;
};

// Tells followers what the batch has put into their tables. Once it is on disk.
void tell_followers(WriterState& state);

}  // namespace waybill::engine
