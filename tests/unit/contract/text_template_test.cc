#include "contract/text_template.h"

#include <gtest/gtest.h>

namespace waybill::contract {
namespace {

TextTemplate made(std::string_view text) {
  auto parsed = TextTemplate::parse(text);
  EXPECT_TRUE(parsed) << parsed.error().message;
  return parsed ? *std::move(parsed) : TextTemplate();
}

std::optional<std::string> rendered(std::string_view text, const std::map<std::string, std::string>& values) {
  return made(text).render([&](const std::string& field) -> std::optional<std::string> {
    const auto found = values.find(field);
    return found == values.end() ? std::nullopt : std::optional(found->second);
  });
}

using Values = std::map<std::string, std::string>;

TEST(TextTemplate, PutsFieldsIntoText) {
  EXPECT_EQ(rendered("JOB#{job_id}", {{"job_id", "j1"}}), "JOB#j1");
  EXPECT_EQ(rendered("STEP#{step_name}#{ts}", {{"step_name", "rig"}, {"ts", "2026"}}), "STEP#rig#2026");
  EXPECT_EQ(rendered("METADATA", {}), "METADATA");
  EXPECT_EQ(rendered("{{{a}}}", {{"a", "x"}}), "{x}");
}

TEST(TextTemplate, PadsNumbersSoThatTheySortAsText) {
  EXPECT_EQ(rendered("V#{version:08}", {{"version", "12"}}), "V#00000012");
  EXPECT_EQ(rendered("V#{version:02}", {{"version", "123"}}), std::nullopt);
  EXPECT_EQ(rendered("V#{version:08}", {{"version", "-1"}}), std::nullopt);
  EXPECT_EQ(rendered("V#{version:08}", {{"version", "1.5"}}), std::nullopt);
}

TEST(TextTemplate, IsNothingWhereAFieldIsMissing) {
  EXPECT_EQ(rendered("ALBUM#{albumId}", {}), std::nullopt);
  EXPECT_EQ(rendered("ALBUM#{albumId}", {{"albumId", ""}}), std::nullopt);
}

TEST(TextTemplate, FindsTheFieldsAgain) {
  EXPECT_EQ(made("ASSET#{asset_id}#V#{version:08}").match("ASSET#a#b#V#00000012"),
            (Values{{"asset_id", "a#b"}, {"version", "00000012"}}));
  EXPECT_EQ(made("ASSET#{asset_id}#V#{version:08}").match("ASSET#a#V#12"), std::nullopt);
  EXPECT_EQ(made("JOB#{job_id}").match("PROJECT#p"), std::nullopt);
  EXPECT_EQ(made("JOB#{job_id}").match("JOB#"), std::nullopt);
  EXPECT_EQ(made("META").match("META"), Values());
  EXPECT_EQ(made("{a}-{a}").match("xy-xy"), (Values{{"a", "xy"}}));
  EXPECT_EQ(made("{a}-{a}").match("xy-xz"), std::nullopt);
}

TEST(TextTemplate, KnowsWhetherTwoCouldBeTheSame) {
  EXPECT_TRUE(made("JOB#{id}").may_meet(made("{any}")));
  EXPECT_FALSE(made("JOB#{id}").may_meet(made("ASSET#{id}")));
  EXPECT_TRUE(made("META").may_meet(made("META")));
  EXPECT_FALSE(made("META").may_meet(made("TAGS")));
  EXPECT_TRUE(made("META").may_meet(made("M{rest}")));
  EXPECT_FALSE(made("V#{number:08}").may_meet(made("V#x")));
}

TEST(TextTemplate, SaysWhatIsWrong) {
  for (const auto& [text, message] : std::vector<std::pair<std::string, std::string>>{
           {"JOB#{job_id", "\"JOB#{job_id\" has a { without a }; a brace as such is written twice"},
           {"JOB#job_id}", "\"JOB#job_id}\" has a } without a {; a brace as such is written twice"},
           {"{}", "\"{}\" does not name a field"},
           {"{job id}", "\"{job id}\" does not name a field"},
           {"{version:8}", "\"{version:8}\": a width is written as in {version:08}"},
           {"{version:00}", "\"{version:00}\": a width is between 1 and 38"},
           {"{version:0999}", "\"{version:0999}\": a width is between 1 and 38"}}) {
    const auto parsed = TextTemplate::parse(text);
    ASSERT_FALSE(parsed) << text;
    EXPECT_EQ(parsed.error().message, message);
  }
}

}  // namespace
}  // namespace waybill::contract
