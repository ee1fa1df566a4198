#include "partiql/testing.h"

namespace waybill::partiql::testing {
namespace {

using Kind = Expression::Kind;

std::string detail(std::string_view text, std::string_view parameters = "[]") {
  const std::string message = message_of(parse(text, parameters));
  const std::string_view prefix = "Statement wasn't well formed, can't be processed: ";
  return message.starts_with(prefix) ? message.substr(prefix.size()) : "not so: " + message;
}

TEST(Parser, ReadsSelect) {
  const auto all = parsed("SELECT * FROM Music");
  EXPECT_EQ(all.kind, Statement::Kind::select);
  EXPECT_EQ(all.source.table, "Music");
  EXPECT_FALSE(all.source.index);
  EXPECT_TRUE(all.columns.empty());
  EXPECT_FALSE(all.where);

  const auto some =
      parsed(R"(select a, m.k[1]."x y", l['n'] from "Music"."ByYear" where a = 1 order by a desc, b;)");
  EXPECT_EQ(some.source.index, "ByYear");
  ASSERT_EQ(some.columns.size(), 3U);
  ASSERT_EQ(some.columns[1].steps.size(), 4U);
  EXPECT_EQ(some.columns[1].steps[2].index, 1U);
  EXPECT_EQ(some.columns[1].steps[3].name, "x y");
  EXPECT_EQ(some.columns[2].steps[1].name, "n");
  ASSERT_EQ(some.order.size(), 2U);
  EXPECT_TRUE(some.order[0].descending);
  EXPECT_FALSE(some.order[1].descending);
  EXPECT_TRUE(some.reads());
}

TEST(Parser, ReadsInsert) {
  const auto statement = parsed(
      R"(INSERT INTO "T" VALUE {'pk': 'a', 'n': -.5e1, 'l': [1, 'x', true, null], 'm': {'s': <<3, 1>>}, 'p': ?})",
      R"([{"B":"AQ=="}])");
  EXPECT_EQ(statement.kind, Statement::Kind::insert);
  EXPECT_EQ(to_json(statement.item.view()),
            R"({"pk":{"S":"a"},"n":{"N":"-5"},"l":{"L":[{"N":"1"},{"S":"x"},{"BOOL":true},{"NULL":true}]},)"
            R"("m":{"M":{"s":{"NS":["1","3"]}}},"p":{"B":"AQ=="}})");
  EXPECT_EQ(to_json(parsed("INSERT INTO T VALUE ?", R"([{"M":{"pk":{"S":"a"}}}])").item.view()),
            R"({"pk":{"S":"a"}})");
  EXPECT_EQ(to_json(parsed("INSERT INTO T VALUE {'a': 1, 'a': 2}").item.view()), R"({"a":{"N":"2"}})");
}

TEST(Parser, ReadsUpdate) {
  const auto statement = parsed(
      "UPDATE T SET a = a + 1 SET m.x = ?, b = 'y' REMOVE l[2] WHERE pk = 'k' RETURNING MODIFIED OLD *",
      R"([{"N":"7"}])");
  EXPECT_EQ(statement.kind, Statement::Kind::update);
  ASSERT_EQ(statement.changes.size(), 4U);
  EXPECT_EQ(statement.changes[0].value->kind, Kind::arithmetic);
  EXPECT_EQ(to_json(statement.changes[1].value->literal()), R"({"N":"7"})");
  EXPECT_FALSE(statement.changes[3].value);
  ASSERT_TRUE(statement.returning);
  EXPECT_EQ(statement.returning->printed(), "RETURNING MODIFIED OLD *");

  const auto from_first = parsed("FROM T WHERE pk = 'k' SET a = 1 REMOVE b RETURNING ALL NEW *");
  EXPECT_EQ(from_first.kind, Statement::Kind::update);
  EXPECT_EQ(from_first.changes.size(), 2U);
  EXPECT_TRUE(from_first.where);
}

TEST(Parser, ReadsDeleteAndExists) {
  const auto statement = parsed("DELETE FROM T WHERE pk = 'k' RETURNING ALL OLD *");
  EXPECT_EQ(statement.kind, Statement::Kind::remove);
  EXPECT_TRUE(statement.returning->old);
  const auto exists = parsed("EXISTS(SELECT * FROM T WHERE pk = 'k' AND a = 1)");
  EXPECT_EQ(exists.kind, Statement::Kind::exists);
  EXPECT_EQ(exists.source.table, "T");
}

TEST(Parser, BindsOperatorsAsSqlDoes) {
  const auto statement = parsed(
      "SELECT * FROM T WHERE a = 1 OR NOT b <> 2 AND c BETWEEN 1 AND 2 AND d IN (1, ?) AND e IS NOT MISSING",
      R"([{"N":"2"}])");
  const auto& any = *statement.where;
  ASSERT_EQ(any.kind, Kind::any);
  ASSERT_EQ(any.operands.size(), 2U);
  const auto& all = any.operands[1];
  ASSERT_EQ(all.kind, Kind::all);
  ASSERT_EQ(all.operands.size(), 4U);
  EXPECT_EQ(all.operands[0].kind, Kind::negate);
  EXPECT_EQ(all.operands[1].kind, Kind::between);
  EXPECT_EQ(all.operands[2].kind, Kind::in);
  EXPECT_EQ(all.operands[2].operands.size(), 3U);
  EXPECT_EQ(all.operands[3].kind, Kind::negate);
  EXPECT_EQ(all.operands[3].operands[0].name, "missing");

  const auto not_in = parsed("SELECT * FROM T WHERE a NOT IN [1, 2] AND b NOT BETWEEN 1 AND 2");
  EXPECT_EQ(not_in.where->operands[0].kind, Kind::negate);
  EXPECT_EQ(not_in.where->operands[1].operands[0].kind, Kind::between);
}

TEST(Parser, TellsWhatIsNotWellFormed) {
  for (const auto& [text, expected] : std::vector<std::pair<std::string_view, std::string_view>>{
           {"SLECT * FROM \"T\" WHERE pk = 'x'", "Expected data manipulation"},
           {"UPDATE Payment-live SET a = 1 WHERE pk = 'x'", "Expected data manipulation"},
           {"   ", "Expected data manipulation"},
           {"SELECT * FROM T WHERE pk = 1 foo", "Unexpected token after expression"},
           {"SELECT * FROM T WHERE pk = 1)", "Unexpected token after expression"},
           {"INSERT INTO T VALUE {'pk': 1} foo", "Unexpected token after expression"},
           {"INSERT INTO T t VALUE {'pk': 1}", "Unexpected token after expression"},
           {"UPDATE T SET a = 9 WHERE pk = 2 foo", "Unexpected token after expression"},
           {"DELETE FROM T WHERE pk = 1 ORDER BY pk", "Unexpected token after expression"},
           {"SELECT * FROM T ORDER BY pk WHERE pk = 1", "Unexpected token after expression"},
           {"FROM T SET c = 1 WHERE pk = 'x'", "Unexpected token after expression"},
           {"SELECT * FROM T WHERE", "Unexpected term"},
           {"SELECT * FROM T WHERE;", "Unexpected term"},
           {"SELECT * FROM T WHERE NOT", "Unexpected term"},
           {"SELECT * FROM T WHERE (", "Unexpected term"},
           {"SELECT * FROM", "Unexpected term"},
           {"UPDATE T SET a = 1 WHERE", "Unexpected term"},
           {"SELECT * FROM T WHERE pk = 'a' AND", "Missing right-hand side expression of infix operator"},
           {"SELECT * FROM T WHERE pk = 'a' OR", "Missing right-hand side expression of infix operator"},
           {"SELECT * FROM T WHERE ORDER BY pk", "Unexpected keyword"},
           {"INSERT INTO urls (key, url) VALUES (1, 2)", "Unexpected keyword"},
           {"SELECT * FROM T WHERE pk = 'a' AND x IS FOO", "Expected type name"},
           {"SELECT * FROM T WHERE IS NULL", "Unexpected operator"},
           {"SELECT * FROM T WHERE pk = LIKE", "Unexpected operator"},
           {"DELETE FROM", "Expected identifier for simple path"},
           {"DELETE FROM WHERE pk = 'a'", "Expected identifier for simple path"},
           {"SELECT * FROM T WHERE m.inner = 1", "Invalid path dot component"},
       }) {
    EXPECT_EQ(detail(text), expected) << text;
  }
}

TEST(Parser, TellsWhatIsNotSupported) {
  for (const auto& [text, expected] : std::vector<std::pair<std::string_view, std::string_view>>{
           {"SELECT * FROM T t WHERE pk = 'x'", "Aliasing is not supported"},
           {"SELECT * FROM T AS t WHERE pk = 'x'", "Aliasing is not supported"},
           {"UPDATE T t SET a = 3 WHERE pk = 'x'", "Aliasing is not supported"},
           {"DELETE FROM T t WHERE pk = 'x'", "Aliasing is not supported"},
           {"x IS INT4", "Unsupported operation: IsType"},
           {"x IS DOUBLE PRECISION", "Unsupported operation: IsType"},
           {"SELECT * FROM T LIMIT 1", "Unsupported clause: LIMIT"},
           {"SELECT *, a FROM T",
            "Other attributes should not be present in the projection when '*' is used."},
           {"SELECT size(a) FROM T", "Unexpected path component at 1:8:4"},
           {"SELECT * FROM A.B.C", "A path may contain at most 2 components in the FROM clause"},
           {"SELECT * FROM T.\"\"", "Path component cannot be an empty string"},
           {"SELECT * FROM \"\"", "Path component cannot be an empty string"},
           {"INSERT INTO \"Tab\".\"I\" VALUE {'pk': 1}",
            "FROM clause may only contain a single table name in data manipulation statements at 1:13:5"},
           {"UPDATE T.I SET a = 1 WHERE pk = 1", "This operation is not supported on an index"},
           {"DELETE FROM T.I WHERE pk = 1", "This operation is not supported on an index"},
           {"DELETE FROM T WHERE pk = 'x' RETURNING ALL NEW *",
            "Invalid returning clause: RETURNING ALL NEW *. Only RETURNING ALL OLD * is allowed in DELETE "
            "statements."},
       }) {
    EXPECT_EQ(message_of(parse(text)), expected) << text;
  }
}

TEST(Parser, TellsWhatIsWrongWithValues) {
  const std::string overflow =
      "Number overflow. Attempting to store a number with magnitude larger than supported range under root";
  for (const auto& [text, expected] : std::vector<std::pair<std::string_view, std::string>>{
           {"SELECT * FROM T WHERE pk = 1e126", overflow},
           {"INSERT INTO T VALUE {'pk': 1e126}", overflow},
           {"INSERT INTO T VALUE {'pk': 1, 'm': {'x': 1e126}}", overflow + ".x"},
           {"INSERT INTO T VALUE {'pk': 1, 'l': [1, 1e126]}", overflow + "[1]"},
           {"UPDATE T SET m = {'x': [1e126]} WHERE pk = 1", overflow + ".x[0]"},
           {"SELECT * FROM T WHERE a = <<>>", "Empty bags are not supported"},
           {"SELECT * FROM T WHERE a = <<'x', 'x'>>",
            "One or more parameter values were invalid: Input collection [x, x] contains duplicates."},
           {"SELECT * FROM T WHERE a = <<1, 'x'>>",
            "DynamoDB only supports either numbers or strings in bags"},
           {"INSERT INTO T VALUE {'pk': 'a', 'ss': set_add(<<'a'>>, <<'b'>>)}",
            "Unsupported data type: set_add under key root at 1:39:7"},
       }) {
    EXPECT_EQ(message_of(parse(text)), expected) << text;
  }
}

TEST(Parser, CountsParameters) {
  const std::string_view mismatch = "Number of parameters in request and statement don't match.";
  EXPECT_EQ(message_of(parse("SELECT * FROM T WHERE a = ?")), mismatch);
  EXPECT_EQ(message_of(parse("SELECT * FROM T WHERE a = 1", R"([{"S":"x"}])")), mismatch);
  EXPECT_EQ(message_of(parse("SELECT * FROM T WHERE a = '?'")), "(no error)");
  // What is not well formed is told first.
  EXPECT_EQ(detail("SELECT * FROM T WHERE a = ? AND"),
            "Missing right-hand side expression of infix operator");
}

TEST(Parser, BoundsTheCandidatesOfAParameter) {
  const auto list = [](int count) {
    std::string text = R"([{"L":[{"N":"0"})";
    for (int i = 1; i < count; ++i) {
      text.append(R"(,{"N":")").append(std::to_string(i)).append(R"("})");
    }
    return text.append("]}]");
  };
  EXPECT_EQ(parsed("SELECT * FROM T WHERE a IN ?", list(100)).where->operands.size(), 101U);
  EXPECT_EQ(message_of(parse("SELECT * FROM T WHERE a IN ?", list(5000))),
            "The IN operator is provided with too many operands; number of operands: 5000");
}

TEST(Parser, BoundsNesting) {
  const auto nested = [](std::string_view open, std::string_view inside, std::string_view close, int count) {
    std::string text = "SELECT * FROM T WHERE ";
    for (int i = 0; i < count; ++i) {
      text.append(open);
    }
    text.append(inside);
    for (int i = 0; i < count; ++i) {
      text.append(close);
    }
    return text;
  };
  EXPECT_TRUE(parse(nested("(", "a = 1", ")", 50)).has_value());
  EXPECT_EQ(detail(nested("(", "a = 1", ")", 2000)), "");
  EXPECT_EQ(detail(nested("NOT ", "a = 1", "", 2000)), "");
  EXPECT_EQ(detail(nested("a = ", "1", "", 2000)), "");
  EXPECT_EQ(detail(nested("a + ", "1", " = 1", 500)), "");
  EXPECT_EQ(detail("SELECT * FROM T WHERE a = " + std::string(1000, '[')), "");
  EXPECT_EQ(message_of(parse("SELECT * FROM T WHERE a = " + std::string(40, '[') + std::string(40, ']'))),
            item::nested_too_deep().message);
  const std::string deep = std::string(20, '[') + "?" + std::string(20, ']');
  std::string parameter = R"({"S":"x"})";
  for (int i = 0; i < 20; ++i) {
    parameter = R"({"L":[)" + parameter + "]}";
  }
  EXPECT_EQ(message_of(parse("INSERT INTO T VALUE {'a': " + deep + "}", "[" + parameter + "]")),
            item::nested_too_deep().message);
}

}  // namespace
}  // namespace waybill::partiql::testing
