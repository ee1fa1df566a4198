// What the check says of contracts that contradict themselves, and of the traps that are known.
#include "contract/check.h"

#include <gtest/gtest.h>

#include "contract/reader.h"

namespace waybill::contract {
namespace {

// A contract with one part replaced by another.
std::string with(const std::string& from, const std::string& to) {
  std::string text = R"(contract: runs
version: 1
parameters:
  env: {one_of: [dev, prod], default: dev}
table:
  name: runs-{env}
  key: [PK, SK]
  indexes:
    by_owner: {key: [owner, created_at]}
  ttl: ttl_at
records:
  run:
    key: {PK: "RUN#{run_id}", SK: "META"}
    id: {field: run_id, kind: ulid}
    owner: owner
    fields:
      owner: string
      attempts: {type: int, default: 0}
      most: {type: int, default: 5}
      created_at: {type: timestamp, set: on_create}
      ended_at?: {type: timestamp, set: {on_entering: [done, dead]}}
      ttl_at?: epoch_s
    status:
      field: status
      start: queued
      moves:
        queued: working
        working: [done, failed, dead]
        failed: [working, dead]
      ends: [done, dead]
    work:
      queue: {name: "runs-{env}-queue"}
      message: {run_id: "{run_id}", attempt: attempts + 1}
      claim: {from: [queued, failed], to: working}
      done: {from: working, to: done}
      fail: {from: working, to: failed}
      give_up: {after: most, to: dead}
      attempts: attempts
    events:
      - {on: [done, dead], type: run_ended}
)";
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
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

// What is said where the message lacks a field of the key.
std::string lost(const std::string& field) {
  return "f:32:7: error: the message of \"run\" does not carry \"" + field +
         "\", of which the record's key is made: a worker could not find the record\n    add " + field +
         ": \"{" + field + "}\" to the message\n";
}

TEST(Check, HasNothingToSayOfASoundContract) {
  EXPECT_EQ(said(with("version: 1", "version: 1")), "");
}

TEST(Check, WarnsOfAWorkingStateThatCannotFail) {
  EXPECT_EQ(
      said(with("working: [done, failed, dead]", "working: polishing\n        polishing: [done, failed]")),
      "f:28:9: warning: the record \"run\" is worked on in \"working\" and cannot fail there: a worker that "
      "breaks leaves it for ever\n    add failed to the moves of working\n"
      "f:36:20: error: the record \"run\": done goes from working to done, which its moves do not allow\n"
      "    add done to the moves of working, or say by_hand: true where only people may do it\n"
      "f:37:20: error: the record \"run\": fail goes from working to failed, which its moves do not allow\n"
      "    add failed to the moves of working, or say by_hand: true where only people may do it\n"
      "f:38:34: error: the record \"run\": give_up goes from working, where claim leads, to dead, which its "
      "moves do not allow\n    add dead to the moves of working\n");
}

TEST(Check, AttemptsCanBeGivenUpWhereverTheyEnd) {
  EXPECT_EQ(
      said(with("failed: [working, dead]", "failed: working")),
      "f:37:34: error: the record \"run\": give_up goes from failed, where fail leads, to dead, which its "
      "moves do not allow\n    add dead to the moves of failed\n");
  EXPECT_EQ(said(with("give_up: {after: most, to: dead}", "give_up: {after: most, to: gone}")),
            "f:37:34: error: the record \"run\": give_up leads to \"gone\", which is no state\n"
            "    use a state of its moves\n");
  EXPECT_EQ(said(with("give_up: {after: most, to: dead}", "give_up: {after: most, to: failed}")), "");
}

TEST(Check, ABuiltInWorkerIsKnownAndToldOfFieldsThatAre) {
  const auto told = [](const std::string& built_in) {
    return said(
        with("      attempts: attempts\n", "      attempts: attempts\n      built_in: " + built_in + "\n"));
  };
  EXPECT_EQ(told("text"), "");
  EXPECT_EQ(told("{worker: image, with: {original: \"{env}/{run_id}\"}}"), "");
  EXPECT_NE(told("video").find("there is no built-in worker \"video\"\n    use one of photo, image, text"),
            std::string::npos);
  EXPECT_NE(told("{worker: image, with: {original: \"{nothing}\"}}")
                .find("has no field \"nothing\", which its built-in worker names"),
            std::string::npos);
  EXPECT_NE(told("{with: {a: b}}").find("worker"), std::string::npos);
}

TEST(Check, AMessageLeadsToItsRecord) {
  EXPECT_EQ(said(with("{run_id: \"{run_id}\", ", "{")), lost("run_id"));
  EXPECT_EQ(said(with("{run_id: \"{run_id}\", ", "{run_id: \"RUN#{run_id}\", ")), lost("run_id"));
  EXPECT_EQ(said(with("{run_id: \"{run_id}\", ", "{run_id: run_id, ")), lost("run_id"));
  EXPECT_EQ(said(with("SK: \"META\"", "SK: \"V#{most:08}\"")), lost("most"));
  EXPECT_EQ(said(with("{run_id: \"{run_id}\", ", "{id: \"{run_id}\", ")), "") << "under another name";
  EXPECT_EQ(said(with("\"RUN#{run_id}\"", "\"{env}#RUN#{run_id}\"")), "") << "parameters need not be carried";
}

TEST(Check, WarnsOfAVersionThatDoesNotSort) {
  EXPECT_EQ(
      said(with("SK: \"META\"", "SK: \"V#{attempts}\"")),
      "f:18:7: warning: the number \"attempts\" in the key of \"run\" does not sort: 10 comes before 9\n"
      "    give it a width in the key: {attempts:08}\n" +
          lost("attempts"));
}

TEST(Check, WarnsOfATimeInAKeyThatCanCollide) {
  EXPECT_EQ(
      said(with("SK: \"META\"", "SK: \"AT#{created_at}\"")),
      "f:20:7: warning: the time \"created_at\" in the key of \"run\" can be the same twice: the second "
      "record replaces the first\n    say unique: true, or add an id to the key\n" +
          lost("created_at"));
}

TEST(Check, WarnsOfAnEndThatCanBeLeft) {
  EXPECT_EQ(
      said(with("failed: [working, dead]", "failed: [working, dead]\n        done: queued")),
      "f:30:9: warning: the record \"run\" can leave \"done\", which is one of its ends\n"
      "    take the moves of done away, or take it out of the ends; a way back for people is work: replay, "
      "by_hand: true\n");
}

TEST(Check, WarnsOfAStatusIndexThatIsOneHotKey) {
  EXPECT_EQ(
      said(with("by_owner: {key: [owner, created_at]}", "by_status: {key: [status, created_at]}")),
      "f:9:5: warning: all of \"run\" with one value of \"status\" are one key of the index \"by_status\"\n"
      "    fine here; on Amazon's own engine a key takes 1,000 writes a second\n");
}

TEST(Check, NamesWhatIsNotThere) {
  EXPECT_EQ(said(with("owner: owner\n", "owner: ownr\n")),
            "f:15:12: error: the record \"run\" has no field \"ownr\", which its owner names\n"
            "    did you mean \"owner\"?\n");
  EXPECT_EQ(said(with("attempt: attempts + 1", "attempt: tries + 1")),
            "f:32:7: error: the record \"run\" has no field \"tries\", which its message names\n"
            "    add it to the fields\n");
  EXPECT_EQ(said(with("{on: [done, dead]", "{on: [done, died]")),
            "f:40:21: error: the record \"run\" has an event on \"died\", which is no state\n"
            "    use a state of its moves, or create\n");
  EXPECT_EQ(said(with("start: queued", "start: quued")),
            "f:25:14: error: the record \"run\" starts in \"quued\", which is no state\n"
            "    use a state of its moves\n");
  EXPECT_EQ(said(with("key: [owner, created_at]", "key: [user, created_at]")),
            "f:9:22: error: the index \"by_owner\" is by \"user\", which no record has\n"
            "    use a field of a record\n");
}

TEST(Check, RefusesAnExpiryThatIsNotInSeconds) {
  EXPECT_EQ(said(with("ttl_at?: epoch_s", "ttl_at?: epoch_ms")),
            "f:22:7: error: \"ttl_at\" says when a record expires, and is not in seconds\n"
            "    make it epoch_s: the store takes milliseconds for a time far away\n");
}

TEST(Check, RefusesFieldsThatContradictThemselves) {
  EXPECT_EQ(said(with("owner: string", "owner: {type: string, min: 1}")),
            "f:17:7: error: the field \"owner\" has a least or largest value, and is no number\n"
            "    take min and max away, or make it an int or a number\n");
  EXPECT_EQ(said(with("owner: string", "owner: {type: string, only_in: done}")),
            "f:17:7: error: the field \"owner\" may be there in some states only, and is not optional\n"
            "    write its name with a ?\n");
}

TEST(Check, RefusesADefaultThatIsNoneOfTheWords) {
  EXPECT_EQ(
      said(with("owner: string", "owner: {one_of: [me, you], default: us}")),
      "f:9:5: warning: all of \"run\" with one value of \"owner\" are one key of the index \"by_owner\"\n"
      "    fine here; on Amazon's own engine a key takes 1,000 writes a second\n"
      "f:17:7: error: the field \"owner\" begins with what it cannot be\n"
      "    use one of its words as the default\n");
}

TEST(Check, RefusesRecordsThatCannotBeToldApart) {
  EXPECT_EQ(said(with("records:\n",
                      "records:\n  other:\n    key: {PK: \"RUN#{x}\", SK: \"M{x}\"}\n"
                      "    fields: {x: string}\n")),
            "f:15:3: error: \"run\" and \"other\" cannot be told apart by their keys\n"
            "    let one part of the key begin with another text in each: \"JOB#{job_id}\"\n");
}

TEST(Reader, TellsOfAllThatIsWrongAtOnce) {
  EXPECT_EQ(said("contract: runs\nverson: 1\ntable: {name: runs, key: id}\nrecords:\n  run:\n    fields:\n"
                 "      id: strng\n      id: string\n"),
            "f:1:1: error: a contract lacks \"version\"\n    give the contract a version, 1 for the first\n"
            "f:2:1: error: a contract has no \"verson\"\n    did you mean \"version\"?\n"
            "f:7:11: error: the field \"id\" has no type \"strng\"\n    did you mean \"string\"?\n"
            "f:8:7: error: \"id\" is here twice, first in line 7\n    keep one of them\n");
}

TEST(Reader, NamesTheKeysThatThereAreOnce) {
  EXPECT_NE(said("contract: runs\nversion: 1\ntable: {name: t, key: a, zzz: 1}\nrecords: {r: {fields: {a: "
                 "string}}}\n")
                .find("it may have name, key, indexes, ttl, recovery, stream or billing\n"),
            std::string::npos);
}

TEST(Reader, OtherFieldsAreKeptOrRefused) {
  Problems problems;
  const auto kept = read_contract(with("version: 1", "version: 1"), problems);
  const auto refused =
      read_contract(with("    owner: owner\n", "    owner: owner\n    other_fields: refuse\n"), problems);
  ASSERT_TRUE(problems.empty());
  EXPECT_EQ(kept->records[0].other_fields, OtherFields::keep);
  EXPECT_EQ(refused->records[0].other_fields, OtherFields::refuse);
  EXPECT_EQ(
      said(with("    owner: owner\n", "    owner: owner\n    other_fields: drop\n")),
      "f:16:19: error: the record \"run\": other_fields cannot be \"drop\"\n    write keep or refuse\n");
}

TEST(Reader, AFieldHasOneType) {
  EXPECT_EQ(said(with("owner: string", "owner: {type: int, one_of: [me, you]}")),
            "f:17:34: error: the field \"owner\" is of two types\n"
            "    keep one of type, one_of, fields, list_of and set_of\n");
  EXPECT_EQ(said(with("{on_entering: [done, dead]}", "{on_entering: done, on_leaving: dead}")),
            "f:21:41: error: the field \"ended_at\": set needs one moment, and has 2\n"
            "    write {on_entering: STATE}, on_first_entering or on_leaving, one of them\n");
}

TEST(Reader, WhatHoldsNamesIsAMap) {
  EXPECT_EQ(said(with("  indexes:\n    by_owner: {key: [owner, created_at]}", "  indexes: [by_owner]")),
            "f:8:12: error: the table: indexes is a map, not a list\n"
            "    write a name, a colon and what is said of it, one a line\n");
}

TEST(Reader, WaitsMayBeTheSameTwice) {
  EXPECT_EQ(said(with("      attempts: attempts\n", "      attempts: attempts\n      backoff: [30s, 30s]\n")),
            "");
}

TEST(Reader, SaysWhereYamlEnds) {
  const std::string lines = said("contract: runs\nversion: [1\ntable: x\n");
  EXPECT_TRUE(lines.starts_with("f:3:")) << lines;
  EXPECT_NE(lines.find("this is not YAML"), std::string::npos) << lines;
  EXPECT_NE(said("").find("a contract is a map, not nothing"), std::string::npos);
  EXPECT_NE(said("- a\n- b\n").find("a contract is a map, not a list"), std::string::npos);
}

}  // namespace
}  // namespace waybill::contract
