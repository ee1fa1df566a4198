#include "migration/migrations.h"

#include <gtest/gtest.h>

#include "migration/wanted.h"
#include "rules/audit_check.h"
#include "rules/fixture.h"

namespace waybill::migration {
namespace {

constexpr std::string_view notes_contract = R"(
contract: notes
version: 1
table: {name: notes, key: id}
records:
  note:
    id: {field: id, kind: ulid}
    version: revision
    other_fields: refuse
    fields:
      title: string
      revision: {type: int, default: 1}
      changedAt: {type: epoch_ms, set: on_change}
)";

class MigrationsTest : public rules::RulesTest {
 protected:
  void open_migrations() {
    migrations_.reset();
    contracts_.reset();
    auto book = Book::open(*store_);
    ASSERT_TRUE(book) << book.error().message;
    book_ = *std::move(book);
    const auto wrap = [book = book_.get()](const std::string& table, const rules::Deployed* deployed,
                                           store::RulesPtr rules) {
      return book->wrap(table, deployed, std::move(rules));
    };
    auto contracts = rules::Contracts::open(*store_, {&clock_, &entropy_, wrap});
    ASSERT_TRUE(contracts) << contracts.error().message;
    contracts_ = *std::move(contracts);
    auto migrations = Migrations::open(*store_, *book_, *contracts_, {&clock_, &entropy_});
    ASSERT_TRUE(migrations) << migrations.error().message;
    migrations_ = *std::move(migrations);
  }

  void reopen_all() {
    migrations_.reset();
    contracts_.reset();
    book_.reset();
    reopen();
    open_migrations();
  }

  void TearDown() override {
    migrations_.reset();
    contracts_.reset();
    RulesTest::TearDown();
  }

  // "things" with some records, and migrations.
  void use_things(int count) {
    open_migrations();
    ASSERT_TRUE(create(things()));
    for (int i = 0; i < count; ++i) {
      EngineTest::put(R"({"id":{"S":")" + std::to_string(i) + R"("},"title":{"S":"t)" + std::to_string(i) +
                      R"("}})");
    }
  }

  static bool go_on(int64_t /*done*/, int64_t /*total*/) { return true; }

  std::string start(Migration wanted, const std::optional<rules::Application>& contract = {}) {
    const auto begun = migrations_->start(std::move(wanted), contract, go_on);
    return begun ? "" : begun.error().message;
  }

  static Migration rename(const std::string& table = "things") {
    Migration wanted;
    wanted.table = table;
    wanted.old_field = "title";
    wanted.new_field = "caption";
    return wanted;
  }

  // Gives a command and waits for the walk that it begins.
  std::string step(Command command, const CommandOptions& options = {}, const std::string& table = "things") {
    const auto done = migrations_->command(table, command, options);
    if (!done) {
      return done.error().message;
    }
    EXPECT_TRUE(eventually([&] {
      const auto now = migrations_->find(table);
      return !is_walk(now->step) || !now->failure.empty();
    }));
    return std::string(word_for(migrations_->find(table)->step));
  }

  int64_t disagreeing(const std::string& table = "things") {
    const auto findings = migrations_->verify(table, go_on);
    EXPECT_TRUE(findings) << findings.error().message;
    return findings ? findings->disagreeing : -1;
  }

  void change_thing(std::string_view id, std::string_view expression, std::string_view values) {
    auto made = action(store::ActionKind::update, R"({"id":{"S":")" + std::string(id) + R"("}})");
    made.update = EngineTest::update(expression, values);
    ASSERT_EQ(commit(std::move(made)).kind, store::OutcomeKind::committed);
  }

  std::string thing(std::string_view id) {
    return RulesTest::get(R"({"id":{"S":")" + std::string(id) + R"("}})", "things");
  }

  std::unique_ptr<Book> book_;
  std::unique_ptr<Migrations> migrations_;
};

TEST_F(MigrationsTest, P11AFieldIsRenamedWithWritersAllAlong) {
  use_things(250);
  ASSERT_EQ(start(rename()), "");
  EngineTest::put(R"({"id":{"S":"new"},"title":{"S":"x"}})");
  EXPECT_EQ(thing("new"), R"({"id":"new","title":"x","caption":"x"})");
  EXPECT_EQ(thing("7"), R"({"id":"7","title":"t7"})");
  EXPECT_EQ(step(Command::switch_reads).substr(0, 40), "the migration is at the step dual_write,");
  EXPECT_EQ(step(Command::backfill), "filled");
  EXPECT_EQ(migrations_->find("things")->seen, 251);
  EXPECT_EQ(migrations_->find("things")->changed, 250);
  EXPECT_EQ(thing("7"), R"({"id":"7","title":"t7","caption":"t7"})");
  EXPECT_EQ(disagreeing(), 0);
  EXPECT_EQ(step(Command::switch_reads), "switched");
  change_thing("7", "SET caption = :c", R"({":c":{"S":"c7"}})");
  EXPECT_EQ(thing("7"), R"({"id":"7","title":"c7","caption":"c7"})");
  EXPECT_EQ(step(Command::stop), "stopped");
  change_thing("8", "SET title = :c", R"({":c":{"S":"late"}})");
  EXPECT_EQ(thing("8"), R"({"id":"8","caption":"late"})");
  EXPECT_EQ(step(Command::drop), "done");
  EXPECT_EQ(thing("7"), R"({"id":"7","caption":"c7"})");
  EXPECT_EQ(thing("9"), R"({"id":"9","caption":"t9"})");
  EXPECT_FALSE(store_->find_table("things")->has_rules);
}

TEST_F(MigrationsTest, P11BackOutFromTheLastStepBeforeTheDropLeavesWhatWasThere) {
  use_things(20);
  ASSERT_EQ(start(rename()), "");
  EXPECT_EQ(step(Command::backfill), "filled");
  EXPECT_EQ(disagreeing(), 0);
  EXPECT_EQ(step(Command::switch_reads), "switched");
  EXPECT_EQ(step(Command::stop), "stopped");
  EngineTest::put(R"({"id":{"S":"new"},"caption":{"S":"x"}})");
  EXPECT_EQ(thing("new"), R"({"id":"new","caption":"x"})");
  EXPECT_EQ(step(Command::back_out), "verified");
  EXPECT_EQ(thing("new"), R"({"id":"new","caption":"x","title":"x"})");
  EXPECT_EQ(disagreeing(), 0);
  EXPECT_EQ(step(Command::back_out), "backed_out");
  EXPECT_EQ(thing("new"), R"({"id":"new","title":"x"})");
  EXPECT_EQ(thing("7"), R"({"id":"7","title":"t7"})");
  EXPECT_FALSE(store_->find_table("things")->has_rules);
  EXPECT_EQ(start(rename()), "");
}

TEST_F(MigrationsTest, P11ABackfillGoesOnAfterARestart) {
  use_things(300);
  ASSERT_EQ(start(rename()), "");
  ASSERT_TRUE(migrations_->command("things", Command::backfill, {.rate_per_second = 50, .contract = {}}));
  ASSERT_TRUE(eventually([&] { return migrations_->find("things")->changed > 0; }));
  reopen_all();
  const auto resumed = migrations_->find("things");
  EXPECT_EQ(word_for(resumed->step), "backfilling");
  EXPECT_GT(resumed->seen, 0);
  EXPECT_LT(resumed->seen, 300);
  EXPECT_EQ(resumed->rate_per_second, 50);
  EngineTest::put(R"({"id":{"S":"0"},"title":{"S":"anew"}})");
  EXPECT_EQ(thing("0"), R"({"id":"0","title":"anew","caption":"anew"})");
  migrations_->go_on();
  EXPECT_EQ(step(Command::backfill, {.rate_per_second = 0, .contract = {}}), "filled");
  EXPECT_EQ(migrations_->find("things")->seen, 300);
  EXPECT_EQ(disagreeing(), 0);
}

TEST_F(MigrationsTest, P11AFieldIsAddedAndAnotherRemoved) {
  use_things(10);
  Migration add;
  add.table = "things";
  add.kind = Kind::add;
  add.new_field = "stars";
  add.initial = *read_initial("3");
  ASSERT_EQ(start(add), "");
  EXPECT_EQ(step(Command::backfill), "filled");
  EXPECT_EQ(disagreeing(), 0);
  EXPECT_EQ(step(Command::switch_reads), "switched");
  EXPECT_EQ(step(Command::stop), "done");
  EXPECT_EQ(thing("4"), R"({"id":"4","title":"t4","stars":3})");
  Migration remove;
  remove.table = "things";
  remove.kind = Kind::remove;
  remove.old_field = "title";
  ASSERT_EQ(start(remove), "");
  EngineTest::put(R"({"id":{"S":"new"},"title":{"S":"x"}})");
  EXPECT_EQ(thing("new"), R"({"id":"new"})");
  EXPECT_EQ(thing("4"), R"({"id":"4","title":"t4","stars":3})");
  EXPECT_EQ(step(Command::drop), "done");
  EXPECT_EQ(thing("4"), R"({"id":"4","stars":3})");
}

TEST_F(MigrationsTest, WhatMakesNoSenseIsRefusedWithAReason) {
  use_things(3);
  Migration wanted = rename("nothing");
  EXPECT_EQ(start(wanted), "there is no table nothing");
  wanted = rename();
  wanted.old_field = "id";
  EXPECT_EQ(start(wanted), "id is part of the key of table things: a key changes with --key NEWTABLE");
  EngineTest::put(R"({"id":{"S":"odd"},"caption":{"S":"mine"}})");
  EXPECT_EQ(start(rename()),
            "there are records with a field caption already: take another name, or remove that field first");
  wanted = rename();
  wanted.old_field = "owner";
  wanted.new_field = "holder";
  ASSERT_EQ(start(wanted), "");
  EXPECT_EQ(start(wanted).substr(0, 45), "a migration of table things is under way: the");
  EXPECT_EQ(step(Command::backfill), "filled");
  EXPECT_EQ(disagreeing(), 0);
  EXPECT_EQ(step(Command::switch_reads), "switched");
  EXPECT_EQ(step(Command::stop), "stopped");
  EXPECT_EQ(step(Command::drop).substr(0, 42), "the index by_owner of table things is by o");
}

TEST_F(MigrationsTest, P11TheContractChangesWithTheSwitchAndBackOut) {
  open_migrations();
  const auto applied = contracts_->apply({"notes.yaml", std::string(notes_contract), {}});
  ASSERT_TRUE(applied) << applied.error().message;
  deployed_ = *applied;
  ASSERT_EQ(RulesTest::put(R"({"id":{"S":"1"},"title":{"S":"a"}})"), "");
  clock_.advance_ms(1000);
  ASSERT_EQ(start(rename("notes")), "");
  EXPECT_EQ(step(Command::backfill, {}, "notes"), "filled");
  EXPECT_EQ(field(R"({"id":{"S":"1"}})", "caption"), "a");
  EXPECT_EQ(field(R"({"id":{"S":"1"}})", "revision"), "1");  // the walk is no change of the record's
  EXPECT_EQ(update(R"({"id":{"S":"1"}})", "SET title = :t", R"({":t":{"S":"b"}})"), "");
  EXPECT_EQ(field(R"({"id":{"S":"1"}})", "caption"), "b");
  EXPECT_EQ(field(R"({"id":{"S":"1"}})", "revision"), "2");
  EXPECT_EQ(disagreeing("notes"), 0);
  std::string next(notes_contract);
  next.replace(next.find("version: 1"), 10, "version: 2");
  next.replace(next.find("title: string"), 13, "caption: string");
  EXPECT_EQ(step(Command::switch_reads, {{}, rules::Application{"next.yaml", "contract: x", {}}}, "notes")
                .substr(0, 4),
            "next");
  EXPECT_EQ(word_for(migrations_->find("notes")->step), "verified");
  EXPECT_EQ(step(Command::switch_reads, {{}, rules::Application{"next.yaml", next, {}}}, "notes"),
            "switched");
  EXPECT_EQ(contracts_->find("notes")->contract.version, 2);
  EXPECT_EQ(RulesTest::put(R"({"id":{"S":"2"},"title":{"S":"old writer"}})"), "");
  EXPECT_EQ(field(R"({"id":{"S":"2"}})", "caption"), "old writer");
  EXPECT_EQ(RulesTest::put(R"({"id":{"S":"3"},"caption":{"S":"new writer"}})"), "");
  EXPECT_EQ(field(R"({"id":{"S":"3"}})", "title"), "new writer");
  EXPECT_EQ(RulesTest::put(R"({"id":{"S":"4"}})"),
            "Contract notes, note: caption is missing (rule required)");
  EXPECT_EQ(step(Command::stop, {}, "notes"), "stopped");
  EXPECT_EQ(RulesTest::put(R"({"id":{"S":"5"},"caption":{"S":"e"}})"), "");
  EXPECT_EQ(field(R"({"id":{"S":"5"}})", "title"), "-");
  reopen_all();
  EXPECT_EQ(step(Command::back_out, {}, "notes"), "verified");
  EXPECT_EQ(contracts_->find("notes")->contract.version, 1);
  EXPECT_EQ(field(R"({"id":{"S":"5"}})", "title"), "e");
  EXPECT_EQ(step(Command::back_out, {}, "notes"), "backed_out");
  EXPECT_EQ(field(R"({"id":{"S":"5"}})", "caption"), "-");
  EXPECT_EQ(RulesTest::put(R"({"id":{"S":"6"},"caption":{"S":"x"},"title":{"S":"x"}})"),
            "Contract notes, note: caption is not a field of this record (rule other_fields)");
}

TEST_F(MigrationsTest, P11AFieldStaysWhileTheContractNamesIt) {
  open_migrations();
  const auto applied = contracts_->apply({"notes.yaml", std::string(notes_contract), {}});
  ASSERT_TRUE(applied) << applied.error().message;
  deployed_ = *applied;
  ASSERT_EQ(RulesTest::put(R"({"id":{"S":"1"},"title":{"S":"a"}})"), "");
  Migration remove;
  remove.table = "notes";
  remove.kind = Kind::remove;
  remove.old_field = "title";
  std::string next(notes_contract);
  next.replace(next.find("version: 1"), 10, "version: 2");
  next.replace(next.find("      title: string\n"), 20, "");
  ASSERT_EQ(start(remove, rules::Application{"next.yaml", next, {}}), "");
  // As after a crash before the next version was in force.
  ASSERT_TRUE(contracts_->replace({"notes.yaml", std::string(notes_contract), {}}, "notes"));
  EXPECT_EQ(step(Command::drop, {}, "notes"),
            "contract notes names the field title, which would be gone for good: back out, and begin again");
  EXPECT_EQ(step(Command::back_out, {}, "notes"), "backed_out");
  EXPECT_EQ(field(R"({"id":{"S":"1"}})", "title"), "a");
}

TEST_F(MigrationsTest, A6LinesOfTheAuditStayAsTheyWereWritten) {
  open_migrations();
  const auto applied = contracts_->apply({"assets.yaml", contract_text("asset-creator"), {}});
  ASSERT_TRUE(applied) << applied.error().message;
  deployed_ = *applied;
  const auto put_job = [&](const std::string& id) {
    return RulesTest::put(R"({"PK":{"S":"PROJECT#p"},"SK":{"S":"JOB#)" + id +
                          R"("},"asset_type":{"S":"3D"}})");
  };
  ASSERT_EQ(put_job("a"), "");
  Migration add;
  add.table = deployed_->table;
  add.kind = Kind::add;
  add.new_field = "stars";
  add.initial = *read_initial("3");
  ASSERT_EQ(start(add), "");
  ASSERT_EQ(put_job("b"), "");
  EXPECT_EQ(step(Command::backfill, {}, add.table), "filled");
  EXPECT_EQ(disagreeing(add.table), 0);
  for (const std::string id : {"a", "b"}) {
    EXPECT_EQ(field(R"({"PK":{"S":"PROJECT#p"},"SK":{"S":"JOB#)" + id + R"("}})", "stars"), "3");
  }
  const auto findings = rules::check_audit(*store_, *deployed_);
  ASSERT_TRUE(findings);
  EXPECT_EQ(findings->lines, 2U);
  EXPECT_TRUE(findings->faults.empty()) << findings->faults.front();
  EXPECT_EQ(step(Command::back_out, {}, add.table), "backed_out");
  Migration key;
  key.table = add.table;
  key.kind = Kind::key;
  key.new_table = "other";
  key.make = {{"id", "{PK}{SK}"}};
  EXPECT_EQ(start(key).substr(0, 54), "contract asset-creator keeps its audit lines in table ");
}

class KeyChangeTest : public MigrationsTest {
 protected:
  static Migration to_owners() {
    Migration wanted;
    wanted.table = "things";
    wanted.kind = Kind::key;
    wanted.new_table = "owned";
    wanted.make = {{"PK", "OWNER#{owner}"}, {"SK", "THING#{id}"}};
    return wanted;
  }

  void put_thing(const std::string& id, const std::string& owner) {
    EngineTest::put(R"({"id":{"S":")" + id + R"("},"owner":{"S":")" + owner + R"("}})");
  }

  std::string owned(const std::string& owner, const std::string& id) {
    return RulesTest::get(R"({"PK":{"S":"OWNER#)" + owner + R"("},"SK":{"S":"THING#)" + id + R"("}})",
                          "owned");
  }
};

TEST_F(KeyChangeTest, I8TheKeyChangesByANewTable) {
  use_things(0);
  for (int i = 0; i < 120; ++i) {
    put_thing(std::to_string(i), "ann");
  }
  ASSERT_EQ(start(to_owners()), "");
  put_thing("new", "bob");
  EXPECT_EQ(owned("bob", "new"), R"({"id":"new","owner":"bob","PK":"OWNER#bob","SK":"THING#new"})");
  put_thing("new", "cid");
  EXPECT_EQ(owned("bob", "new"), "");
  EXPECT_NE(owned("cid", "new"), "");
  EXPECT_EQ(write({action(store::ActionKind::put, R"({"PK":{"S":"x"},"SK":{"S":"y"}})", "owned")}, {})
                .substr(0, 28),
            "Table owned is being filled ");
  EXPECT_EQ(owned("ann", "7"), "");
  EXPECT_EQ(step(Command::backfill), "filled");
  EXPECT_EQ(store_->stats(store_->find_table("owned")->space).items, 121);
  EXPECT_EQ(disagreeing(), 0);
  EXPECT_EQ(step(Command::switch_reads), "switched");
  EXPECT_EQ(
      write({action(store::ActionKind::put,
                    R"({"PK":{"S":"OWNER#dee"},"SK":{"S":"THING#9x"},"id":{"S":"9x"},"owner":{"S":"dee"}})",
                    "owned")},
            {}),
      "");
  EXPECT_EQ(thing("9x"), R"({"id":"9x","owner":"dee"})");
  EXPECT_EQ(
      write({action(store::ActionKind::put, R"({"PK":{"S":"x"},"SK":{"S":"y"},"id":{"S":"z"}})", "owned")},
            {})
          .substr(0, 34),
      "The key of a record of table owned");
  EXPECT_EQ(
      write({action(store::ActionKind::remove, R"({"PK":{"S":"OWNER#ann"},"SK":{"S":"THING#7"}})", "owned")},
            {}),
      "");
  EXPECT_EQ(thing("7"), "");
  EXPECT_EQ(step(Command::stop), "stopped");
  EXPECT_EQ(write({action(store::ActionKind::put, R"({"id":{"S":"1"}})")}, {}),
            "The records of table things are in table owned now: write there");
  EXPECT_EQ(step(Command::drop), "done");
  EXPECT_EQ(store_->find_table("things"), nullptr);
  EXPECT_FALSE(store_->find_table("owned")->has_rules);
  EXPECT_EQ(store_->stats(store_->find_table("owned")->space).items, 121);
  EXPECT_NE(store_->find_table("owned")->find_index("by_owner"), nullptr);
}

TEST_F(KeyChangeTest, I8BackOutLeavesTheOldTableWithAllThatWasWritten) {
  use_things(0);
  put_thing("1", "ann");
  ASSERT_EQ(start(to_owners()), "");
  EXPECT_EQ(step(Command::backfill), "filled");
  EXPECT_EQ(disagreeing(), 0);
  EXPECT_EQ(step(Command::switch_reads), "switched");
  EXPECT_EQ(step(Command::stop), "stopped");
  EXPECT_EQ(
      write({action(store::ActionKind::put,
                    R"({"PK":{"S":"OWNER#dee"},"SK":{"S":"THING#2"},"id":{"S":"2"},"owner":{"S":"dee"}})",
                    "owned")},
            {}),
      "");
  reopen_all();
  EXPECT_EQ(step(Command::back_out), "verified");
  put_thing("3", "eve");
  EXPECT_NE(owned("eve", "3"), "");
  EXPECT_EQ(step(Command::back_out), "backed_out");
  EXPECT_EQ(store_->find_table("owned"), nullptr);
  EXPECT_EQ(thing("2"), R"({"id":"2","owner":"dee"})");
  EXPECT_EQ(all().size(), 3U);
  EXPECT_FALSE(store_->find_table("things")->has_rules);
}

TEST_F(KeyChangeTest, I8RecordsThatCannotComeAlongAreFound) {
  use_things(0);
  put_thing("1", "ann");
  EngineTest::put(R"({"id":{"S":"homeless"}})");
  ASSERT_EQ(start(to_owners()), "");
  EXPECT_EQ(step(Command::backfill), "filled");
  EXPECT_EQ(migrations_->find("things")->refused, 1);
  EXPECT_EQ(disagreeing(), 1);
  EXPECT_EQ(step(Command::switch_reads).substr(0, 36), "the migration is at the step filled,");
  put_thing("homeless", "fay");
  EXPECT_EQ(disagreeing(), 0);
}

TEST_F(KeyChangeTest, I8NothingIsLeftBehindThatIsWrittenAfterTheBackfill) {
  use_things(0);
  put_thing("1", "ann");
  ASSERT_EQ(start(to_owners()), "");
  EXPECT_EQ(step(Command::backfill), "filled");
  const std::string refusal =
      "A record of table things needs the fields that its key in table owned is made of, while the migration "
      "lasts";
  const auto put_homeless = [&] {
    return write({action(store::ActionKind::put, R"({"id":{"S":"homeless"}})")}, {});
  };
  EXPECT_EQ(put_homeless(), refusal);
  EXPECT_EQ(disagreeing(), 0);
  EXPECT_EQ(put_homeless(), refusal);
  EXPECT_EQ(step(Command::switch_reads), "switched");
  EXPECT_EQ(put_homeless(), refusal);
  put_thing("1", "bob");
  EXPECT_EQ(owned("ann", "1"), "");
  EXPECT_NE(owned("bob", "1"), "");
}

TEST_F(KeyChangeTest, I8TwoRecordsNeverShareAKey) {
  use_things(0);
  put_thing("1", "ann");
  Migration wanted = to_owners();
  wanted.make = {{"PK", "OWNER#{owner}"}};
  ASSERT_EQ(start(wanted), "");
  EXPECT_EQ(step(Command::backfill), "filled");
  EXPECT_EQ(disagreeing(), 0);
  const std::string second = R"({"id":{"S":"2"},"owner":{"S":"ann"}})";
  EXPECT_EQ(write({action(store::ActionKind::put, second)}, {}),
            "Another record has the key in table owned that this one would get");
  put_thing("1", "bob");
  EXPECT_EQ(write({action(store::ActionKind::put, second)}, {}), "");
  EXPECT_EQ(disagreeing(), 0);
  EXPECT_EQ(step(Command::switch_reads), "switched");
  EXPECT_EQ(write({action(store::ActionKind::put,
                          R"({"PK":{"S":"OWNER#cy"},"id":{"S":"2"},"owner":{"S":"cy"}})", "owned")},
                  {}),
            "Another record has the key in table things that this one would get");
  EXPECT_EQ(thing("2"), R"({"id":"2","owner":"ann"})");
}

}  // namespace
}  // namespace waybill::migration
