#include "job/draft.h"

#include <gtest/gtest.h>

#include "job/contracts.h"

namespace waybill::job {
namespace {

Draft draft_of(std::string_view text) {
  return Draft(item_of(text));
}

constexpr std::string_view failed_job =
    R"({"id":{"S":"1"},"status":{"S":"EDITING"},"error":{"M":{"code":{"S":"A"},"stack":{"S":"s"}}}})";

TEST(JobDraft, SetsInsideOfMapsAndMakesThem) {
  auto draft = draft_of(failed_job);
  draft.set_text({"error", "code"}, "B");
  draft.set_integer({"error", "retryCount"}, 2);
  draft.set_text({"new", "inner", "x"}, "y");
  const auto made = draft.result();
  EXPECT_EQ(at(made, "error.code"), "B");
  EXPECT_EQ(at(made, "error.stack"), "s");
  EXPECT_EQ(at(made, "error.retryCount"), "2");
  EXPECT_EQ(at(made, "new.inner.x"), "y");
  EXPECT_EQ(draft.integer({"error", "retryCount"}), 2);
}

TEST(JobDraft, UpdateMakesWhatResultSays) {
  auto draft = draft_of(failed_job);
  draft.set_text({"error", "code"}, "B");
  draft.remove({"error", "stack"});
  draft.remove({"status"});
  draft.remove({"nothing"});
  draft.set_integer({"n"}, -3);
  const auto after = draft.update().apply(draft.seen().view());
  ASSERT_TRUE(after);
  EXPECT_TRUE(item::equal(after->view(), draft.result().view())) << json_of(after->view());
  EXPECT_EQ(at(*after, "error.stack"), "");
  EXPECT_EQ(at(*after, "status"), "");
  EXPECT_EQ(at(*after, "n"), "-3");
}

TEST(JobDraft, HoldsOnlyAsLongAsWhatWasLookedAt) {
  auto draft = draft_of(failed_job);
  EXPECT_EQ(draft.text({"status"}), "EDITING");
  EXPECT_FALSE(draft.find({"attempts"}));
  const auto condition = draft.condition("id");
  EXPECT_TRUE(condition.holds(draft.seen().view()));
  EXPECT_TRUE(
      condition.holds(item_of(R"({"id":{"S":"1"},"status":{"S":"EDITING"},"other":{"N":"1"}})").view()));
  EXPECT_FALSE(condition.holds(item_of(R"({"id":{"S":"1"},"status":{"S":"FAILED"}})").view()));
  EXPECT_FALSE(
      condition.holds(item_of(R"({"id":{"S":"1"},"status":{"S":"EDITING"},"attempts":{"N":"1"}})").view()));
  EXPECT_FALSE(condition.holds(item::ItemView()));
}

TEST(JobDraft, WhatIsWrittenInsideOfAMapBindsTheMap) {
  auto draft = draft_of(failed_job);
  draft.set_text({"error", "code"}, "B");
  EXPECT_FALSE(draft.condition("id").holds(item_of(R"({"id":{"S":"1"},"error":{"M":{}}})").view()));
}

TEST(JobDraft, DependsOnAll) {
  auto draft = draft_of(failed_job);
  draft.depend_on_all();
  EXPECT_TRUE(draft.condition("id").holds(draft.seen().view()));
  EXPECT_FALSE(draft.condition("id").holds(item_of(R"({"id":{"S":"1"},"status":{"S":"EDITING"}})").view()));
}

TEST(JobDraft, MergesPatches) {
  auto draft =
      draft_of(R"({"id":{"S":"1"},"a":{"M":{"x":{"N":"1"},"y":{"N":"2"}}},"b":{"S":"t"},"c":{"S":"u"}})");
  draft.merge({item_of(R"({"a":{"M":{"y":{"N":"3"},"z":{"M":{"q":{"N":"4"}}}}},"b":{"M":{"k":{"N":"5"}}}})"),
               {{"a", "x"}, {"c"}, {"none", "x"}}});
  const auto made = draft.result();
  EXPECT_TRUE(item::equal(
      made.view(),
      item_of(
          R"({"id":{"S":"1"},"a":{"M":{"y":{"N":"3"},"z":{"M":{"q":{"N":"4"}}}}},"b":{"M":{"k":{"N":"5"}}}})")
          .view()))
      << json_of(made.view());
}

TEST(JobDraft, PathsOfTexts) {
  EXPECT_EQ(path_of_text("error.code"), (Path{"error", "code"}));
  EXPECT_EQ(path_of_text("attempts"), (Path{"attempts"}));
}

}  // namespace
}  // namespace waybill::job
