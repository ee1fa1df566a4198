#include "migration/machine.h"

#include <gtest/gtest.h>

namespace waybill::migration {
namespace {

std::string after(Kind kind, Step step, Command command) {
  const auto next = step_after(kind, step, command);
  return next ? std::string(word_for(*next)) : "-";
}

TEST(Machine, P11RenamesStepByStep) {
  EXPECT_EQ(word_for(first_step(Kind::rename)), "dual_write");
  EXPECT_EQ(after(Kind::rename, Step::dual_write, Command::backfill), "backfilling");
  EXPECT_EQ(word_for(step_after_walk(Step::backfilling)), "filled");
  EXPECT_EQ(after(Kind::rename, Step::filled, Command::verify), "verified");
  EXPECT_EQ(after(Kind::rename, Step::verified, Command::switch_reads), "switched");
  EXPECT_EQ(after(Kind::rename, Step::switched, Command::stop), "stopped");
  EXPECT_EQ(after(Kind::rename, Step::stopped, Command::drop), "dropping");
  EXPECT_EQ(word_for(step_after_walk(Step::dropping)), "done");
}

TEST(Machine, NothingIsSkipped) {
  for (const Step step : {Step::dual_write, Step::backfilling, Step::filled}) {
    EXPECT_EQ(after(Kind::rename, step, Command::switch_reads), "-");
    EXPECT_EQ(after(Kind::rename, step, Command::drop), "-");
  }
  EXPECT_EQ(after(Kind::rename, Step::dual_write, Command::verify), "-");
  EXPECT_EQ(after(Kind::key, Step::verified, Command::stop), "-");
  EXPECT_EQ(after(Kind::key, Step::switched, Command::drop), "-");
}

TEST(Machine, LeadsBackFromEveryStepBeforeTheDrop) {
  for (const Step step : {Step::dual_write, Step::backfilling, Step::filled, Step::verified}) {
    EXPECT_EQ(after(Kind::rename, step, Command::back_out), "removing");
  }
  EXPECT_EQ(word_for(step_after_walk(Step::removing)), "backed_out");
  EXPECT_EQ(after(Kind::rename, Step::switched, Command::back_out), "verified");
  EXPECT_EQ(after(Kind::rename, Step::stopped, Command::back_out), "restoring");
  EXPECT_EQ(word_for(step_after_walk(Step::restoring)), "verified");
  EXPECT_EQ(after(Kind::key, Step::stopped, Command::back_out), "verified");
  EXPECT_EQ(after(Kind::remove, Step::stopped, Command::back_out), "backed_out");
  for (const Step step : {Step::dropping, Step::done, Step::backed_out}) {
    EXPECT_EQ(after(Kind::rename, step, Command::back_out), "-");
  }
}

TEST(Machine, AnAddedFieldHasNothingToDrop) {
  EXPECT_EQ(after(Kind::add, Step::switched, Command::stop), "done");
  EXPECT_EQ(word_for(first_step(Kind::remove)), "stopped");
  EXPECT_EQ(after(Kind::remove, Step::stopped, Command::drop), "dropping");
}

TEST(Machine, SaysWhatIsPossible) {
  const auto next = step_after(Kind::rename, Step::verified, Command::drop);
  ASSERT_FALSE(next);
  EXPECT_EQ(next.error().message,
            "the migration is at the step verified, from which drop leads nowhere; there is: verify, switch, "
            "back-out");
}

TEST(Migration, IsReadAsItWasWritten) {
  Migration migration;
  migration.table = "images";
  migration.kind = Kind::key;
  migration.step = Step::backfilling;
  migration.new_table = "images2";
  migration.make = {{"PK", "USER#{userId}"}, {"SK", "IMAGE#{id}"}};
  migration.back = {{"PK", "IMAGE#{id}"}};
  migration.initial = std::string("\0\xff", 2);
  migration.place = std::string("a\0b", 3);
  migration.contract_before = ContractBefore{"text", {{"env", "prod"}}};
  migration.seen = 7;
  migration.rate_per_second = 5;
  const auto read = read_migration(note_of(migration));
  ASSERT_TRUE(read);
  EXPECT_EQ(note_of(*read).text, note_of(migration).text);
  EXPECT_EQ(read->place, migration.place);
  EXPECT_EQ(read->initial, migration.initial);
  EXPECT_EQ(read->contract_before->parameters.at("env"), "prod");
  EXPECT_EQ(describe(*read), "the key becomes PK=USER#{userId}, SK=IMAGE#{id}, in the table images2");
  EXPECT_FALSE(read_migration({"migration/t", "{}", {}}));
}

}  // namespace
}  // namespace waybill::migration
