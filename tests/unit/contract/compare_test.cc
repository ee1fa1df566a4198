#include "contract/compare.h"

#include <gtest/gtest.h>

#include "contract/reader.h"

namespace waybill::contract {
namespace {

const std::string first = R"(contract: runs
version: 1
table:
  name: runs
  key: run_id
  indexes:
    by_owner: {key: [owner, at]}
records:
  run:
    id: {field: run_id, kind: ulid}
    fields:
      owner: string
      at: {type: timestamp, set: on_create}
      size: int
      kind: {one_of: [small, large]}
      note?: string
    status:
      field: status
      start: queued
      moves:
        queued: [working]
        working: [done, failed]
        failed: [working]
      ends: [done]
    work:
      queue: {name: runs-queue}
      message: {run_id: "{run_id}", owner: "{owner}"}
      claim: {from: [queued, failed], to: working}
      done: {from: working, to: done}
      fail: {from: working, to: failed}
)";

Contract read(const std::string& text) {
  Problems problems;
  auto made = read_contract(text, problems);
  EXPECT_TRUE(problems.empty()) << describe(problems.front(), text);
  return made.value_or(Contract());
}

std::string next(const std::string& from, const std::string& to) {
  std::string text = first;
  text.replace(text.find("version: 1"), 10, "version: 2");
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

// What is said of a change, a line each.
std::string said(const std::string& text) {
  std::string lines;
  for (const auto& one : compare(read(first), read(text))) {
    using Kind = Difference::Kind;
    lines += (one.kind == Kind::safe        ? "safe: "
              : one.kind == Kind::migration ? "migration: "
                                            : "refused: ") +
             one.what + "\n";
    EXPECT_FALSE(one.why.empty());
  }
  return lines;
}

TEST(Compare, HasNothingToSayOfTheSame) {
  EXPECT_EQ(said(first), "");
  EXPECT_EQ(said(next("name: runs\n", "name: runs\n")), "");
}

TEST(Compare, FieldsAreAddedSafelyWhereTheyMayBeAbsent) {
  EXPECT_EQ(said(next("note?: string", "note?: string\n      more?: string")),
            "safe: the field \"more\" of \"run\" is new\n");
  EXPECT_EQ(said(next("note?: string", "note?: string\n      more: {type: int, default: 0}")),
            "migration: the field \"more\" of \"run\" is new, and every record has it\n");
  EXPECT_EQ(said(next("note?: string", "note?: string\n      more: int")),
            "refused: the field \"more\" of \"run\" is new, and every record must have it\n");
  EXPECT_EQ(said(next("      note?: string\n", "")), "migration: the field \"note\" of \"run\" is gone\n");
}

TEST(Compare, TypesMayGrowWider) {
  EXPECT_EQ(said(next("size: int", "size: number")),
            "safe: the field \"size\" of \"run\" has a wider type\n");
  EXPECT_EQ(said(next("size: int", "size: string")),
            "refused: the field \"size\" of \"run\" has another type\n");
  EXPECT_EQ(said(next("note?: string", "note: string")),
            "migration: the field \"note\" of \"run\" must be there\n");
  EXPECT_EQ(said(next("size: int", "size?: int")), "safe: the field \"size\" of \"run\" may be absent\n");
  EXPECT_EQ(said(next("[small, large]", "[small, huge]")),
            "safe: the field \"kind\" of \"run\" may be \"huge\"\n"
            "migration: the field \"kind\" of \"run\" may no longer be \"large\"\n");
}

TEST(Compare, KeysAndIndexesAreMadeAnew) {
  EXPECT_EQ(said(next("key: [owner, at]", "key: [kind, at]")),
            "migration: the index \"by_owner\" has another key\n");
  EXPECT_EQ(said(next("by_owner: {key: [owner, at]}", "by_kind: {key: [kind, at]}")),
            "safe: the index \"by_kind\" is new\nmigration: the index \"by_owner\" is gone\n");
  EXPECT_EQ(said(next("key: run_id", "key: owner")), "migration: the table has another key\n");
}

TEST(Compare, StatesAndMovesAreAddedSafelyAndTakenAwayWithCare) {
  EXPECT_EQ(said(next("queued: [working]", "queued: [working, failed]")),
            "safe: the record \"run\" may go from queued to failed\n");
  EXPECT_EQ(said(next("failed: [working]", "failed: [queued]")),
            "safe: the record \"run\" may go from failed to queued\n"
            "migration: the record \"run\" may no longer go from failed to working\n");
  EXPECT_EQ(said(next("ends: [done]", "ends: [done, failed]")),
            "migration: \"failed\" of \"run\" is an end now\n");
}

TEST(Compare, WorkersAreBroughtAlong) {
  EXPECT_EQ(said(next("owner: \"{owner}\"}", "at: \"{at}\"}")),
            "safe: the work on \"run\" has \"at\" in its messages\n"
            "migration: the work on \"run\" has no \"owner\" in its messages any more\n");
  EXPECT_EQ(said(next("runs-queue", "other-queue")), "migration: the work on \"run\" has another queue\n");
}

TEST(Compare, OtherFieldsAreShutOutWithCare) {
  EXPECT_EQ(said(next("    fields:\n", "    other_fields: keep\n    fields:\n")), "");
  EXPECT_EQ(said(next("    fields:\n", "    other_fields: refuse\n    fields:\n")),
            "migration: the record \"run\" may have no other fields any more\n");
  const auto found =
      compare(read(next("    fields:\n", "    other_fields: refuse\n    fields:\n")), read(first));
  ASSERT_EQ(found.size(), 2U);  // and the version, which falls
  EXPECT_EQ(found[1].kind, Difference::Kind::safe);
  EXPECT_EQ(found[1].what, "the record \"run\" may have other fields");
}

TEST(Compare, WhatComesWithAChangeIsLookedAt) {
  const auto with = [](const std::string& text) { return next("    status:\n", text + "    status:\n"); };
  EXPECT_EQ(said(with("    trace: note\n")), "safe: the record \"run\" is followed by other fields\n");
  EXPECT_EQ(said(with("    tags: {field: note}\n")), "safe: the search by tags of \"run\" is new\n");
  EXPECT_EQ(said(with("    mirrors: {m: {key: {run_id: \"M#{run_id}\"}, fields: [owner]}}\n")),
            "safe: the mirror \"m\" of \"run\" is new\n");
  EXPECT_EQ(said(with("    idempotency: {field: note, keep: 1h}\n")),
            "safe: the idempotency key of \"run\" is new\n");
  EXPECT_EQ(said(with("    events: [{on: done, type: ended}]\n")),
            "safe: an event \"ended\" of \"run\" is new, or another\n");
  EXPECT_EQ(said(with("    counters: {c: {estimate: size, reserved: size, spent: size}}\n")),
            "safe: the counters of \"run\" are others\n");
  EXPECT_EQ(said(with("    audit: {by: owner}\n")), "safe: the audit trail of \"run\" is new\n");
  EXPECT_EQ(said(with("    keep_latest: {by: owner, count: 3}\n")),
            "safe: how many versions are kept of \"run\" is another\n");
  EXPECT_EQ(said(with("    version: revision\n")),
            "migration: the record \"run\" counts its changes in another field\n");
}

TEST(Compare, WhatCameWithAChangeIsMissed) {
  const auto with = [](const std::string& text) {
    std::string made = first;
    return made.replace(made.find("    status:\n"), 0, text);
  };
  const auto lost = [&](const std::string& text) {
    const auto found = compare(read(with(text)), read(next("name: runs\n", "name: runs\n")));
    return found.size() == 1 ? found[0].what : std::to_string(found.size()) + " differences";
  };
  EXPECT_EQ(lost("    events: [{on: done, type: ended}]\n"),
            "an event \"ended\" of \"run\" is gone, or another");
  EXPECT_EQ(lost("    audit: {by: owner}\n"), "the audit trail of \"run\" is gone");
  EXPECT_EQ(lost("    tags: {field: note}\n"), "the search by tags of \"run\" is gone");
  EXPECT_EQ(lost("    mirrors: {m: {key: {run_id: \"M#{run_id}\"}, fields: [owner]}}\n"),
            "the mirror \"m\" of \"run\" is gone");
}

TEST(Compare, EveryMoveOfTheWorkIsLookedAt) {
  EXPECT_EQ(said(next("claim: {from: [queued, failed], to: working}", "claim: {from: queued, to: working}")),
            "safe: the work on \"run\": \"claim\" is another\n");
  EXPECT_EQ(said(next("{name: runs-queue}", "{name: runs-queue, visibility: 1m}")),
            "safe: the work on \"run\" has other limits of its queue\n");
  EXPECT_EQ(said(next("      fail:", "      attempts: size\n      fail:")),
            "migration: the work on \"run\" notes its attempts in other fields\n");
  EXPECT_EQ(said(next("ends: [done]", "ends: {done: {keep: 1d}}")),
            "safe: \"done\" of \"run\" is kept for another time\n");
}

TEST(Compare, WhenAFieldIsThereIsLookedAt) {
  EXPECT_EQ(said(next("note?: string", "note?: {type: string, only_in: failed}")),
            "migration: the field \"note\" of \"run\" may be there at other times\n");
  EXPECT_EQ(said(next("set: on_create", "set: on_change")),
            "safe: the field \"at\" of \"run\" is set at another moment\n");
}

TEST(Compare, WhatIsDoneWithTheRulesIsLookedAt) {
  EXPECT_EQ(said(next("version: 2\n", "version: 2\nenforcement: log\n")),
            "safe: the rules are written to the log where they are broken now\n");
}

TEST(Compare, AChangeHasANewVersion) {
  std::string text = first;
  text.replace(text.find("size: int"), 9, "size?: int");
  EXPECT_EQ(said(text),
            "refused: the version is still 1\nsafe: the field \"size\" of \"run\" may be absent\n");
}

TEST(Compare, AnotherNameIsAnotherContract) {
  EXPECT_EQ(said(next("contract: runs", "contract: jobs")), "refused: \"runs\" became \"jobs\"\n");
}

}  // namespace
}  // namespace waybill::contract
