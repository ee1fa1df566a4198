// What requests name, and what they are told: paths, cursors, problems.
#include <gtest/gtest.h>

#include "api/jobs/cursor.h"
#include "api/jobs/path.h"
#include "api/jobs/problem.h"
#include "api/jobs/query.h"

namespace waybill::api::jobs {
namespace {

// "shape contract record id verb"
std::string told(std::string_view text) {
  const auto path = parse_path(text);
  const char* const shapes[] = {"none", "description", "batch", "contracts", "contract", "records", "record"};
  return std::string(shapes[static_cast<int>(path.shape)]) + "|" + path.contract + "|" + path.record + "|" +
         path.id + "|" + path.verb;
}

TEST(JobsPath, NamesAreFound) {
  EXPECT_EQ(told("/v1/openapi.json"), "description||||");
  EXPECT_EQ(told("/v1/batch"), "batch||||");
  EXPECT_EQ(told("/v1/contracts"), "contracts||||");
  EXPECT_EQ(told("/v1/contracts/photo-editor"), "contract|photo-editor|||");
  EXPECT_EQ(told("/v1/orchestrator/job"), "records|orchestrator|job||");
  EXPECT_EQ(told("/v1/orchestrator/job:claim"), "records|orchestrator|job||claim");
  EXPECT_EQ(told("/v1/orchestrator/job/1:heartbeat"), "record|orchestrator|job|1|heartbeat");
}

TEST(JobsPath, IdsAreDecodedOnce) {
  EXPECT_EQ(told("/v1/c/r/a,b"), "record|c|r|a,b|");
  EXPECT_EQ(told("/v1/c/r/a%2Cb"), "record|c|r|a,b|");
  EXPECT_EQ(told("/v1/c/r/a%252Cb,c%252Fd"), "record|c|r|a%2Cb,c%2Fd|");
  EXPECT_EQ(told("/v1/c/r/2026-11-16T18:30:00.000Z:history"), "record|c|r|2026-11-16T18:30:00.000Z|history");
  EXPECT_EQ(told("/v1/c/r/2026-11-16T18:30:00.000Z"), "record|c|r|2026-11-16T18:30:00.000Z|");
  EXPECT_EQ(told("/v1/c/r/x%3Acancel"), "record|c|r|x:cancel|");
  EXPECT_EQ(told("/v1/c/r/x%3Acancel:cancel"), "record|c|r|x:cancel|cancel");
}

TEST(JobsPath, OtherPathsNameNothing) {
  for (const auto* const text : {"/v1/", "/v1/c", "/v1/c/", "/v1//r", "/v1/c/r/", "/v1/c/r/i/x",
                                 "/v1/contracts/", "/v1/contracts/a/b", "/v2/c/r", "/", "/v1/c/:claim"}) {
    EXPECT_EQ(told(text), "none||||") << text;
  }
}

TEST(JobsPath, LocationsLeadBack) {
  for (const std::string id : {"1", "a,b", "a%2Cb,c", "x:cancel", "ü ?#%", "a/b"}) {
    const auto path = parse_path(path_of_record("c", "r", id));
    EXPECT_EQ(path.id, id);
    EXPECT_EQ(path.verb, "");
  }
}

TEST(JobsCursor, IsGoodForItsListAlone) {
  const std::string place("place \0 of bytes \xFF", 18);
  const auto text = print_cursor(place, "list");
  EXPECT_EQ(text.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"),
            std::string::npos);
  EXPECT_EQ(*parse_cursor(text, "list"), place);
  EXPECT_EQ(*parse_cursor("", "list"), "");
  EXPECT_EQ(parse_cursor(text, "other").error().kind, ErrorKind::malformed);
  for (std::size_t i = 0; i < text.size(); ++i) {
    auto broken = text;
    broken[i] = broken[i] == 'A' ? 'B' : 'A';
    EXPECT_FALSE(parse_cursor(broken, "list") && *parse_cursor(broken, "list") != place) << i;
    EXPECT_FALSE(parse_cursor(text.substr(0, i), "list") && i > 0) << i;
  }
}

TEST(JobsQuery, IsDecodedAndChecked) {
  const auto query = Query::parse("a=1&tag=x%20y&tag=z&X-Amz-Date=now&limit=20&b");
  EXPECT_EQ(query.find("a"), "1");
  EXPECT_EQ(query.find("b"), "");
  EXPECT_EQ(query.find("c"), std::nullopt);
  EXPECT_EQ(query.all("tag"), (std::vector<std::string>{"x y", "z"}));
  EXPECT_EQ(*query.integer("limit", 1, 100, 7), 20);
  EXPECT_EQ(*query.integer("missing", 1, 100, 7), 7);
  EXPECT_EQ(query.integer("limit", 1, 10, 7).error().detail, "limit");
  EXPECT_FALSE(query.integer("tag", 1, 10, 7));
  EXPECT_EQ(query.check_names({"a", "b", "tag"}).error().detail, "limit");
  EXPECT_TRUE(query.check_names({"a", "b", "tag", "limit"}));
}

TEST(JobsProblem, SaysWhatStandsAgainstIt) {
  const auto conflict = problem_response({ErrorKind::condition_failed, "status may not go", "moves"});
  EXPECT_EQ(conflict.status, 409);
  EXPECT_EQ(conflict.content_type, "application/problem+json");
  EXPECT_EQ(conflict.body,
            R"({"type":"urn:x-waybill:/problems/conflict","title":"The record's state does not allow it",)"
            R"("status":409,"detail":"status may not go","rule":"moves"})");
  EXPECT_NE(problem_response({ErrorKind::invalid, "b is missing", "b"}).body.find(R"("field":"b")"),
            std::string::npos);
  EXPECT_EQ(problem_response({ErrorKind::lease_lost, "", ""}).status, 409);
  EXPECT_EQ(problem_response({ErrorKind::version_mismatch, "", ""}).status, 412);
  EXPECT_EQ(problem_response({ErrorKind::quota_exceeded, "", ""}).status, 429);
}

TEST(JobsProblem, KeepsOurOwnTroubleToItself) {
  const auto response = problem_response({ErrorKind::corruption, "block 7 is damaged", "secret"});
  EXPECT_EQ(response.status, 500);
  EXPECT_EQ(response.body.find("block 7"), std::string::npos);
  EXPECT_EQ(response.body.find("secret"), std::string::npos);
}

}  // namespace
}  // namespace waybill::api::jobs
