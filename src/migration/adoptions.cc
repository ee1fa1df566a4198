#include "migration/adoptions.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/log.h"
#include "base/thread_name.h"
#include "migration/piece.h"
#include "migration/wait_for.h"
#include "rules/adopt.h"
#include "rules/draft.h"
#include "rules/table_rules.h"
#include "table/key.h"

namespace waybill::migration {

namespace {

using rules::Adoption;
using rules::AdoptionBook;

constexpr std::size_t piece_records = 100;
constexpr int64_t keep_every_ms = 1'000;
constexpr auto try_again_after = std::chrono::seconds(5);

// What the rules would find in the store as it is, for a look at what is missing. Nothing comes of it but a
// write that is judged again.
class StoreGround final : public store::Ground {
 public:
  StoreGround(const store::Store& store, const Clock& clock) : store_(store), clock_(clock) {}

  int64_t now_ms() const override { return clock_.wall_ms(); }
  uint64_t next_number() override { return 0; }
  table::TablePtr find_table(std::string_view name) const override { return store_.find_table(name); }
  Result<std::optional<item::Item>> get(const table::Table& table, std::string_view key) const override {
    WAYBILL_TRY_ASSIGN(auto found, store_.get(table, key));
    return found ? std::optional(std::move(found->item)) : std::nullopt;
  }
  Result<int64_t> counter(const std::string& name) const override { return store_.counter(name); }
  bool is_shared() const override { return false; }
  void foresee(store::Effects /*effects*/) override {}

 private:
  const store::Store& store_;
  const Clock& clock_;
};

// What the rules say of one record that was there before them.
class Look {
 public:
  Look(const store::Rules& rules, const table::Table& table, StoreGround& ground)
      : rules_(rules), table_(table), ground_(ground) {}

  // What stands against it, as if it were imported; nothing where it is as the contract says. As a new record
  // all of its fields are looked at; as one that is there, nothing is filled in that it lacks.
  Result<std::optional<std::string>> flaw_of(const Record& record) const {
    static const store::Author importer{"waybill", std::string(rules::import_operation), {}};
    auto there = proposal(record, importer);
    WAYBILL_TRY_ASSIGN(auto verdict, rules_.judge(there, ground_));
    if (!verdict.refusal) {
      there.before.reset();
      WAYBILL_TRY_ASSIGN(verdict, rules_.judge(there, ground_));
    }
    return verdict.refusal ? std::optional(verdict.refusal->message) : std::nullopt;
  }

  Result<bool> lacks_something(const Record& record, const store::Author& author) const {
    const auto as_it_is = proposal(record, author);
    WAYBILL_TRY_ASSIGN(const auto verdict, rules_.judge(as_it_is, ground_));
    if (verdict.instead) {
      return true;
    }
    store::Effects effects;
    WAYBILL_TRY(rules_.add_effects(as_it_is, ground_, effects));
    for (const auto& effect : effects) {
      WAYBILL_TRY_ASSIGN(const bool is_so, is_done(effect));
      if (!is_so) {
        return true;
      }
    }
    return false;
  }

 private:
  store::Proposal proposal(const Record& record, const store::Author& author) const {
    return {table_, record.key, record.item.view(), record.item.view(), author, false};
  }

  Result<bool> is_done(const store::Effect& effect) const {
    if (effect.kind != store::Effect::Kind::put) {
      return false;
    }
    WAYBILL_TRY_ASSIGN(const auto there, ground_.get(*effect.table, effect.key));
    return there && item::equal(there->view(), effect.item.view());
  }

  const store::Rules& rules_;
  const table::Table& table_;
  StoreGround& ground_;
};

const std::shared_ptr<const store::Author>& walker() {
  static const auto author = std::make_shared<const store::Author>(
      store::Author{"waybill", std::string(rules::adopt_operation), {}});
  return author;
}

Status commit(store::Store& store, std::vector<store::Transaction> touches, Adoption& adoption) {
  const auto outcomes = wait_for<std::vector<store::Outcome>>(
      [&](auto done) { store.commit_each(std::move(touches), std::move(done)); });
  for (const auto& outcome : outcomes) {
    if (outcome.error) {
      return *outcome.error;
    }
    const auto& refusal = outcome.results.front().refusal;
    if (!refusal) {
      ++adoption.changed;
    } else if (refusal->kind != ErrorKind::condition_failed) {  // otherwise it is gone by now
      ++adoption.unfit;
      adoption.complaint = refusal->message;
    }
  }
  return {};
}

void tell_end(const Adoption& adoption) {
  const std::string text = "contract " + adoption.contract + " has gone over the " +
                           std::to_string(adoption.seen) +
                           " items that were in its table before: " + std::to_string(adoption.changed) +
                           " lacked something that they have now";
  if (adoption.unfit > 0) {
    log_warning(text + "; " + std::to_string(adoption.unfit) +
                " are not as it says, and stay so until they are written: " + adoption.complaint);
  } else if (adoption.seen > 0) {
    log_info(text);
  }
}

}  // namespace

Adoptions::Adoptions(store::Store& store, rules::Contracts& contracts, const Clock& clock)
    : store_(store), contracts_(contracts), clock_(clock), thread_([this] {
        name_this_thread("adoption");
        run();
      }) {}

Adoptions::~Adoptions() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

void Adoptions::look() {
  {
    const std::lock_guard lock(mutex_);
    woken_ = true;
  }
  wake_.notify_all();
}

bool Adoptions::is_stopping() {
  const std::lock_guard lock(mutex_);
  return stopping_;
}

void Adoptions::pause() {
  std::unique_lock lock(mutex_);
  wake_.wait_for(lock, try_again_after, [this] { return stopping_ || woken_; });
  woken_ = false;
}

void Adoptions::run() {
  for (; !is_stopping(); pause()) {
    for (auto next = contracts_.adoptions().next(); next && !is_stopping();
         next = contracts_.adoptions().next()) {
      if (auto walked = walk(*std::move(next)); !walked) {
        log_warning("the records that were there before their contract are not all gone over yet: " +
                    walked.error().message);
        break;
      }
    }
  }
}

// Goes on from where it is until all records are done, it is begun again or forgotten, or the store closes.
Status Adoptions::walk(Adoption adoption) {
  auto& book = contracts_.adoptions();
  int64_t kept_ms = clock_.steady_ms();
  while (!is_stopping()) {
    const auto present = book.find(adoption.contract);
    if (!present || present->begun_ms != adoption.begun_ms) {
      return {};
    }
    const auto deployed = contracts_.find(adoption.contract);
    const auto table = deployed ? store_.find_table(deployed->table) : nullptr;
    const auto rules = deployed ? rules::make_rules(deployed) : nullptr;
    if (!table || !rules) {
      return book.forget(adoption.contract);
    }
    WAYBILL_TRY(walk_piece(table, *rules, Spared(deployed.get()), adoption));
    const int64_t now_ms = clock_.steady_ms();
    const bool on_disk = adoption.is_done || now_ms - kept_ms >= keep_every_ms;
    WAYBILL_TRY(book.keep(adoption, on_disk ? AdoptionBook::Where::disk : AdoptionBook::Where::memory));
    kept_ms = on_disk ? now_ms : kept_ms;
    if (adoption.is_done) {
      tell_end(adoption);
      return {};
    }
  }
  return book.keep(adoption, AdoptionBook::Where::disk);
}

// The next records, and how far it is with them.
Status Adoptions::walk_piece(const table::TablePtr& table, const store::Rules& rules, const Spared& spared,
                             Adoption& adoption) {
  WAYBILL_TRY_ASSIGN(const auto records, read_records(store_, table, adoption.place, piece_records));
  StoreGround ground(store_, clock_);
  const Look look(rules, *table, ground);
  std::vector<store::Transaction> touches;
  for (const auto& record : records) {
    if (spared.has(record.item.view())) {
      continue;
    }
    WAYBILL_TRY_ASSIGN(const auto flaw, look.flaw_of(record));
    if (flaw) {
      ++adoption.unfit;
      adoption.complaint = *flaw;
    }
    WAYBILL_TRY_ASSIGN(const bool lacks, look.lacks_something(record, *walker()));
    if (lacks) {
      touches.push_back(touch(table, record, walker()));
    }
  }
  if (!touches.empty()) {
    WAYBILL_TRY(commit(store_, std::move(touches), adoption));
  }
  adoption.seen += static_cast<int64_t>(records.size());
  adoption.is_done = records.empty();
  adoption.place = records.empty() ? std::string() : records.back().key;
  return {};
}

}  // namespace waybill::migration
