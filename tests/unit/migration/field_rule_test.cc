#include "migration/field_rule.h"

#include <gtest/gtest.h>

#include "base/json.h"
#include "item/json.h"
#include "item/plain_json.h"

namespace waybill::migration {
namespace {

item::Item item_of(std::string_view text) {
  json::Parser parser;
  return *item::parse_item(*parser.parse_copy(text));
}

// {"old":…,"new":…} of texts: "a-" has the old field with a, and no new one.
item::Item pair_of(std::string_view pair) {
  item::Item made;
  const auto add = [&](std::string_view name, char value) {
    if (value != '-') {
      item::append_name(made.encoded, name);
      item::append_scalar(made.encoded, item::Type::string, std::string(1, value));
    }
  };
  add("old", pair[0]);
  add("new", pair[1]);
  return made;
}

std::string words_of(item::ItemView item) {
  const auto word = [&](std::string_view name) {
    const auto value = item.find(name);
    return value ? std::string(value->bytes()) : "-";
  };
  return word("old") + word("new");
}

class Rename : public ::testing::Test {
 protected:
  // What becomes of a record that goes from the one to the other.
  static std::string written(Step step, std::string_view before, std::string_view after) {
    Migration migration;
    migration.kind = Kind::rename;
    migration.step = step;
    migration.old_field = "old";
    migration.new_field = "new";
    const item::Item was = before.empty() ? item::Item() : pair_of(before);
    const item::Item is = pair_of(after);
    const auto made =
        rewrite(rule_of(migration), before.empty() ? std::nullopt : std::optional(was.view()), is.view());
    return words_of(made ? made->view() : is.view());
  }
};

TEST_F(Rename, P11BothAreWrittenWhicheverTheWriterKnows) {
  for (const Step step :
       {Step::dual_write, Step::backfilling, Step::filled, Step::verified, Step::switched, Step::restoring}) {
    EXPECT_EQ(written(step, "", "a-"), "aa");
    EXPECT_EQ(written(step, "", "-a"), "aa");
    EXPECT_EQ(written(step, "", "--"), "--");
    EXPECT_EQ(written(step, "aa", "ba"), "bb");
    EXPECT_EQ(written(step, "aa", "ab"), "bb");
    EXPECT_EQ(written(step, "aa", "b-"), "bb");
    EXPECT_EQ(written(step, "aa", "-b"), "bb");
    EXPECT_EQ(written(step, "aa", "a-"), "aa");
    EXPECT_EQ(written(step, "aa", "--"), "--");
    EXPECT_EQ(written(step, "a-", "a-"), "aa");
  }
}

TEST_F(Rename, TheOldOneCountsUntilTheSwitchAndTheNewOneAfterIt) {
  EXPECT_EQ(written(Step::verified, "aa", "bc"), "bb");
  EXPECT_EQ(written(Step::switched, "aa", "bc"), "cc");
  EXPECT_EQ(written(Step::verified, "ab", "ab"), "aa");
  EXPECT_EQ(written(Step::switched, "ab", "ab"), "bb");
}

TEST_F(Rename, WhoTakesTheOldOneAwayBeforeTheSwitchMeansBoth) {
  EXPECT_EQ(written(Step::dual_write, "aa", "-a"), "--");
  EXPECT_EQ(written(Step::switched, "aa", "-a"), "aa");
  EXPECT_EQ(written(Step::restoring, "-a", "-a"), "aa");
}

TEST_F(Rename, OnceStoppedWhatIsStillWrittenToTheOldOneGoesToTheNewOne) {
  for (const Step step : {Step::stopped, Step::dropping}) {
    EXPECT_EQ(written(step, "", "a-"), "-a");
    EXPECT_EQ(written(step, "-a", "ba"), "-b");
    EXPECT_EQ(written(step, "aa", "aa"), "-a");
    EXPECT_EQ(written(step, "aa", "ab"), "-b");
    EXPECT_EQ(written(step, "-a", "bc"), "-c");
    EXPECT_EQ(written(step, "-a", "--"), "--");
  }
  EXPECT_EQ(written(Step::removing, "aa", "aa"), "a-");
  EXPECT_EQ(written(Step::removing, "a-", "ab"), "b-");
  EXPECT_EQ(written(Step::done, "", "ab"), "ab");
}

TEST(Add, P11RecordsGetTheValueWhereNobodySays) {
  Migration migration;
  migration.kind = Kind::add;
  migration.new_field = "priority";
  migration.having = "jobId";
  item::append_scalar(migration.initial, item::Type::number, "0");
  const auto made = [&](std::string_view before, std::string_view after) {
    const item::Item was = item_of(before);
    const item::Item is = item_of(after);
    const auto written = rewrite(rule_of(migration), was.view(), is.view());
    return item::to_plain_json(written ? written->view() : is.view());
  };
  const std::string job = R"({"jobId":{"S":"j"}})";
  const std::string filled = R"({"jobId":{"S":"j"},"priority":{"N":"0"}})";
  const std::string high = R"({"jobId":{"S":"j"},"priority":{"N":"5"}})";
  EXPECT_EQ(made(job, job), R"({"jobId":"j","priority":0})");
  EXPECT_EQ(made(high, high), R"({"jobId":"j","priority":5})");
  EXPECT_EQ(made(R"({"x":{"S":"j"}})", R"({"x":{"S":"j"}})"), R"({"x":"j"})");
  migration.step = Step::removing;
  EXPECT_EQ(made(filled, filled), R"({"jobId":"j"})");
  EXPECT_EQ(made(high, high), R"({"jobId":"j","priority":5})");
  EXPECT_EQ(made(job, filled), R"({"jobId":"j","priority":0})");
}

TEST(Remove, P11NothingIsWrittenToItAndWhatIsThereStaysUntilTheDrop) {
  Migration migration;
  migration.kind = Kind::remove;
  migration.step = Step::stopped;
  migration.old_field = "old";
  const auto written = [&](std::string_view before, std::string_view after) {
    const item::Item was = pair_of(before);
    const item::Item is = pair_of(after);
    const auto made = rewrite(rule_of(migration), was.view(), is.view());
    return words_of(made ? made->view() : is.view());
  };
  EXPECT_EQ(written("--", "a-"), "--");
  EXPECT_EQ(written("a-", "b-"), "a-");
  EXPECT_EQ(written("a-", "ax"), "ax");
  EXPECT_EQ(written("a-", "-x"), "-x");
  migration.step = Step::dropping;
  EXPECT_EQ(written("a-", "a-"), "--");
}

}  // namespace
}  // namespace waybill::migration
