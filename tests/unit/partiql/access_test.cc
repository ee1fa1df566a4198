#include "partiql/access.h"

#include "partiql/testing.h"
#include "table/key.h"

namespace waybill::partiql::testing {
namespace {

table::KeySchema schema() {
  return {{"pk", item::Type::string}, table::KeyAttribute{"sk", item::Type::number}};
}

Result<Access> access(std::string_view where, const table::KeySchema& key = schema()) {
  return find_slices(parsed("SELECT * FROM T WHERE " + std::string(where)).where, key);
}

std::string key_bytes(std::string_view partition, std::string_view sort) {
  return table::primary_key(schema(), make_item(R"({"pk":{"S":")" + std::string(partition) +
                                                R"("},"sk":{"N":")" + std::string(sort) + R"("}})")
                                          .view());
}

// Which clauses become a Query of how many ranges, and which a Scan.
TEST(Access, TellsQueryFromScan) {
  for (const auto& [where, slices] : std::vector<std::pair<std::string_view, std::size_t>>{
           {"pk = 'a'", 1},
           {"'a' = pk", 1},
           {"pk = 'a' AND x = 1", 1},
           {"pk = 'a' OR pk = 'b'", 2},
           {"pk = 'a' OR pk = 'a'", 1},
           {"pk IN ['a', 'b', 'c', 'a']", 3},
           {"(pk = 'a' OR pk = 'b') AND x = 1", 2},
           {"pk = 'a' AND sk = 1 OR pk = 'a' AND sk = 2", 2},
           {"pk = 'a' AND (sk = 1 OR sk = 2)", 1},
           {"pk = 'a' AND sk BETWEEN 1 AND 2 AND sk <> 1", 1},
       }) {
    const auto found = access(where);
    ASSERT_TRUE(found.has_value()) << where << ": " << message_of(found);
    EXPECT_TRUE(found->is_query) << where;
    EXPECT_EQ(found->slices.size(), slices) << where;
  }
  for (const auto* where : {"pk > 'a'", "x = 1", "pk = 'a' OR x = 1", "NOT pk = 'a'", "pk <> 'a'", "pk = x",
                            "pk.a = 'a'", "pk IN [x]", "begins_with(pk, 'a')", "sk = 1", "pk = 5 OR x = 1"}) {
    const auto found = access(where);
    ASSERT_TRUE(found.has_value()) << where;
    EXPECT_FALSE(found->is_query) << where;
    ASSERT_EQ(found->slices.size(), 1U);
    EXPECT_TRUE(found->slices[0].filter.has_value());
    EXPECT_TRUE(found->slices[0].range.begin.empty());
  }
  EXPECT_FALSE(find_slices(std::nullopt, schema())->is_query);
}

TEST(Access, RangesHoldWhatTheSortKeyAllows) {
  for (const auto& [where, inside, outside] : std::vector<std::array<std::string_view, 3>>{
           {"sk = 2", "2", "3"},
           {"sk < 2", "1", "2"},
           {"2 > sk", "1", "2"},
           {"sk >= 2", "2", "1"},
           {"sk BETWEEN 1 AND 3", "3", "4"},
       }) {
    const auto found = access("pk = 'a' AND " + std::string(where));
    ASSERT_TRUE(found.has_value()) << message_of(found);
    EXPECT_TRUE(found->slices[0].range.holds(key_bytes("a", inside))) << where;
    EXPECT_FALSE(found->slices[0].range.holds(key_bytes("a", outside))) << where;
    EXPECT_FALSE(found->slices[0].range.holds(key_bytes("b", inside))) << where;
    EXPECT_FALSE(found->slices[0].filter.has_value());
  }
  const auto filtered = access("pk = 'a' AND sk > 1 AND sk < 9 AND x = 1");
  EXPECT_EQ(filtered->slices[0].filter->operands.size(), 2U);
}

TEST(Access, RefusesOverlap) {
  const std::string_view overlapping =
      "Overlapping conditions with range keys are not supported in where clause";
  EXPECT_EQ(message_of(access("pk = 'a' AND x = 1 OR pk = 'a' AND sk = 2")), overlapping);
  EXPECT_EQ(message_of(access("pk = 'a' AND sk < 3 OR pk = 'a' AND sk = 2")), overlapping);
  EXPECT_TRUE(access("pk = 'a' AND sk < 2 OR pk = 'a' AND sk = 2").has_value());
  // Branches that exclude sort keys are read together, once.
  const auto merged = access("pk = 'a' AND NOT sk = 1 OR pk = 'a' AND sk = 2");
  ASSERT_TRUE(merged.has_value()) << message_of(merged);
  ASSERT_EQ(merged->slices.size(), 1U);
  EXPECT_EQ(merged->slices[0].filter->kind, Expression::Kind::any);
  EXPECT_FALSE(access("pk = 'a' OR pk = 'a' AND NOT sk = 1")->slices[0].filter.has_value());
}

TEST(Access, HoldsValuesAgainstTheKey) {
  const std::string_view mismatch = "Key attribute's data type should match its data type in table's schema";
  EXPECT_EQ(message_of(access("pk = 5")), mismatch);
  EXPECT_EQ(message_of(access("pk = 'a' AND sk = 'x'")), mismatch);
  EXPECT_EQ(message_of(access("pk IN ['a', 5]")), mismatch);
  EXPECT_FALSE(access("pk = ''").has_value());
  std::string many = "pk IN ['0'";
  for (int i = 1; i < 51; ++i) {
    many.append(", '").append(std::to_string(i)).append("'");
  }
  EXPECT_EQ(message_of(access(many + "]")),
            "The IN operator is provided with too many operands; number of operands: 51");
}

TEST(Access, BoundsTheRanges) {
  std::string where = "pk = '0'";
  for (int i = 1; i < 300; ++i) {
    where.append(" OR pk = '").append(std::to_string(i)).append("'");
  }
  EXPECT_EQ(access(where)->slices.size(), 300U);
  EXPECT_EQ(message_of(access(where + " OR pk = 'x'")),
            "The IN operator is provided with too many operands; number of operands: 301");
}

TEST(Access, FindsOneItem) {
  const auto found = find_item(parsed("DELETE FROM T WHERE sk = 1 AND a = 2 AND pk = 'k'").where, schema());
  ASSERT_TRUE(found.has_value()) << message_of(found);
  EXPECT_EQ(to_json(found->key.view()), R"({"pk":{"S":"k"},"sk":{"N":"1"}})");
  EXPECT_EQ(found->conditions.size(), 1U);
  for (const auto* where : {"pk = 'k'", "sk = 1", "pk = 'k' AND sk > 1", "pk = 'k' OR sk = 1",
                            "pk IN ['k'] AND sk = 1", "NOT (pk = 'k' AND sk = 1)"}) {
    EXPECT_EQ(message_of(find_item(parsed("DELETE FROM T WHERE " + std::string(where)).where, schema())),
              "Where clause does not contain a mandatory equality on all key attributes")
        << where;
  }
  EXPECT_FALSE(find_item(std::nullopt, schema()).has_value());
}

std::string order(std::string_view rest) {
  const auto statement = parsed("SELECT * FROM T " + std::string(rest));
  auto found = find_slices(statement.where, schema());
  if (!found) {
    return found.error().message;
  }
  const auto forward = settle_order(statement, schema(), *found);
  if (!forward) {
    return forward.error().message;
  }
  std::string text = *forward ? "forward" : "backward";
  for (const auto& slice : found->slices) {
    text.append(" ").append(slice.partition.empty() ? "*" : item::ValueView(slice.partition.data()).bytes());
  }
  return text;
}

TEST(Access, SettlesTheOrder) {
  EXPECT_EQ(order(""), "forward *");
  EXPECT_EQ(order("WHERE pk IN ['b', 'a']"), "forward b a");
  EXPECT_EQ(order("WHERE pk = 'a' ORDER BY sk"), "forward a");
  EXPECT_EQ(order("WHERE pk = 'a' ORDER BY sk DESC"), "backward a");
  EXPECT_EQ(order("WHERE pk = 'a' ORDER BY pk"), "backward a");
  EXPECT_EQ(order("WHERE pk IN ['b', 'a'] ORDER BY pk, sk"), "forward a b");
  EXPECT_EQ(order("WHERE pk IN ['a', 'b'] ORDER BY pk DESC, sk ASC"), "forward b a");
  EXPECT_EQ(order("ORDER BY sk"), "Must have WHERE clause in the statement when using ORDER BY clause.");
  EXPECT_EQ(
      order("WHERE x = 1 ORDER BY sk"),
      "Must have at least one non-optional hash key condition in WHERE clause when using ORDER BY clause.");
  EXPECT_EQ(order("WHERE pk = 'a' ORDER BY x"),
            "Attribute x in ORDER BY clause must be part of the primary key");
  EXPECT_EQ(order("WHERE pk IN ['a', 'b'] ORDER BY sk"),
            "Must have hash key in ORDER BY clause when more than one hash key condition specified in WHERE "
            "clause.");
}

}  // namespace
}  // namespace waybill::partiql::testing
