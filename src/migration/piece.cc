#include "migration/piece.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "expression/condition_tree.h"
#include "migration/field_rules.h"
#include "migration/wait_for.h"
#include "table/key.h"

namespace waybill::migration {

namespace {

constexpr std::size_t piece_bytes_max = 4 << 20;
constexpr std::size_t look_count = 256;

class Gather final : public store::Visitor {
 public:
  explicit Gather(std::size_t count) : count_(count) {}

  bool visit(std::string_view key, item::ItemView item, uint32_t /*size_bytes*/) override {
    records.push_back({std::string(key), {std::string(item.encoded())}});
    bytes_ += item.encoded().size();
    return records.size() < count_ && bytes_ < piece_bytes_max;
  }

  std::vector<Record> records;

 private:
  const std::size_t count_;
  std::size_t bytes_ = 0;
};

expression::Condition is_there(const std::string& key_attribute) {
  expression::Terms terms;
  expression::Problems problems;
  expression::ConditionTree tree(terms, problems);
  auto path = terms.begin_path();
  terms.add_name(path, key_attribute);
  expression::ConditionTree::Pieces operands;
  operands.push_back(tree.path(path));
  tree.add_function("attribute_exists", operands);
  return tree.finish();
}

const std::shared_ptr<const store::Author>& walker() {
  static const auto author =
      std::make_shared<const store::Author>(store::Author{"waybill", std::string(walk_operation), {}});
  return author;
}

// What is to be done with a record.
enum class Need : unsigned char { nothing, touch, cannot };

class Judge {
 public:
  static Result<Judge> make(const store::Store& store, const Migration& migration,
                            const table::Table& table) {
    Judge judge(store, rule_of(migration));
    if (migration.kind == Kind::key) {
      WAYBILL_TRY_ASSIGN(judge.change_, KeyChange::make(migration, table.key));
      judge.copies_ = store.find_table(migration.new_table);
      if (!judge.copies_) {
        return invalid("the table " + migration.new_table + " is gone");
      }
    }
    return judge;
  }

  Result<Need> need_of(item::ItemView item) const {
    if (!change_) {
      return rewrite(rule_, item, item) ? Need::touch : Need::nothing;
    }
    const auto copy = change_->forward(item);
    if (!copy) {
      return Need::cannot;
    }
    WAYBILL_TRY_ASSIGN(const auto present,
                       store_->get(*copies_, table::primary_key(copies_->key, copy->view())));
    return present && item::equal(present->item.view(), copy->view()) ? Need::nothing : Need::touch;
  }

 private:
  Judge(const store::Store& store, FieldRule rule) : store_(&store), rule_(std::move(rule)) {}

  const store::Store* store_;
  FieldRule rule_;
  std::optional<KeyChange> change_;
  table::TablePtr copies_;
};

Status add_up(const std::vector<store::Outcome>& outcomes, Piece& piece) {
  for (const auto& outcome : outcomes) {
    if (outcome.error) {
      return *outcome.error;
    }
    const auto& refusal = outcome.results.front().refusal;
    if (!refusal) {
      ++piece.changed;
    } else if (refusal->kind != ErrorKind::condition_failed) {  // otherwise it is gone by now
      ++piece.refused;
      piece.complaint = refusal->message;
    }
  }
  return {};
}

}  // namespace

store::Transaction touch(const table::TablePtr& table, const Record& record,
                         std::shared_ptr<const store::Author> author) {
  store::Action action;
  action.kind = store::ActionKind::update;
  action.table = table;
  action.key = record.key;
  table::append_key_attributes(action.item.encoded, table->key, record.item.view());
  action.condition = is_there(table->key.partition.name);
  action.update = expression::Update();
  store::Transaction transaction;
  transaction.actions.push_back(std::move(action));
  transaction.author = std::move(author);
  return transaction;
}

Result<std::vector<Record>> read_records(const store::Store& store, const table::TablePtr& table,
                                         const std::string& behind, std::size_t count) {
  Gather gather(count);
  store::Range range;
  range.table = table;
  range.begin = behind.empty() ? behind : behind + '\0';
  range.count_wanted = count;
  WAYBILL_TRY(store.read(range, gather));
  return std::move(gather.records);
}

Status look_at_all(const store::Store& store, const table::TablePtr& table,
                   const std::function<Status(const Record& record)>& look, const Tell& tell) {
  const int64_t total = store.stats(table->space).items;
  int64_t done = 0;
  for (std::string place;;) {
    WAYBILL_TRY_ASSIGN(const auto records, read_records(store, table, place, look_count));
    if (records.empty()) {
      return {};
    }
    for (const auto& record : records) {
      WAYBILL_TRY(look(record));
    }
    place = records.back().key;
    done += static_cast<int64_t>(records.size());
    if (!tell(done, std::max(done, total))) {
      return Error{ErrorKind::unavailable, "nobody waits for the end of it any more", {}};
    }
  }
}

Result<Piece> walk_piece(store::Store& store, const Migration& migration, const Spared& spared,
                         std::size_t count) {
  const auto table = store.find_table(migration.table);
  if (!table) {
    return Error{ErrorKind::not_found, "the table " + migration.table + " is gone", {}};
  }
  WAYBILL_TRY_ASSIGN(const auto judge, Judge::make(store, migration, *table));
  WAYBILL_TRY_ASSIGN(const auto records, read_records(store, table, migration.place, count));
  Piece piece;
  piece.is_last = records.empty();
  piece.place = records.empty() ? migration.place : records.back().key;
  piece.seen = static_cast<int64_t>(records.size());
  std::vector<store::Transaction> touches;
  for (const auto& record : records) {
    if (spared.has(record.item.view())) {
      continue;
    }
    WAYBILL_TRY_ASSIGN(const Need need, judge.need_of(record.item.view()));
    if (need == Need::touch) {
      touches.push_back(touch(table, record, walker()));
    } else if (need == Need::cannot) {
      ++piece.refused;
      piece.complaint = "a record lacks a field that its new key is made of, or has one that no key can have";
    }
  }
  if (!touches.empty()) {
    const auto outcomes = wait_for<std::vector<store::Outcome>>(
        [&](auto done) { store.commit_each(std::move(touches), std::move(done)); });
    WAYBILL_TRY(add_up(outcomes, piece));
  }
  return piece;
}

}  // namespace waybill::migration
