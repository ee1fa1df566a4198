// rules: what a contract costs a write. The ground is one that has nothing in it.
#include <benchmark/benchmark.h>

#include <fstream>
#include <iterator>
#include <memory>
#include <string>

#include "base/check.h"
#include "contract/reader.h"
#include "part.h"
#include "rules/deployed.h"
#include "rules/system_tables.h"
#include "rules/table_rules.h"
#include "samples.h"
#include "table/key.h"

namespace waybill::micro {
namespace {

class EmptyGround final : public store::Ground {
 public:
  EmptyGround() {
    auto journal = std::make_shared<table::Table>();
    journal->name = rules::journal_table;
    journal->key.partition = {"record", item::Type::string};
    journal->key.sort = table::KeyAttribute{"seq", item::Type::number};
    journal_ = std::move(journal);
  }
  int64_t now_ms() const override { return micro::now_ms; }
  uint64_t next_number() override { return ++number_; }
  table::TablePtr find_table(std::string_view name) const override {
    return name == rules::journal_table ? journal_ : nullptr;
  }
  Result<std::optional<item::Item>> get(const table::Table& /*table*/,
                                        std::string_view /*key*/) const override {
    return std::optional<item::Item>();
  }
  Result<int64_t> counter(const std::string& /*name*/) const override { return int64_t{0}; }
  bool is_shared() const override { return false; }
  void foresee(store::Effects /*effects*/) override {}

 private:
  table::TablePtr journal_;
  uint64_t number_ = 1ULL << 40U;
};

store::RulesPtr photo_rules() {
  std::ifstream file(WAYBILL_CONTRACTS "/photo-editor.yaml", std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  contract::Problems problems;
  auto contract = contract::read_contract(text, problems);
  WAYBILL_CHECK(contract.has_value());
  return rules::make_rules(*rules::deploy(*std::move(contract), text));
}

// A job of the samples before and after one attribute has changed.
struct Change {
  table::TablePtr table = jobs_table();
  item::Item before = job(7);
  item::Item after;
  std::string key;
  uint32_t after_bytes = 0;
  store::Author author{"AKIAIOSFODNN7EXAMPLE", {}, {}};

  Change(std::string_view name, std::string_view value) : key(table::primary_key(table->key, before.view())) {
    item::AttributeCursor cursor(before.view());
    while (cursor.next()) {
      if (cursor.name() == name) {
        item::append_name(after.encoded, name);
        item::append_scalar(after.encoded, item::Type::string, value);
      } else {
        after.encoded.append(cursor.encoded());
      }
    }
    after_bytes = item::size_bytes(after.view());
  }
  store::Proposal proposal(const store::Judged* judged = nullptr) const {
    return {*table, key, before.view(), after.view(), author, false, after_bytes, judged};
  }
};

Work judge(std::string_view name, std::string_view value) {
  auto change = std::make_shared<const Change>(name, value);
  auto ground = std::make_shared<EmptyGround>();
  auto rules = photo_rules();
  const auto verdict = rules->judge(change->proposal(), *ground);
  WAYBILL_CHECK(verdict.has_value() && !verdict->refusal);
  return {.once = [change, ground, rules] {
    const auto judged = rules->judge(change->proposal(), *ground);
    benchmark::DoNotOptimize(judged);
  }};
}

Work judge_move() {
  return judge("status", "PROCESSING");
}
Work judge_field() {
  return judge("originalFileName", "another.jpg");
}

// Of what the judgement has made of the change.
Work effects_of_move() {
  auto change = std::make_shared<Change>("status", "PROCESSING");
  auto ground = std::make_shared<EmptyGround>();
  auto rules = photo_rules();
  auto verdict = std::make_shared<store::Verdict>(*rules->judge(change->proposal(), *ground));
  WAYBILL_CHECK(verdict->instead && verdict->judged);
  change->after = *std::move(verdict->instead);
  change->after_bytes = verdict->judged->size_bytes;
  WAYBILL_CHECK(verdict->judged->is_about(change->after.view()));
  auto effects = std::make_shared<store::Effects>();
  return {.once = [change, ground, rules, verdict, effects] {
    effects->clear();
    const auto proposal = change->proposal(verdict->judged.get());
    WAYBILL_CHECK(rules->add_effects(proposal, *ground, *effects).has_value());
  }};
}

}  // namespace

void add_rules_parts(Parts& parts) {
  parts.push_back({"rules.judge_move", judge_move});
  parts.push_back({"rules.judge_field", judge_field});
  parts.push_back({"rules.effects_of_move", effects_of_move});
}

}  // namespace waybill::micro
