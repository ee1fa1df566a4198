// What a mapping's file may say, and what is said of one that is wrong (I9).
#include "intake/mapping.h"

#include <gtest/gtest.h>

#include <array>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace waybill::intake {
namespace {

constexpr std::string_view good = R"(source: {table: app.pictures, key: [tenant, id]}
target: {table: Pictures, key: {PK: "P#{id}", SK: "T#{tenant}"}}
attributes:
  tenant: tenant
  id: {column: id, type: ulid, time: made_at}
  path: {value: "p/{id}"}
  size: {column: bytes, type: int, if_null: 0}
  flags: {column: flags, type: set, of: text}
  at: {column: made_at, type: timestamp, precision: us}
)";

std::string first_problem(const std::string& text) {
  contract::Problems problems;
  read_mapping(text, problems);
  if (problems.empty()) {
    return "";
  }
  contract::sort_by_place(problems);
  return contract::describe(problems.front(), "m.yaml");
}

std::string replaced(std::string_view old, std::string_view by) {
  std::string text(good);
  text.replace(text.find(old), old.size(), by);
  return text;
}

TEST(Mapping, I9_says_what_rows_become) {
  contract::Problems problems;
  const auto mapping = read_mapping(std::string(good), problems);
  ASSERT_TRUE(problems.empty()) << contract::describe(problems.front(), "m.yaml");
  EXPECT_EQ(mapping.source.schema, "app");
  EXPECT_EQ(mapping.source.table, "pictures");
  ASSERT_EQ(mapping.source.key.size(), 2U);
  ASSERT_EQ(mapping.attributes.size(), 6U);
  EXPECT_EQ(mapping.attributes[0].kind, Kind::automatic);
  EXPECT_EQ(mapping.attributes[1].kind, Kind::ulid);
  EXPECT_EQ(mapping.attributes[1].time_column, "made_at");
  EXPECT_TRUE(mapping.attributes[2].value->text.has_value());
  EXPECT_FALSE(mapping.attributes[3].if_null->encoded.empty());
  EXPECT_EQ(mapping.attributes[4].element, Kind::text);
  EXPECT_EQ(mapping.attributes[5].precision, Precision::microseconds);
}

TEST(Mapping, what_is_wrong_is_told_with_line_and_column_and_what_to_do) {
  EXPECT_EQ(first_problem(replaced("size: {column", "size: {colum")),
            "m.yaml:7:9: error: the attribute \"size\" has neither a column nor a value\n"
            "    write column: NAME, or value: TEXT");
  EXPECT_EQ(
      first_problem(replaced("type: int", "type: integer")),
      "m.yaml:7:31: error: the attribute \"size\": type cannot be \"integer\"\n    write text, int, number, "
      "bool, timestamp, epoch_ms, epoch_s, uuid, ulid, json, list, set or binary");
  EXPECT_EQ(first_problem(replaced("{id}\"}\n  size", "{number}\"}\n  size")),
            "m.yaml:6:3: error: the attribute \"path\" is made of {number}, which is no attribute above it\n"
            "    write \"number\" above it");
  EXPECT_EQ(first_problem(replaced(", time: made_at", "")),
            "m.yaml:5:7: error: the attribute \"id\" is a ulid, and lacks the column of its time\n"
            "    write type: ulid and time: created_at");
  EXPECT_EQ(first_problem(replaced("T#{tenant}", "T#{owner}")),
            "m.yaml:2:9: error: the key \"SK\" is made of {owner}, which is no attribute\n"
            "    add it to the attributes");
  EXPECT_EQ(first_problem(replaced(", key: [tenant, id]", "")),
            "m.yaml:1:9: error: the source lacks its key\n"
            "    write key: id, or key: [a, b]: columns that tell rows apart, with an index");
  EXPECT_NE(first_problem("source: [1").find("this is not YAML"), std::string::npos);
}

TEST(Mapping, parts_that_do_not_go_together) {
  for (const auto& [old, by, words] : std::vector<std::array<std::string, 3>>{
           {"{value: \"p/{id}\"}", "{value: x, column: y}", "has both a column and a value"},
           {"type: int, if_null: 0", "type: int, of: text", "is no list or set"},
           {"type: set, of: text", "type: set, of: list", "cannot have such elements"},
           {"type: timestamp, precision", "type: epoch_ms, precision", "is no timestamp"},
           {"type: int", "type: int, time: x", "only a ulid is made of"},
           {"{table: Pictures, key: {PK: \"P#{id}\", SK: \"T#{tenant}\"}}", "{contract: c}",
            "lacks the record's name"},
           {"{table: Pictures, key: {PK: \"P#{id}\", SK: \"T#{tenant}\"}}", "{table: t}", "lacks its key"},
           {"{table: Pictures, key", "{table: t, contract: c, record: r, key",
            "either a record of a contract or a table"},
           {"{table: Pictures, key", "{contract: c, record: r, key", "what its contract says"},
           {"source: {table: app.pictures", "source: {rows: app.pictures", "neither a table nor a query"}}) {
    EXPECT_NE(first_problem(replaced(old, by)).find(words), std::string::npos)
        << first_problem(replaced(old, by));
  }
}

TEST(Mapping, I9_the_one_that_comes_with_the_project_is_right) {
  std::ifstream file(WAYBILL_SHARE "/import/gallery_images.yaml", std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  ASSERT_FALSE(text.empty());
  EXPECT_EQ(first_problem(text), "");
}

}  // namespace
}  // namespace waybill::intake
