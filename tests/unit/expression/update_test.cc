#include "expression/update.h"

#include "expression/testing.h"

namespace waybill::expression::testing {
namespace {

constexpr std::string_view sample =
    R"({"a":{"S":"x"},"n":{"N":"5"},"l":{"L":[{"N":"1"},{"N":"2"},{"N":"3"}]},)"
    R"("m":{"M":{"x":{"N":"1"},"y":{"M":{"z":{"S":"q"}}}}},"ss":{"SS":["a","b"]}})";

constexpr std::string_view values =
    R"({":v":{"S":"v"},":n":{"N":"3"},":l":{"L":[{"N":"9"}]},":m":{"M":{}},":ss":{"SS":["a","c"]},":ns":{"NS":["1"]},)"
    R"(":all":{"SS":["b","a"]},":null":{"NULL":true},":big":{"N":"9.9999999999999999999999999999999999999E+125"}})";

Result<Update> parse(std::string_view text) {
  Request request(values, R"({"#a":"a","#status":"status"})");
  return Update::parse(text, request.placeholders);
}

Result<item::Item> applied(std::string_view text, std::string_view item,
                           ItemPresence presence = ItemPresence::existing) {
  auto update = parse(text);
  EXPECT_TRUE(update.has_value()) << text << ": " << message_of(update);
  const auto before = make_item(item);
  return update ? update->apply(before.view(), presence) : Result<item::Item>(item::Item{});
}

// The item after the update holds exactly `expected`, in whatever order.
void expect_item(std::string_view text, std::string_view item, std::string_view expected) {
  const auto after = applied(text, item);
  ASSERT_TRUE(after.has_value()) << text << ": " << message_of(after);
  EXPECT_TRUE(item::equal(after->view(), make_item(expected).view()))
      << text << ": " << to_json(after->view());
}

std::string apply_error(std::string_view text) {
  return message_of(applied(text, sample));
}

std::string problem(std::string_view text) {
  const std::string message = message_of(parse(text));
  const std::string prefix = "Invalid UpdateExpression: ";
  EXPECT_TRUE(message.starts_with(prefix)) << text << ": " << message;
  return message.starts_with(prefix) ? message.substr(prefix.size()) : message;
}

std::string updated(std::string_view text, std::string_view item, bool after) {
  const auto update = parse(text);
  EXPECT_TRUE(update.has_value()) << text;
  const auto before = make_item(item);
  const auto result = update->apply(before.view());
  EXPECT_TRUE(result.has_value()) << text;
  item::Item out;
  update->append_updated(out.encoded, after ? result->view() : before.view());
  return to_json(out.view());
}

TEST(Update, SetsTopLevelAttributes) {
  expect_item("SET a = :v", R"({"a":{"S":"x"},"b":{"N":"1"}})", R"({"a":{"S":"v"},"b":{"N":"1"}})");
  expect_item("set b = :n, c = a REMOVE a", R"({"a":{"S":"x"}})", R"({"b":{"N":"3"},"c":{"S":"x"}})");
  expect_item("SET n = n + :n, k = :n - n", R"({"n":{"N":"5"}})", R"({"n":{"N":"8"},"k":{"N":"-2"}})");
  expect_item("SET a = (n + :n), b = (:v), c = (n) - (:n), d = ((n))", R"({"n":{"N":"5"}})",
              R"({"n":{"N":"5"},"a":{"N":"8"},"b":{"S":"v"},"c":{"N":"2"},"d":{"N":"5"}})");
  expect_item("SET #status = if_not_exists(zz, if_not_exists(n, :v))", R"({"n":{"N":"5"}})",
              R"({"n":{"N":"5"},"status":{"N":"5"}})");
  expect_item("SET n = if_not_exists(n, :n) + :n, k = if_not_exists(k, :n) + :n", R"({"n":{"N":"5"}})",
              R"({"n":{"N":"8"},"k":{"N":"6"}})");
  expect_item("SET l = list_append(if_not_exists(l, :l), :l)", R"({})",
              R"({"l":{"L":[{"N":"9"},{"N":"9"}]}})");
  expect_item("SET l = list_append(:l, l)", R"({"l":{"L":[{"N":"1"}]}})",
              R"({"l":{"L":[{"N":"9"},{"N":"1"}]}})");
}

TEST(Update, ReadsTheItemAsItWas) {
  expect_item("SET a = b, b = a", R"({"a":{"N":"1"},"b":{"N":"2"}})", R"({"a":{"N":"2"},"b":{"N":"1"}})");
  expect_item("SET l[0] = l[1], l[1] = l[0]", R"({"l":{"L":[{"N":"1"},{"N":"2"}]}})",
              R"({"l":{"L":[{"N":"2"},{"N":"1"}]}})");
}

TEST(Update, ChangesMaps) {
  constexpr std::string_view item = R"({"m":{"M":{"x":{"N":"1"},"y":{"M":{"z":{"S":"q"}}}}},"k":{"N":"0"}})";
  expect_item("SET m.x = :v", item, R"({"m":{"M":{"x":{"S":"v"},"y":{"M":{"z":{"S":"q"}}}}},"k":{"N":"0"}})");
  expect_item("SET m.w = :v, m.y.w = :n REMOVE m.x", item,
              R"({"m":{"M":{"w":{"S":"v"},"y":{"M":{"z":{"S":"q"},"w":{"N":"3"}}}}},"k":{"N":"0"}})");
  expect_item("REMOVE m.x, m.y.z, m.zz", item, R"({"m":{"M":{"y":{"M":{}}}},"k":{"N":"0"}})");
  expect_item("ADD m.x :n, m.w :ss", item,
              R"({"m":{"M":{"x":{"N":"4"},"w":{"SS":["a","c"]},"y":{"M":{"z":{"S":"q"}}}}},"k":{"N":"0"}})");
  expect_item("SET m.a = :v, m.z = :n", R"({"m":{"M":{}}})", R"({"m":{"M":{"a":{"S":"v"},"z":{"N":"3"}}}})");
}

TEST(Update, ChangesLists) {
  constexpr std::string_view item = R"({"l":{"L":[{"N":"0"},{"N":"1"},{"N":"2"},{"M":{"k":{"N":"7"}}}]}})";
  expect_item("SET l[1] = :v", item, R"({"l":{"L":[{"N":"0"},{"S":"v"},{"N":"2"},{"M":{"k":{"N":"7"}}}]}})");
  expect_item("REMOVE l[0], l[2], l[9] SET l[1] = :v", item,
              R"({"l":{"L":[{"S":"v"},{"M":{"k":{"N":"7"}}}]}})");
  expect_item("SET l[84] = :v, l[37] = :n", R"({"l":{"L":[{"N":"0"}]}})",
              R"({"l":{"L":[{"N":"0"},{"N":"3"},{"S":"v"}]}})");
  expect_item("SET l[3].k = :v, l[3].j = :n", item,
              R"({"l":{"L":[{"N":"0"},{"N":"1"},{"N":"2"},{"M":{"k":{"S":"v"},"j":{"N":"3"}}}]}})");
  expect_item("ADD l[0] :n, l[9] :n", R"({"l":{"L":[{"N":"1"}]}})", R"({"l":{"L":[{"N":"4"},{"N":"3"}]}})");
  expect_item("SET l[0] = :v", R"({"l":{"L":[]}})", R"({"l":{"L":[{"S":"v"}]}})");
}

TEST(Update, AddsAndDeletes) {
  expect_item("ADD n :n, k :n, ss :ss, s2 :ss", R"({"n":{"N":"5"},"ss":{"SS":["a","b"]}})",
              R"({"n":{"N":"8"},"k":{"N":"3"},"ss":{"SS":["a","b","c"]},"s2":{"SS":["a","c"]}})");
  expect_item("DELETE ss :ss, zz :ss", R"({"ss":{"SS":["a","b"]}})", R"({"ss":{"SS":["b"]}})");
  expect_item("DELETE ss :all", R"({"ss":{"SS":["a","b"]},"k":{"N":"1"}})", R"({"k":{"N":"1"}})");
  expect_item("DELETE m.ss :all", R"({"m":{"M":{"ss":{"SS":["a"]}}}})", R"({"m":{"M":{}}})");
}

TEST(Update, RuntimeErrors) {
  const std::string type = "An operand in the update expression has an incorrect data type";
  const std::string missing =
      "The provided expression refers to an attribute that does not exist in the item";
  const std::string path = "The document path provided in the update expression is invalid for update";
  for (const auto* text :
       {"SET b = a + :n", "SET b = if_not_exists(zz, :v) + :n", "SET b = list_append(a, :l)", "ADD a :n",
        "ADD ss :ns", "ADD ss :n", "DELETE ss :ns", "DELETE a :ss"}) {
    EXPECT_EQ(apply_error(text), type) << text;
  }
  for (const auto* text : {"SET b = zz", "SET b = zz + :n", "SET b = m.zz", "SET b = l[7]",
                           "SET b = list_append(zz, :l)", "SET b = if_not_exists(zz, zy)"}) {
    EXPECT_EQ(apply_error(text), missing) << text;
  }
  for (const auto* text :
       {"SET a.b = :v", "SET zz.b = :v", "SET zz[0] = :v", "SET m.q.z = :v", "SET l.x = :v", "SET m[0] = :v",
        "SET l[0].a = :v", "SET l[9].a = :v", "REMOVE a.b", "REMOVE a[0]", "REMOVE zz.b", "REMOVE m.zz.q",
        "REMOVE l.x", "ADD m.zz.w :n"}) {
    EXPECT_EQ(apply_error(text), path) << text;
  }
  EXPECT_EQ(message_of(applied("SET b = :big + :big", "{}")),
            "Number overflow. Attempting to store a number with magnitude larger than supported range");
}

TEST(Update, RemovingFromAMissingItemIsNoError) {
  const auto after = applied("REMOVE x.y, z[0]", R"({"pk":{"S":"k"}})", ItemPresence::missing);
  ASSERT_TRUE(after.has_value()) << message_of(after);
  EXPECT_EQ(to_json(after->view()), R"({"pk":{"S":"k"}})");
  EXPECT_FALSE(applied("SET x.y = :v", R"({"pk":{"S":"k"}})", ItemPresence::missing).has_value());
}

TEST(Update, RefusesToNestTooDeep) {
  std::string inner = R"({"N":"1"})";
  for (int i = 1; i < item::nesting_levels_max; ++i) {
    inner = R"({"L":[)" + inner + "]}";
  }
  const std::string item = R"({"deep":)" + inner + R"(,"m":{"M":{}}})";
  EXPECT_TRUE(applied("SET b = deep", item).has_value());
  EXPECT_TRUE(applied("SET m.b = deep[0]", item).has_value());
  EXPECT_EQ(message_of(applied("SET m.b = deep", item)), item::nested_too_deep().message);
}

TEST(Update, ReturnsWhatItTouched) {
  EXPECT_EQ(updated("SET a = :n, zz = :v", sample, false), R"({"a":{"S":"x"}})");
  EXPECT_EQ(updated("SET m.x = :v, m.w = :n", sample, true), R"({"m":{"M":{"x":{"S":"v"},"w":{"N":"3"}}}})");
  EXPECT_EQ(updated("SET m.x = :v, m.w = :n", sample, false), R"({"m":{"M":{"x":{"N":"1"}}}})");
  EXPECT_EQ(updated("SET l[1] = :v", sample, true), R"({"l":{"L":[{"S":"v"}]}})");
  EXPECT_EQ(updated("REMOVE l[1], l[7]", sample, false), R"({"l":{"L":[{"N":"2"}]}})");
  // The service looks again at the index that was named: an element that moved there is shown.
  EXPECT_EQ(updated("REMOVE l[1]", sample, true), R"({"l":{"L":[{"N":"3"}]}})");
  EXPECT_EQ(updated("SET l[100] = :v", sample, true), "{}");
  EXPECT_EQ(updated("REMOVE a, m.x", sample, true), "{}");
  EXPECT_EQ(updated("DELETE ss :all", sample, true), "{}");
}

TEST(Update, MentionsItsTargetsOnly) {
  const auto update = parse("SET a.b = c REMOVE d");
  ASSERT_TRUE(update.has_value());
  EXPECT_TRUE(update->mentions("a"));
  EXPECT_TRUE(update->mentions("d"));
  EXPECT_FALSE(update->mentions("c"));
  EXPECT_TRUE(Update().empty());
  EXPECT_EQ(to_json(Update().apply(make_item(sample).view())->view()), to_json(make_item(sample).view()));
}

TEST(Update, SyntaxErrors) {
  EXPECT_EQ(problem(""), "The expression can not be empty;");
  EXPECT_EQ(problem(" "), R"(Syntax error; token: "<EOF>", near: "")");
  EXPECT_EQ(problem("INVALID SYNTAX"), R"(Syntax error; token: "INVALID", near: "INVALID SYNTAX")");
  EXPECT_EQ(problem("SET"), R"(Syntax error; token: "<EOF>", near: "SET")");
  EXPECT_EQ(problem("SET a"), R"(Syntax error; token: "<EOF>", near: "a")");
  EXPECT_EQ(problem("SET a = :v, REMOVE n"), R"(Syntax error; token: "REMOVE", near: ", REMOVE n")");
  EXPECT_EQ(problem("REMOVE a b"), R"(Syntax error; token: "b", near: "a b")");
  EXPECT_EQ(problem("ADD n n"), R"(Syntax error; token: "n", near: "n n")");
  EXPECT_EQ(problem("SET a = n + :n + :n"), R"(Syntax error; token: "+", near: ":n + :n")");
  EXPECT_EQ(problem("SET a = (n + :n) + :n"), R"(Syntax error; token: "+", near: ") + :n")");
  EXPECT_EQ(problem("SET a = if_not_exists(zz, n + :n)"), R"(Syntax error; token: "+", near: "n + :n")");
  EXPECT_EQ(problem("SET :v = a"), R"(Syntax error; token: ":v", near: "SET :v =")");
}

TEST(Update, Problems) {
  EXPECT_EQ(problem("SET a = :v REMOVE n SET b = :v"),
            "The \"SET\" section can only be used once in an update expression;");
  EXPECT_EQ(problem("SET status = :zz"), "Attribute name is a reserved keyword; reserved keyword: status");
  EXPECT_EQ(problem("SET a = foo(a)"), "Invalid function name; function: foo");
  EXPECT_EQ(problem("SET a = LIST_APPEND(l, :l)"), "Invalid function name; function: LIST_APPEND");
  EXPECT_EQ(problem("SET #zz = :v"),
            "An expression attribute name used in the document path is not defined; attribute name: #zz");
  EXPECT_EQ(problem("ADD a :zz"),
            "An expression attribute value used in expression is not defined; attribute value: :zz");
  const std::string overlap =
      "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: ";
  EXPECT_EQ(problem("SET a = :v REMOVE #a"), overlap + "[a], path two: [a]");
  EXPECT_EQ(problem("SET m = :v, m.x = :n"), overlap + "[m], path two: [m, x]");
  EXPECT_EQ(problem("SET d[1] = a, d.b = a, c[1].a = a, c = a"), overlap + "[c, [1], a], path two: [c]");
  EXPECT_EQ(problem("SET m.x = :v, m[0] = :v"),
            "Two document paths conflict with each other; must remove or rewrite one of these paths; path "
            "one: [m, x], "
            "path two: [m, [0]]");
  const std::string action = "Incorrect operand type for operator or function; operator: ";
  EXPECT_EQ(problem("ADD a :v"), action + "ADD, operand type: STRING, typeSet: ALLOWED_FOR_ADD_OPERAND");
  EXPECT_EQ(problem("DELETE a :n"),
            action + "DELETE, operand type: NUMBER, typeSet: ALLOWED_FOR_DELETE_OPERAND");
  const std::string type = "Incorrect operand type for operator or function; operator or function: ";
  EXPECT_EQ(problem("SET a = :v + :n"), type + "+, operand type: S");
  EXPECT_EQ(problem("SET a = list_append(l, :v)"), type + "list_append, operand type: S");
  EXPECT_EQ(
      problem("SET a = list_append(l)"),
      "Incorrect number of operands for operator or function; operator or function: list_append, number of "
      "operands: 1");
  EXPECT_EQ(problem("SET a = if_not_exists(:v, :n)"),
            "Operator or function requires a document path; operator or function: if_not_exists");
  EXPECT_EQ(problem("SET a = list_append(list_append(l, :l), :l)"),
            "The function is not allowed to be used this way in an expression; function: list_append");
}

}  // namespace
}  // namespace waybill::expression::testing
