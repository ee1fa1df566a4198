#include "access/reach.h"

#include <gtest/gtest.h>

#include "item/json.h"

namespace waybill::access {
namespace {

item::Item item_of(std::string_view text) {
  json::Parser parser;
  return *item::parse_item(*parser.parse_copy(text));
}

const table::KeySchema key{{"PK", item::Type::string}, table::KeyAttribute{"SK", item::Type::string}};

LimitsPtr limits(std::vector<Pattern> keys,
                 std::map<std::string, std::vector<std::string>, std::less<>> attributes = {}) {
  return std::make_shared<const Limits>(Limits{std::move(keys), std::move(attributes)});
}

// The layout of the asset creator: jobs under their project, steps under their job.
Reach project_reach() {
  Reach reach;
  reach.add(limits({{"PROJECT#prj_001", false}}));
  reach.add(limits({{"JOB#", true}}, {{"project_id", {"prj_001"}}}));
  return reach;
}

bool covers(const Reach& reach, std::string_view text) {
  const auto item = item_of(text);
  return reach.covers(key, item.view());
}

TEST(ReachTest, NothingIsAllowedUntilSomethingIs) {
  EXPECT_TRUE(Reach::nothing().is_nothing());
  EXPECT_FALSE(covers(Reach::nothing(), R"({"PK":{"S":"a"}})"));
  EXPECT_EQ(Reach::nothing().by_key(item::Type::string, "a"), ByKey::outside);
  EXPECT_TRUE(Reach::everything().is_everything());
  EXPECT_TRUE(covers(Reach::everything(), R"({"PK":{"S":"a"}})"));
}

TEST(ReachTest, AKeyIsWholeUnlessItSaysOtherwise) {
  const auto reach = project_reach();
  EXPECT_TRUE(covers(reach, R"({"PK":{"S":"PROJECT#prj_001"}})"));
  for (const char* const other :
       {R"({"PK":{"S":"PROJECT#prj_0010"}})", R"({"PK":{"S":"PROJECT#prj_001#a"}})",
        R"({"PK":{"S":"PROJECT#prj_00"}})", R"({"PK":{"S":""}})", R"({"PK":{"B":"UFJPSkVDVCNwcmpfMDAx"}})",
        R"({"SK":{"S":"PROJECT#prj_001"}})", R"({"PK":{"L":[{"S":"PROJECT#prj_001"}]}})"}) {
    EXPECT_FALSE(covers(reach, other)) << other;
  }
}

TEST(ReachTest, AttributesNarrowAGrantAndDoNotWidenAnother) {
  const auto reach = project_reach();
  EXPECT_TRUE(covers(reach, R"({"PK":{"S":"JOB#1"},"project_id":{"S":"prj_001"}})"));
  EXPECT_FALSE(covers(reach, R"({"PK":{"S":"JOB#1"},"project_id":{"S":"prj_002"}})"));
  EXPECT_FALSE(covers(reach, R"({"PK":{"S":"JOB#1"}})"));
  EXPECT_FALSE(covers(reach, R"({"PK":{"S":"JOB#1"},"project_id":{"SS":["prj_001"]}})"));
  // The attribute alone opens no other keys: nothing can be planted in another's project.
  EXPECT_FALSE(covers(reach, R"({"PK":{"S":"PROJECT#prj_002"},"project_id":{"S":"prj_001"}})"));
}

TEST(ReachTest, AllAttributesOfAGrantMustFit) {
  Reach reach;
  reach.add(limits({}, {{"project_id", {"prj_001", "prj_002"}}, {"kind", {"7"}}}));
  EXPECT_TRUE(covers(reach, R"({"PK":{"S":"x"},"project_id":{"S":"prj_002"},"kind":{"N":"7.0"}})"));
  EXPECT_FALSE(covers(reach, R"({"PK":{"S":"x"},"project_id":{"S":"prj_002"},"kind":{"N":"8"}})"));
  EXPECT_FALSE(covers(reach, R"({"PK":{"S":"x"},"project_id":{"S":"prj_002"}})"));
}

TEST(ReachTest, TheKeyTellsWhatItCan) {
  const auto reach = project_reach();
  EXPECT_EQ(reach.by_key(item::Type::string, "PROJECT#prj_001"), ByKey::inside);
  EXPECT_EQ(reach.by_key(item::Type::string, "PROJECT#prj_002"), ByKey::outside);
  EXPECT_EQ(reach.by_key(item::Type::string, "JOB#1"), ByKey::open);
  EXPECT_EQ(Reach::everything().by_key(item::Type::binary, "x"), ByKey::inside);
}

TEST(ReachTest, NumbersFitWholeTexts) {
  Reach reach;
  reach.add(limits({{"12", false}, {"4", true}}));
  EXPECT_EQ(reach.by_key(item::Type::number, "12"), ByKey::inside);
  EXPECT_EQ(reach.by_key(item::Type::number, "123"), ByKey::outside);
  EXPECT_EQ(reach.by_key(item::Type::number, "42"), ByKey::outside);
  EXPECT_EQ(reach.by_key(item::Type::string, "42"), ByKey::inside);
}

TEST(ReachTest, TellsWhatItAsksAbout) {
  EXPECT_EQ(project_reach().attributes(), std::vector<std::string_view>{"project_id"});
}

}  // namespace
}  // namespace waybill::access
