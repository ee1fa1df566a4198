#include "partiql/lowering.h"

#include "partiql/testing.h"

namespace waybill::partiql::testing {
namespace {

constexpr std::string_view sample =
    R"({"pk":{"S":"k"},"a":{"N":"5"},"s":{"S":"str"},"ss":{"SS":["a","b"]},"l":{"L":[{"N":"1"},{"N":"2"}]},)"
    R"("m":{"M":{"x":{"M":{"y":{"S":"deep"}}}}},"nul":{"NULL":true},"flag":{"BOOL":true},"b":{"B":"AQ=="}})";

Result<expression::Condition> condition(std::string_view text, std::string_view parameters = "[]") {
  const auto statement = parsed("SELECT * FROM T WHERE " + std::string(text), parameters);
  return statement.where ? lower_condition(*statement.where) : Result<expression::Condition>(invalid("none"));
}

TEST(Lowering, ConditionsHold) {
  const auto item = make_item(sample);
  for (const auto* text : {
           "a = 5",
           "5 = a",
           "a <> 4",
           "a != 4",
           "a > 4",
           "4 < a",
           "a >= 5",
           "a <= 5.0",
           "NOT a = 4",
           "a BETWEEN 4 AND 6",
           "a IN [4, 5]",
           "a IN (5)",
           "a NOT IN [4]",
           "s = 'str' AND a = 5",
           "s = 'no' OR a = 5",
           "(s = 'no' OR a = 5) AND pk = 'k'",
           "begins_with(s, 'st')",
           "BEGINS_WITH(s, 'st')",
           "contains(s, 't')",
           "contains(ss, 'a')",
           "size(s) = 3",
           "size(l) < 3",
           "attribute_exists(s)",
           "attribute_not_exists(zz)",
           "attribute_type(ss, 'SS')",
           "attribute_exists(s) = true",
           "attribute_exists(zz) = false",
           "zz IS MISSING",
           "s IS NOT MISSING",
           "zz = MISSING",
           "s <> MISSING",
           "nul IS NULL",
           "s IS NOT NULL",
           "flag IS BOOL",
           "s IS STRING",
           "a IS INT",
           "l IS LIST",
           "m IS STRUCT",
           "ss IS BAG",
           "b IS BLOB",
           "m.x.y = 'deep'",
           "l[1] = 2",
           "m['x'].y = 'deep'",
           "\"a\" = 5",
           "ss = <<'b', 'a'>>",
           "l = [1, 2]",
           "m = {'x': {'y': 'deep'}}",
           "nul = null",
           "flag = true",
           "zz <> 1",
       }) {
    const auto lowered = condition(text);
    ASSERT_TRUE(lowered.has_value()) << text << ": " << message_of(lowered);
    EXPECT_TRUE(lowered->holds(item.view())) << text;
    const auto negated = condition("NOT (" + std::string(text) + ")");
    ASSERT_TRUE(negated.has_value()) << text;
    EXPECT_FALSE(negated->holds(item.view())) << text;
  }
}

TEST(Lowering, TellsWhatIsWrongWithConditions) {
  for (const auto& [text, expected] : std::vector<std::pair<std::string_view, std::string_view>>{
           {"a < true",
            "Incorrect operand type for operator or function; operator or function: <, operand type: "
            "BOOL"},
           {"a BETWEEN true AND false",
            "Incorrect operand type for operator or function; operator or function: BETWEEN, operand type: "
            "BOOL"},
           {"attribute_exists('ss')",
            "Operator or function requires a document path; operator or function: attribute_exists"},
           {"attribute_exists()",
            "Incorrect number of operands for operator or function; operator or function: attribute_exists, "
            "number of operands: 0"},
           {"size() = 1",
            "Incorrect number of operands for operator or function; operator or function: size, number of "
            "operands: 0"},
           {"attribute_exists(a, b)",
            "Incorrect number of operands for operator or function; operator or function: attribute_exists, "
            "number of operands: 2"},
           {"EXISTS(ss)", "Unrecognized function: exists at 1:23:6"},
           {"set_add(ss, <<'x'>>) = ss", "Unrecognized function: set_add at 1:23:7"},
           {"a BETWEEN 2 AND 1",
            "The BETWEEN operator requires upper bound to be greater than or equal to lower bound; lower "
            "bound "
            "operand: AttributeValue: {N:2}, upper bound operand: AttributeValue: {N:1}"},
       }) {
    EXPECT_EQ(message_of(condition(text)), expected) << text;
  }
}

TEST(Lowering, ColumnsAreNamedByTheirEnds) {
  const auto item = make_item(sample);
  const auto statement = parsed("SELECT m.x.y, l[1], a, zz, m.x FROM T");
  const auto columns = lower_columns(statement.columns);
  ASSERT_TRUE(columns.has_value());
  std::string out;
  (*columns)->append_projected(out, item.view());
  EXPECT_EQ(to_json(item::ItemView(out)),
            R"({"y":{"S":"deep"},"l[1]":{"N":"2"},"a":{"N":"5"},"x":{"M":{"y":{"S":"deep"}}}})");
  EXPECT_EQ((*columns)->top_level_names(), (std::vector<std::string_view>{"m", "l", "a", "zz", "m"}));
  EXPECT_FALSE((*lower_columns({})).has_value());
  EXPECT_EQ(message_of(lower_columns(parsed("SELECT m.x, n.x FROM T").columns)),
            "Duplicate identifiers in select clause: x");
}

Result<item::Item> updated(std::string_view changes) {
  const auto statement = parsed("UPDATE T " + std::string(changes) + " WHERE pk = 'k'");
  const auto update = lower_update(statement.changes);
  if (!update) {
    return update.error();
  }
  return update->apply(
      make_item(R"({"pk":{"S":"k"},"n":{"N":"1"},"ss":{"SS":["a","b"]},"l":{"L":[{"N":"1"}]}})").view());
}

TEST(Lowering, UpdatesApply) {
  for (const auto& [changes, expected] : std::vector<std::pair<std::string_view, std::string_view>>{
           {"SET n = n + 1", R"("n":{"N":"2"})"},
           {"SET n = 5 - n", R"("n":{"N":"4"})"},
           {"SET x = n", R"("x":{"N":"1"})"},
           {"SET l = list_append(l, [2])", R"("l":{"L":[{"N":"1"},{"N":"2"}]})"},
           {"SET ss = set_add(ss, <<'c'>>)", R"("ss":{"SS":["a","b","c"]})"},
           {"SET ss = SET_DELETE(ss, <<'a'>>)", R"("ss":{"SS":["b"]})"},
           {"SET new = set_add(new, <<1>>)", R"("new":{"NS":["1"]})"},
           {"SET l[0] = 'x' SET y = {'z': 1}", R"("l":{"L":[{"S":"x"}]},"y":{"M":{"z":{"N":"1"}}})"},
       }) {
    const auto item = updated(changes);
    ASSERT_TRUE(item.has_value()) << changes << ": " << message_of(item);
    EXPECT_NE(to_json(item->view()).find(expected), std::string::npos) << to_json(item->view());
  }
  const auto removed = updated("REMOVE n REMOVE ss, l[0]");
  EXPECT_EQ(to_json(removed->view()), R"({"pk":{"S":"k"},"l":{"L":[]}})");
}

TEST(Lowering, TellsWhatIsWrongWithUpdates) {
  for (const auto& [changes, expected] : std::vector<std::pair<std::string_view, std::string_view>>{
           {"SET t = set_add(ss, <<'x'>>)",
            "The first argument to SET_ADD must equal the assignment value at 1:18:7"},
           {"SET ss = set_add(ss, 'x')",
            "The second argument to SET_ADD must be a value with type SET at 1:27:2"},
           {"SET ss = set_delete(ss)", "SET_DELETE must have exactly two arguments at 1:19:10"},
           {"SET ss = set_add(ss, <<1>>)", "An operand in the update expression has an incorrect data type"},
           {"SET n = if_not_exists(n, 1)", "Unrecognized function: if_not_exists at 1:18:13"},
           {"SET l = list_append(l, 1)",
            "Incorrect operand type for operator or function; operator or function: list_append, operand "
            "type: N"},
           {"SET n = 1 SET n = 2",
            "Two document paths overlap with each other; must remove or rewrite one of these paths; path "
            "one: [n], "
            "path two: [n]"},
           {"SET n = zz + 1",
            "The provided expression refers to an attribute that does not exist in the item"},
       }) {
    EXPECT_EQ(message_of(updated(changes)), expected) << changes;
  }
}

TEST(Lowering, NamesTheAttributesOfACondition) {
  const auto statement = parsed("SELECT * FROM T WHERE a.b = 1 AND (begins_with(c, 'x') OR NOT a = d)");
  EXPECT_EQ(mentioned_attributes(*statement.where), (std::vector<std::string>{"a", "c", "d"}));
}

}  // namespace
}  // namespace waybill::partiql::testing
