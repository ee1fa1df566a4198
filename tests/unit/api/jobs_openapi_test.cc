// The description of the API: made of the contracts, and whole. A validator looks at it in the black-box
// tests.
#include "api/jobs/openapi.h"

#include <gtest/gtest.h>

#include "api/jobs/operations.h"
#include "api/jobs_contracts.h"
#include "base/json.h"

namespace waybill::api::jobs {
namespace {

class OpenApi : public testing::Test {
 protected:
  OpenApi()
      : root_(
            *parser_.parse_copy(describe_api({deploy_file("orchestrator"), deploy_file("asset-creator")}))) {}

  json::Value at(std::initializer_list<std::string_view> names) const {
    json::Value value = root_;
    for (const auto name : names) {
      const auto found = value.find(name);
      EXPECT_TRUE(found) << name;
      if (!found) {
        return value;
      }
      value = *found;
    }
    return value;
  }
  bool has_path(std::string_view path) const { return at({"paths"}).find(path).has_value(); }

  json::Parser parser_;
  json::Value root_;
};

TEST_F(OpenApi, EveryOperationIsThere) {
  std::size_t count = 0;
  for (json::Members path(at({"paths"})); path.next();) {
    count += path.value().size();
  }
  std::size_t expected = 0;
  for (const Operation* const operation : operations()) {
    const bool is_of_records =
        operation->shape == Path::Shape::records || operation->shape == Path::Shape::record;
    if (!is_of_records) {
      ++expected;
      continue;
    }
    for (const auto& contract : {deploy_file("orchestrator"), deploy_file("asset-creator")}) {
      for (const auto& kind : contract->kinds) {
        expected += applies(*operation, *kind.record) ? 1 : 0;
      }
    }
  }
  EXPECT_EQ(count, expected);
}

TEST_F(OpenApi, RecordsHaveTheOperationsOfTheirContract) {
  EXPECT_TRUE(has_path("/v1/orchestrator/job:claim"));
  EXPECT_TRUE(has_path("/v1/orchestrator/job/{id}:step"));
  EXPECT_FALSE(has_path("/v1/orchestrator/job/{id}:approve"));
  EXPECT_TRUE(has_path("/v1/asset-creator/job/{id}:approve"));
  EXPECT_FALSE(has_path("/v1/asset-creator/job/{id}:replay"));
  EXPECT_FALSE(has_path("/v1/asset-creator/asset:claim"));
  EXPECT_TRUE(has_path("/v1/asset-creator/asset/{id}"));
}

TEST_F(OpenApi, SchemasFollowTheFields) {
  const auto properties = at({"components", "schemas", "orchestrator.job", "properties"});
  EXPECT_EQ(properties.find("trigger_type")->find("enum")->size(), 4u);
  EXPECT_EQ(properties.find("attempts")->find("minimum")->integer(), 0);
  EXPECT_EQ(properties.find("status")->find("enum")->size(), 7u);
  EXPECT_EQ(properties.find("created_at")->find("format")->string(), "date-time");
  EXPECT_TRUE(properties.find("created_at")->find("readOnly")->boolean());
  std::string required;
  for (json::Elements each(at({"components", "schemas", "orchestrator.job.new", "required"})); each.next();) {
    required.append(each.value().string()).append(" ");
  }
  EXPECT_EQ(required, "workspace_id user_id workflow_id trigger_type ");
}

}  // namespace
}  // namespace waybill::api::jobs
