// The decisions of the worker for assets: what a record asks for, what makes two stages the same, which
// version comes next.
#include <gtest/gtest.h>

#include "worker/assets/made.h"
#include "worker/assets/order.h"
#include "worker/assets/stage_key.h"
#include "worker/assets/version.h"

namespace waybill::worker::assets {
namespace {

Result<Order> order_of(const std::string& json) {
  json::Parser parser;
  return read_order(*parser.parse_copy(json));
}

constexpr const char* plain =
    R"({"project_id":"p","job_id":"job_1","asset_type":"3D_X","current_step":"refine","prompt":"a tree","seed":4,)"
    R"("review":["refine","export"],"parameters":{"refine":{"scale":2}}})";

TEST(Order, IsReadFromTheRecord) {
  const auto order = order_of(plain);
  ASSERT_TRUE(order);
  EXPECT_EQ(order->stage, asset::Stage::refine);
  EXPECT_EQ(order->seed, 4);
  EXPECT_EQ(order->asset_id, "ast_1");
  EXPECT_TRUE(order->review.contains("export"));
  EXPECT_EQ(order->parameters.at("refine"), R"({"scale":2})");
  EXPECT_FALSE(order->skips(asset::Stage::rig));
}

TEST(Order, SaysWhatIsMissing) {
  EXPECT_EQ(order_of(R"({"project_id":"p","job_id":"j","current_step":"refine"})").error().detail,
            "ORDER_INCOMPLETE");
  EXPECT_EQ(order_of("{}").error().detail, "ORDER_INCOMPLETE");
}

TEST(Order, APictureHasNoDepth) {
  const auto order = order_of(
      R"({"project_id":"p","job_id":"j","asset_type":"2D_ICON","current_step":"refine","prompt":"x"})");
  ASSERT_TRUE(order);
  for (const auto stage : asset::all_stages) {
    const bool is_between = stage >= asset::Stage::shape && stage <= asset::Stage::anim;
    EXPECT_EQ(order->skips(stage), is_between) << asset::name_of(stage);
  }
}

Made image(const std::string& digest) {
  Made made;
  made.stage = "text-to-image";
  made.artifacts.push_back({"text-to-image.png", "k", "image/png", 10, digest});
  made.metrics.push_back({"parts", 3});
  return made;
}

TEST(StageKey, A5_IsThatOfAllThatMakesAStage) {
  const auto order = *order_of(plain);
  const auto key_of = [](const Order& of, const std::vector<Made>& before, std::string_view model) {
    return stage_key(of, stage_work(of, asset::Stage::refine, before, model));
  };
  const auto key = key_of(order, {image("aa")}, "m1");
  EXPECT_EQ(key.size(), 64u);
  EXPECT_EQ(key_of(order, {image("aa")}, "m1"), key);
  EXPECT_NE(key_of(order, {image("bb")}, "m1"), key);
  EXPECT_NE(key_of(order, {image("aa")}, "m2"), key);
  auto other = order;
  other.seed = 5;
  EXPECT_NE(key_of(other, {image("aa")}, "m1"), key);
  other = order;
  other.project_id = "q";
  EXPECT_NE(key_of(other, {image("aa")}, "m1"), key);
  other = order;
  other.parameters["refine"] = R"({"scale":3})";
  EXPECT_NE(key_of(other, {image("aa")}, "m1"), key);
  other = order;
  other.job_id = "job_2";
  EXPECT_EQ(key_of(other, {image("aa")}, "m1"), key) << "another job of the project asks for the same";
}

TEST(StageKey, A5_TheRecordHasTheFieldsOfItsKey) {
  const auto order = *order_of(plain);
  const auto work = stage_work(order, asset::Stage::refine, {image("aa")}, "m1");
  EXPECT_EQ(step_request(order, work),
            R"({"job_id":"job_1","project_id":"p","asset_type":"3D_X","step_name":"refine",)"
            R"("inputs":{"prompt":"a tree","parameters":{"scale":2},)"
            R"("sources":[{"stage":"text-to-image","sha256":"aa"}]},"seed":4,"model_version":"m1"})");
  EXPECT_EQ(artifact_key(order, work, "refine.png"), "p/refine/" + stage_key(order, work) + "/refine.png");
}

TEST(Made, A8_IsKeptWithTheStep) {
  const auto fields = step_fields(image("aa"));
  EXPECT_EQ(fields,
            R"({"artifacts":[{"name":"text-to-image.png","key":"k","media_type":"image/png","bytes":10,)"
            R"("sha256":"aa"}],"metrics":{"parts":3.0}})");
  const auto list = read_made_list(
      R"({"items":[{"step_name":"text-to-image","status":"failed"},{"step_name":"text-to-image","status":)"
      R"("completed",)" +
      fields.substr(1) + "]}");
  ASSERT_TRUE(list);
  ASSERT_EQ(list->size(), 1u) << "the last record of a stage counts";
  EXPECT_EQ(find(*list, "text-to-image")->artifacts, image("aa").artifacts);
  EXPECT_EQ(find(*list, "rig"), nullptr);
  EXPECT_FALSE(read_made_list("[]"));
}

TEST(Version, A3_CountsUpAndComesOnceForEachStage) {
  const std::string list =
      R"({"items":[{"version":4,"metadata":{"job_id":"j","step":"rig"}},{"version":3,"metadata":{}}]})";
  EXPECT_EQ(plan_version(list, "j", "anim")->next, 5);
  EXPECT_FALSE(plan_version(list, "j", "anim")->is_there);
  EXPECT_TRUE(plan_version(list, "j", "rig")->is_there);
  EXPECT_FALSE(plan_version(list, "other", "rig")->is_there);
  EXPECT_EQ(plan_version(R"({"items":[]})", "j", "rig")->next, 1);
  EXPECT_FALSE(plan_version("{}", "j", "rig"));
}

}  // namespace
}  // namespace waybill::worker::assets
