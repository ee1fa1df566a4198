// engine: a writer's decisions, its writes, and reads. RocksDB is counted too, as far as it works on the
// calling thread; what it does by chance (its cache, its skip list) moves these counts by a percent or two.
#include <benchmark/benchmark.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/check.h"
#include "base/clock.h"
#include "engine/batch.h"
#include "engine/database.h"
#include "engine/reader.h"
#include "engine/rocks_options.h"
#include "engine/transaction.h"
#include "expression/condition.h"
#include "expression/placeholders.h"
#include "expression/update.h"
#include "part.h"
#include "samples.h"
#include "table/key.h"
#include "table/range.h"

namespace waybill::micro {
namespace {

constexpr int stored_items = 1000;
constexpr int batch_jobs = 16;
constexpr int page_items = 20;
constexpr int first_new_item = 500'000;
constexpr uint64_t memory_bytes = 512ULL << 20;

// A database with a thousand jobs in a table file whose blocks are cached.
class Storage {
 public:
  Storage() : directory_(make_directory()), database_(open(directory_)), table_(jobs_table()) {
    state_.counters = std::make_unique<engine::Counters>(*database_);
    state_.tables.emplace(table_->name, table_);
    state_.by_space.emplace(table_->space, table_);
    engine::Batch batch = begin();
    for (int i = 0; i < stored_items; ++i) {
      store::Transaction transaction = put_of(i);
      WAYBILL_CHECK(engine::decide(transaction, batch).kind == store::OutcomeKind::committed);
    }
    WAYBILL_CHECK(database_->db().Write(rocksdb::WriteOptions(), &batch.seal()).ok());
    WAYBILL_CHECK(database_->db().Flush(rocksdb::FlushOptions(), database_->items()).ok());
  }
  ~Storage() {
    database_.reset();
    std::filesystem::remove_all(directory_);
  }
  Storage(const Storage&) = delete;
  Storage& operator=(const Storage&) = delete;

  const table::TablePtr& table() const { return table_; }
  const engine::Reader& reader() const { return reader_; }
  rocksdb::DB& db() const { return database_->db(); }
  engine::Batch begin() { return engine::Batch(*database_, state_, now_ms, now_ms, writes_); }

  store::Transaction put_of(int number) const {
    store::Transaction transaction;
    store::Action& action = transaction.actions.emplace_back();
    action.table = table_;
    action.item = job(number);
    action.key = table::primary_key(table_->key, action.item.view());
    return transaction;
  }

  // The conditional UpdateItem of samples.h, for another item.
  store::Transaction update_of(int number) const {
    const auto body = document(update_item_body());
    expression::PlaceholderSource source;
    source.names = body->at("ExpressionAttributeNames");
    source.values = body->at("ExpressionAttributeValues");
    auto placeholders = *expression::Placeholders::parse(source);
    store::Transaction transaction = put_of(number);
    store::Action& action = transaction.actions.front();
    action.kind = store::ActionKind::update;
    action.item.encoded.clear();
    table::append_key_attributes(action.item.encoded, *table_, nullptr, job(number).view());
    action.update = *expression::Update::parse(body->at("UpdateExpression").string(), placeholders);
    action.condition = *expression::Condition::parse(body->at("ConditionExpression").string(),
                                                     expression::ExpressionKind::condition, placeholders);
    return transaction;
  }

 private:
  static std::string make_directory() {
    std::string pattern = (std::filesystem::temp_directory_path() / "waybill-micro-XXXXXX").string();
    WAYBILL_CHECK(::mkdtemp(pattern.data()) != nullptr);
    return pattern;
  }
  static std::unique_ptr<engine::Database> open(const std::string& directory) {
    return *engine::Database::open(
        directory + "/engine", engine::make_rocks_options(memory_bytes, nullptr, engine::LogWriting::at_end));
  }

  const std::string directory_;
  std::unique_ptr<engine::Database> database_;
  const table::TablePtr table_;
  rocksdb::WriteBatch writes_;
  engine::WriterState state_;
  const ManualClock clock_{now_ms};
  const engine::Reader reader_{*database_, clock_};
};

Storage& storage() {
  static Storage shared;
  return shared;
}

// New items under two indexes and an expiry, as they gather in one batch.
Work put() {
  auto transactions = std::make_shared<std::vector<store::Transaction>>();
  for (int i = 0; i < batch_jobs; ++i) {
    transactions->push_back(storage().put_of(first_new_item + i));
    transactions->back().actions.front().wants_after = true;
  }
  return {.once =
              [transactions] {
                engine::Batch batch = storage().begin();
                for (auto& transaction : *transactions) {
                  auto outcome = engine::decide(transaction, batch);
                  // The store has taken the item; the next run needs it again.
                  transaction.actions.front().item = *std::move(outcome.results.front().after);
                }
                benchmark::DoNotOptimize(batch.seal());
              },
          .items = batch_jobs};
}

// Conditional updates of stored items that move each of them within an index.
Work update() {
  auto transactions = std::make_shared<std::vector<store::Transaction>>();
  for (int i = 0; i < batch_jobs; ++i) {
    transactions->push_back(storage().update_of(i * stored_items / batch_jobs));
    engine::Batch batch = storage().begin();
    WAYBILL_CHECK(engine::decide(transactions->back(), batch).kind == store::OutcomeKind::committed);
  }
  return {.once =
              [transactions] {
                engine::Batch batch = storage().begin();
                for (auto& transaction : *transactions) {
                  const auto outcome = engine::decide(transaction, batch);
                  benchmark::DoNotOptimize(outcome);
                }
                benchmark::DoNotOptimize(batch.seal());
              },
          .items = batch_jobs};
}

// Such a batch of new items on its way to the log, which is not synced, and the memtable.
Work write() {
  engine::Batch batch = storage().begin();
  for (int i = 0; i < batch_jobs; ++i) {
    auto transaction = storage().put_of(first_new_item + i);
    WAYBILL_CHECK(engine::decide(transaction, batch).kind == store::OutcomeKind::committed);
  }
  const auto sealed = std::make_shared<rocksdb::WriteBatch>(batch.seal());
  return {
      .once = [sealed] { WAYBILL_CHECK(storage().db().Write(rocksdb::WriteOptions(), sealed.get()).ok()); },
      .bytes = static_cast<int64_t>(sealed->GetDataSize()),
      .items = batch_jobs};
}

Work get() {
  std::vector<std::string> keys;
  for (int i = 0; i < batch_jobs; ++i) {
    keys.push_back(storage().put_of(i * stored_items / batch_jobs).actions.front().key);
    const auto found = storage().reader().get(*storage().table(), keys.back());
    WAYBILL_CHECK(found && *found);
  }
  return {.once =
              [keys] {
                for (const auto& key : keys) {
                  const auto found = storage().reader().get(*storage().table(), key);
                  benchmark::DoNotOptimize(found);
                }
              },
          .items = batch_jobs};
}

class CountingVisitor final : public store::Visitor {
 public:
  bool visit(std::string_view /*key*/, item::ItemView item, uint32_t /*size_bytes*/) override {
    benchmark::DoNotOptimize(item);
    return ++count < page_items;
  }
  int count = 0;
};

// The newest entries of one partition of an index.
Work read() {
  store::Range range;
  range.table = storage().table();
  range.index = &range.table->indexes.front();
  range.forward = false;
  expression::KeyCondition condition;
  item::append_scalar(condition.partition, item::Type::string, "user-12345");
  const auto keys = table::range_of(condition);
  range.begin = keys.begin;
  range.end = keys.end;
  return {.once =
              [range] {
                CountingVisitor visitor;
                WAYBILL_CHECK(storage().reader().read(range, visitor) && visitor.count == page_items);
              },
          .items = page_items};
}

}  // namespace

void add_engine_parts(Parts& parts) {
  parts.push_back({"engine.put_16", put});
  parts.push_back({"engine.update_16", update});
  parts.push_back({"engine.get_16", get});
  parts.push_back({"engine.read_20", read});
  parts.push_back({"engine.write_16", write});  // last: reads would have to look in the memtable too
}

}  // namespace waybill::micro
