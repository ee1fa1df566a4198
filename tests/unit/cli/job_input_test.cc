// What people type for records and fields, and what is sent for it.
#include <gtest/gtest.h>

#include "cli/job/event_reader.h"
#include "cli/job/field_values.h"
#include "cli/job/json_parts.h"
#include "cli/job/target.h"
#include "contract/reader.h"

namespace waybill::cli::job {
namespace {

contract::Contract sample() {
  contract::Problems problems;
  auto made = contract::read_contract(
      "contract: sample\nversion: 1\ntable: {name: t, key: id}\nrecords:\n  r:\n"
      "    id: {field: id, kind: ulid}\n    fields:\n      name: string\n      at?: timestamp\n"
      "      count: int\n      tags?: {list_of: string}\n      more?: any\n",
      problems);
  EXPECT_TRUE(problems.empty());
  return *std::move(made);
}

TEST(JobTarget, HasContractRecordAndMaybeAnId) {
  const auto kind = parse_target("orchestrator/job");
  ASSERT_TRUE(kind);
  EXPECT_EQ(kind->contract, "orchestrator");
  EXPECT_EQ(kind->record, "job");
  EXPECT_EQ(kind->id, "");
  EXPECT_EQ(path_of(*kind, "counts"), "/v1/orchestrator/job:counts");
  const auto one = parse_target("asset-creator/asset/p%2C1,a/b:c");
  ASSERT_TRUE(one);
  EXPECT_EQ(one->id, "p%2C1,a/b:c");
  EXPECT_EQ(one->text(), "asset-creator/asset/p%2C1,a/b:c");
  EXPECT_EQ(path_of(*one), "/v1/asset-creator/asset/p%252C1%2Ca%2Fb%3Ac");
}

TEST(JobTarget, IsRefusedWhereAPartIsMissing) {
  for (const auto* const text :
       {"", "job", "/job", "orchestrator/", "orchestrator//x", "orchestrator/job/"}) {
    EXPECT_FALSE(parse_target(text)) << text;
  }
}

TEST(FieldValues, AreTypedByTheContract) {
  const auto contract = sample();
  const auto* const record = contract.find("r");
  EXPECT_EQ(json_value(record, "name", "17"), R"("17")");
  EXPECT_EQ(json_value(record, "id", "17"), R"("17")");
  EXPECT_EQ(json_value(record, "at", "2026"), R"("2026")");
  EXPECT_EQ(json_value(record, "count", "12345678901234567890123"), "12345678901234567890123");
  EXPECT_EQ(json_value(record, "count", "many"), R"("many")");
  EXPECT_EQ(json_value(record, "tags", R"(["a","b"])"), R"(["a","b"])");
  EXPECT_EQ(json_value(record, "more", "true"), "true");
  EXPECT_EQ(json_value(record, "more", "a \"b\""), R"("a \"b\"")");
  EXPECT_EQ(json_value(nullptr, "name", "17"), "17");
}

TEST(FieldValues, GoBeforeTheMembersOfTheFile) {
  const auto body = record_body(nullptr, R"({"a":1,"b":{"c":[1,2]}})", {"a=2", "d=x=y", "a=3"});
  ASSERT_TRUE(body);
  EXPECT_EQ(*body, R"({"a":3,"b":{"c":[1,2]},"d":"x=y"})");
  EXPECT_EQ(*record_body(nullptr, "", {}), "{}");
  EXPECT_FALSE(record_body(nullptr, "[1]", {}));
  EXPECT_FALSE(record_body(nullptr, "{", {}));
  EXPECT_FALSE(record_body(nullptr, "", {"=x"}));
  EXPECT_FALSE(record_body(nullptr, "", {"x"}));
}

TEST(JsonParts, LeaveValuesAsTheyWereWritten) {
  const std::string text = R"( {"a" : 1.50e2 , "b\n":"x\"}", "c":{"d":[1,{"e":"]"}]}, "f":null} )";
  const auto members = members_of(text);
  ASSERT_EQ(members.size(), 4U);
  EXPECT_EQ(members[0].value, "1.50e2");
  EXPECT_EQ(members[1].name, "b\n");
  EXPECT_EQ(text_of(members, "b\n"), "x\"}");
  EXPECT_EQ(find(members, "c"), R"({"d":[1,{"e":"]"}]})");
  EXPECT_EQ(text_of(members, "f"), "");
  EXPECT_EQ(text_of(members, "none"), "");
  EXPECT_EQ(elements_of("[1, [2,3] ,\"4\"]").size(), 3U);
  EXPECT_TRUE(elements_of("[ ]").empty());
  EXPECT_TRUE(members_of("{}").empty());
}

TEST(JsonParts, KnowJsonWithNumbersOfAnyLength) {
  for (const auto* const text : {"0", "-12", "1.5", "12345678901234567890123456789012345678", "1e+5", "true",
                                 "[]", R"({"a":[12345678901234567890123,"-1-"]})", R"("\\\"1-")", " 1 "}) {
    EXPECT_TRUE(is_json(text)) << text;
  }
  for (const auto* const text : {"", "01", "1.", ".5", "1e", "-", "+1", "1-2", "2026-11-16", "1 2", "[1,]",
                                 "{1:2}", "yes", "'a'", "\"a", "1a"}) {
    EXPECT_FALSE(is_json(text)) << text;
  }
}

TEST(JsonParts, EndWithTextThatIsNoJson) {
  for (const auto* const text : {"", "{", "{\"a", "{\"a\":", "[", "[1,", "x", "{\"a\":\"\\", "[\"", "}"}) {
    members_of(text);
    elements_of(text);
  }
}

TEST(EventReader, ReadsEventsFromAnyPieces) {
  const std::string text =
      "retry: 1000\n\nid: 7\nevent: create\ndata: {\"a\":1}\n\n: nothing new\n\ndata: x\r\ndata: y\r\n\r\n";
  for (std::size_t piece = 1; piece <= text.size(); ++piece) {
    EventReader reader;
    std::vector<FeedEvent> events;
    for (std::size_t at = 0; at < text.size(); at += piece) {
      reader.add(std::string_view(text).substr(at, piece));
      while (auto event = reader.next()) {
        events.push_back(*std::move(event));
      }
    }
    ASSERT_EQ(events.size(), 2U);
    EXPECT_EQ(events[0].id, "7");
    EXPECT_EQ(events[0].name, "create");
    EXPECT_EQ(events[0].data, "{\"a\":1}");
    EXPECT_EQ(events[1].data, "x\ny");
  }
}

}  // namespace
}  // namespace waybill::cli::job
