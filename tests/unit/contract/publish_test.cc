// Where events are told: what the reader, the check and the comparison say of it.
#include <gtest/gtest.h>

#include "contract/check.h"
#include "contract/compare.h"
#include "contract/publication.h"
#include "contract/reader.h"

namespace waybill::contract {
namespace {

// A contract with these lines for publish; line 6 is the first of them.
std::string with(const std::string& lines, const std::string& version = "1") {
  return "contract: runs\nversion: " + version +
         "\nparameters: {env: {one_of: [dev, prod], default: dev}}\n"
         "table: {name: runs, key: run_id}\npublish:\n" +
         lines +
         R"(records:
  run:
    id: {field: run_id, kind: ulid}
    fields: {owner: string}
    status: {field: status, start: queued, moves: {queued: done}, ends: [done]}
    events: [{on: done, type: run_ended}]
)";
}

Contract read(const std::string& text) {
  Problems problems;
  auto made = read_contract(text, problems);
  EXPECT_TRUE(problems.empty()) << describe(problems.front(), "f");
  return made.value_or(Contract());
}

// All that is said of it, a line each, with the remedy.
std::string said(const std::string& text) {
  Problems problems;
  const auto contract = read_contract(text, problems);
  if (problems.empty()) {
    problems = check(*contract);
  }
  std::string lines;
  for (const auto& problem : problems) {
    lines += describe(problem, "f") + "\n";
  }
  return lines;
}

std::string compared(const std::string& before, const std::string& after) {
  std::string lines;
  for (const auto& one : compare(read(with(before)), read(with(after, "2")))) {
    EXPECT_EQ(one.kind, Difference::Kind::safe);
    lines += one.what + "\n";
  }
  return lines;
}

const std::string webhook = "  - {to: webhook, url: \"https://hooks.example.com/{env}\", secret_env: HOOK}\n";
const std::string kafka = "  - {to: kafka, brokers: \"a:9092,b:9092\", topic: \"runs-{env}\"}\n";
const std::string eventbridge = "  - {to: eventbridge, region: eu-central-1}\n";
const std::string queue = "  - {to: queue, name: \"runs-{env}-events\"}\n";

TEST(Publish, ReadsEveryKindOfPlace) {
  const std::string text = with(webhook + kafka + eventbridge + queue);
  EXPECT_EQ(said(text), "");
  const auto publish = read(text).publish;
  ASSERT_EQ(publish.size(), 4u);
  EXPECT_EQ(publish[0].to, Publication::Kind::webhook);
  EXPECT_EQ(written(publish[0].url), "https://hooks.example.com/{env}");
  EXPECT_EQ(publish[0].secret_env, "HOOK");
  EXPECT_EQ(publish[1].to, Publication::Kind::kafka);
  EXPECT_EQ(written(publish[1].brokers), "a:9092,b:9092");
  EXPECT_EQ(written(publish[1].topic), "runs-{env}");
  EXPECT_EQ(publish[2].to, Publication::Kind::eventbridge);
  EXPECT_EQ(written(publish[2].region), "eu-central-1");
  EXPECT_EQ(written(publish[2].endpoint), "");
  EXPECT_EQ(written(publish[2].bus), "default");
  EXPECT_EQ(publish[2].access_key_env, "AWS_ACCESS_KEY_ID");
  EXPECT_EQ(publish[2].secret_key_env, "AWS_SECRET_ACCESS_KEY");
  EXPECT_EQ(publish[3].to, Publication::Kind::queue);
  EXPECT_EQ(written(publish[3].queue), "runs-{env}-events");
}

TEST(Publish, SaysWhatIsMissing) {
  EXPECT_EQ(said(with("  - {url: \"https://a\"}\n")),
            "f:6:5: error: a place to publish to lacks \"to\"\n"
            "    say what it is: webhook, kafka, eventbridge or queue\n"
            "f:6:6: error: a place to publish to has no \"url\"\n    it may have to\n");
  EXPECT_EQ(said(with("  - {to: webhook}\n")),
            "f:6:5: error: a place to publish to lacks \"url\"\n    say where events are posted to\n");
  EXPECT_EQ(said(with("  - {to: kafka, topic: t}\n")),
            "f:6:5: error: a place to publish to lacks \"brokers\"\n"
            "    name one broker or several: \"host:9092,host:9092\"\n");
  EXPECT_EQ(said(with("  - {to: eventbridge}\n")),
            "f:6:5: error: a place to publish to lacks \"region\"\n"
            "    name the region, us-east-1 for example\n");
  EXPECT_EQ(said(with("  - {to: queue, nam: q}\n")),
            "f:6:5: error: a place to publish to lacks \"name\"\n    name the queue that events are sent to\n"
            "f:6:17: error: a place to publish to has no \"nam\"\n    did you mean \"name\"?\n");
  EXPECT_NE(said(with("  to: queue\n")).find("publish is a list, not a map"), std::string::npos);
}

TEST(Publish, RefusesSecretsInTheFile) {
  EXPECT_EQ(
      said(with("  - {to: webhook, url: \"https://a\", secret: abc}\n")),
      "f:6:37: error: a place to publish to has no \"secret\"\n    it may have to, url or secret_env\n");
  EXPECT_EQ(said(with("  - {to: webhook, url: \"https://a\", secret_env: \"whsec_+/=\"}\n")),
            "f:6:5: error: the place to publish to \"webhook\": secret_env does not name a variable of the "
            "environment\n"
            "    name the variable that holds the secret, such as HOOK_SECRET; secrets are not written into "
            "the file\n");
}

TEST(Publish, RefusesWhatLeadsNowhere) {
  EXPECT_EQ(said(with("  - {to: webhook, url: \"example.com\", secret_env: HOOK}\n")),
            "f:6:5: error: the place to publish to \"webhook\" leads to \"example.com\", which is no URL\n"
            "    begin it with https:// or http://\n");
  EXPECT_EQ(said(with("  - {to: kafka, brokers: \"a:9092\", topic: \"runs-{evn}\"}\n")),
            "f:6:5: error: the place to publish to \"kafka\" has {evn} in its topic, which is no parameter\n"
            "    did you mean {env}?\n");
  EXPECT_EQ(said(with("  - {to: queue, name: \"a b\"}\n")),
            "f:6:5: error: the place to publish to \"queue\" has a name that no queue can have: \"a b\"\n"
            "    use up to 80 letters, digits, hyphens and underscores, and .fifo at the end where it is "
            "one\n");
  EXPECT_EQ(said(with("  - {to: queue, name: \"events.fifo\"}\n")), "");
  EXPECT_EQ(said(with(queue + queue)),
            "f:7:5: error: the place to publish to \"queue\" is here twice\n    keep one of them\n");
}

TEST(Publish, WarnsOfWhatIsNotSigned) {
  EXPECT_EQ(said(with("  - {to: webhook, url: \"https://a\"}\n")),
            "f:6:5: warning: the place to publish to \"webhook\" is not signed: nobody can tell who posts "
            "there\n    say secret_env: NAME, a variable of the environment that holds a secret\n");
}

TEST(Publish, WarnsWhereThereAreNoEvents) {
  std::string text = with(queue);
  text.replace(text.find("    events:"), std::string::npos, "");
  EXPECT_EQ(said(text),
            "f:6:5: warning: there is a place to publish to, and no record has events\n"
            "    give a record events: [{on: STATE, type: TYPE}], or take publish away\n");
}

TEST(Publish, EveryChangeIsSafe) {
  EXPECT_EQ(compared(queue, queue), "");
  EXPECT_EQ(compared(queue, queue + kafka), "events are also told to kafka a:9092,b:9092, runs-{env}\n");
  EXPECT_EQ(compared(queue + kafka, kafka), "events are no longer told to queue runs-{env}-events\n");
  EXPECT_EQ(
      compared(webhook, "  - {to: webhook, url: \"https://hooks.example.com/{env}\", secret_env: NEW}\n"),
      "events are signed otherwise for webhook https://hooks.example.com/{env}\n");
}

}  // namespace
}  // namespace waybill::contract
