#include "expression/condition.h"

#include "expression/testing.h"

namespace waybill::expression::testing {
namespace {

constexpr std::string_view sample =
    R"({"a":{"S":"x"},"e":{"S":""},"n":{"N":"5"},"l":{"L":[{"N":"1"},{"N":"2"},{"S":"x"}]},)"
    R"("m":{"M":{"x":{"N":"1"}}},"ss":{"SS":["a","b"]},"ns":{"NS":["1","2"]},"bs":{"BS":["AAE=","AQ=="]},)"
    R"("bo":{"BOOL":true},"nu":{"NULL":true},"bin":{"B":"AAEC"},"u":{"S":"a😀é"},"size":{"N":"1"}})";

constexpr std::string_view values =
    R"({":x":{"S":"x"},":a":{"S":"a"},":z":{"S":"z"},":empty":{"S":""},":1":{"N":"1"},":one":{"N":"1.00"},)"
    R"(":2":{"N":"2"},":3":{"N":"3"},":4":{"N":"4"},":5":{"N":"5"},":ss":{"SS":["b","a"]},":l":{"L":[]},)"
    R"(":true":{"BOOL":true},":null":{"NULL":true},":b0":{"B":"AA=="},":b01":{"B":"AAE="},":m":{"M":{}},)"
    R"(":S":{"S":"S"},":N":{"S":"N"},":bad":{"S":"foo"}})";

Request make_request() {
  return Request(values, R"({"#size":"size","#a":"a"})");
}

Result<Condition> parse(std::string_view text, ExpressionKind kind = ExpressionKind::condition) {
  auto request = make_request();
  return Condition::parse(text, kind, request.placeholders);
}

bool holds(std::string_view text) {
  auto condition = parse(text);
  EXPECT_TRUE(condition.has_value()) << text << ": " << message_of(condition);
  static const auto item = make_item(sample);
  return condition && condition->holds(item.view());
}

std::string problem(std::string_view text) {
  const std::string message = message_of(parse(text));
  const std::string prefix = "Invalid ConditionExpression: ";
  EXPECT_TRUE(message.starts_with(prefix)) << text << ": " << message;
  return message.starts_with(prefix) ? message.substr(prefix.size()) : message;
}

TEST(Condition, Holds) {
  for (const auto* text : {
           "a = :x",
           ":x = a",
           "(a) = (:x)",
           "m.x = :one",
           "l[0] = m.x",
           "l[2] = a",
           "#size = :1",
           "ss = :ss",
           "bo = :true",
           "nu = :null",
           "zz <> :x",
           "zz <> zy",
           "a <> zz",
           "a <> :1",
           "n > :3",
           "n >= :5",
           "n < n2 OR n <= :5",
           "NOT zz < :x",
           "NOT zz = :x",
           "a BETWEEN :a AND :z",
           "n BETWEEN :1 AND :5",
           ":3 BETWEEN :1 AND n",
           "a IN (:a, :x)",
           "a IN (:1, :x)",
           ":3 IN (:3, n)",
           "a in (zz, #a.b, :x)",
           "a between :a and :x",
           "attribute_exists(m.x)",
           "attribute_exists(l[0])",
           "attribute_not_exists(zz)",
           "attribute_not_exists(m.y)",
           "attribute_type(a, :S)",
           "attribute_type(n, :N)",
           "begins_with(a, :x)",
           "begins_with(a, :empty)",
           "begins_with(bin, :b0)",
           "begins_with(:x, a)",
           "contains(a, :x)",
           "contains(a, :empty)",
           "contains(l, :1)",
           "contains(l, :x)",
           "contains(ss, :a)",
           "contains(ns, :one)",
           "contains(bs, :b01)",
           "contains(bin, :b01)",
           "contains(:ss, :a)",
           "NOT contains(zz, :x)",
           "size(a) = :1",
           "size(l) = :3",
           "size(m) = :1",
           "size(ss) = :2",
           "size(bin) = :3",
           "size(u) = :4",
           "(size(a)) = :1",
           "size((a)) = :1",
           "size(a) < size(l)",
           "size(zz) <> :1",
           "NOT size(n) = :1",
           "size(:ss) = :2",
           "a = :x OR zz = :x AND zz = :x",
           "NOT a = :x OR a = :x",
           "NOT (a = :x AND zz = :x)",
           "NOT NOT a = :x",
           "(a = :x OR zz = :z) AND n = :5",
           "((a = :x) AND (n = :5))",
           "(NOT (zz = :x))",
           "a = :x AND n = :5 AND ss = :ss AND bo = :true AND nu = :null",
       }) {
    EXPECT_TRUE(holds(text)) << text;
  }
}

TEST(Condition, DoesNotHold) {
  for (const auto* text : {
           "zz = :x",
           "zz = zy",
           "zz < :x",
           "a < :5",
           "a = :1",
           "n > l",
           "l < l2",
           "bo > n",
           "a BETWEEN zz AND :z",
           "a BETWEEN :1 AND :5",
           "l BETWEEN :1 AND :2",
           "zz IN (:x)",
           "a IN (:ss, :l)",
           "attribute_exists(l.a)",
           "attribute_exists(m[0])",
           "attribute_exists(a.b)",
           "attribute_exists(l[3])",
           "attribute_type(zz, :S)",
           "begins_with(a, :b0)",
           "begins_with(n, :x)",
           "begins_with(l, :x)",
           "begins_with(zz, :x)",
           "contains(a, :1)",
           "contains(l, :l)",
           "contains(ss, :ss)",
           "contains(ns, :a)",
           "contains(m, :x)",
           "contains(n, :5)",
           "contains(zz, :x)",
           "size(n) = :1",
           "size(zz) = :1",
           "size(bo) >= :1",
           "a = size(a)",
           "NOT a = :x",
           "a = :x AND zz = :x",
           "NOT (a = :x OR zz = :x)",
       }) {
    EXPECT_FALSE(holds(text)) << text;
  }
}

TEST(Condition, AnAbsentItemIsEmpty) {
  EXPECT_TRUE(parse("attribute_not_exists(pk)")->holds(item::ItemView()));
  EXPECT_FALSE(parse("attribute_exists(pk)")->holds(item::ItemView()));
  EXPECT_TRUE(parse("pk <> :x")->holds(item::ItemView()));
}

TEST(Condition, OutlivesTheRequestAndMoves) {
  auto condition = parse("a = :x AND (m.x = :1 OR contains(l, :z)) AND NOT size(ss) > :5 AND n IN (:1, :5)");
  ASSERT_TRUE(condition.has_value());
  const Condition moved = *std::move(condition);
  const Condition copied = moved;  // NOLINT: the copy is the point
  const auto item = make_item(sample);
  EXPECT_TRUE(moved.holds(item.view()));
  EXPECT_TRUE(copied.holds(item.view()));
  EXPECT_TRUE(copied.mentions("m"));
  EXPECT_TRUE(copied.mentions("ss"));
  EXPECT_FALSE(copied.mentions("x"));
}

std::string syntax_error(std::string_view token, std::string_view near) {
  return "Syntax error; token: \"" + std::string(token) + "\", near: \"" + std::string(near) + "\"";
}

TEST(Condition, SyntaxErrors) {
  EXPECT_EQ(problem(""), "The expression can not be empty;");
  EXPECT_EQ(problem("a"), syntax_error("<EOF>", "a"));
  EXPECT_EQ(problem("a = = :x"), syntax_error("=", "= = :x"));
  EXPECT_EQ(problem("(a = :x"), syntax_error("<EOF>", ":x"));
  EXPECT_EQ(problem("a = :x)"), syntax_error(")", ":x)"));
  EXPECT_EQ(problem("a AND b"), syntax_error("AND", "a AND b"));
  EXPECT_EQ(problem("attribute_exists(a) AND NOT #a"), syntax_error("<EOF>", "#a"));
  EXPECT_EQ(problem("a = 5"), syntax_error("5", "= 5"));
  EXPECT_EQ(problem("a IN ()"), syntax_error(")", "()"));
  EXPECT_EQ(problem("a IN :x"), syntax_error(":x", "IN :x"));
  EXPECT_EQ(problem("a BETWEEN :x OR :x"), syntax_error("OR", ":x OR :x"));
  EXPECT_EQ(problem("between = :x"), syntax_error("between", "between ="));
  EXPECT_EQ(problem("(a = :x) = :x"), syntax_error("=", ") = :x"));
  EXPECT_EQ(problem("a = :x.b"), syntax_error(".", ":x.b"));
  EXPECT_EQ(problem("a = :x, b = :x"), syntax_error(",", ":x, b"));
  EXPECT_EQ(problem("a..b = :x"), syntax_error(".", "..b"));
  EXPECT_EQ(problem("a[:x] = :x"), syntax_error(":x", "[:x]"));
  EXPECT_EQ(problem("a = 'ä'"), syntax_error("'", "= 'ä"));
  EXPECT_EQ(problem("a ANDD b = :x"), syntax_error("ANDD", "a ANDD b"));
}

TEST(Condition, ProblemsOfForm) {
  EXPECT_EQ(problem("((a = :x))"), "The expression has redundant parentheses;");
  EXPECT_EQ(problem("a = ((:x))"), "The expression has redundant parentheses;");
  EXPECT_EQ(problem("foo(a) AND status = :x"), "Invalid function name; function: foo");
  EXPECT_EQ(problem("SIZE(a) = :1"), "Invalid function name; function: SIZE");
  EXPECT_EQ(problem("if_not_exists(a, :x) = :x"), "Invalid function name; function: if_not_exists");
  const std::string misuse = "The function is not allowed to be used this way in an expression; function: ";
  EXPECT_EQ(problem("size(a)"), misuse + "size");
  EXPECT_EQ(problem("NOT size(a)"), misuse + "size");
  EXPECT_EQ(problem("attribute_exists(a) = :x"), misuse + "attribute_exists");
  EXPECT_EQ(problem("contains(a, begins_with(a, :x))"), misuse + "begins_with");
  EXPECT_EQ(problem("a.status = :zzz"), "Attribute name is a reserved keyword; reserved keyword: status");
  EXPECT_EQ(problem("a = #zz"),
            "An expression attribute name used in the document path is not defined; attribute name: #zz");
  EXPECT_EQ(problem("a = :zz AND #zz = :x"),
            "An expression attribute value used in expression is not defined; attribute value: :zz");
}

TEST(Condition, ProblemsWithOperands) {
  const std::string count = "Incorrect number of operands for operator or function; operator or function: ";
  EXPECT_EQ(problem("begins_with(a)"), count + "begins_with, number of operands: 1");
  EXPECT_EQ(problem("attribute_exists(a, :x)"), count + "attribute_exists, number of operands: 2");
  EXPECT_EQ(problem("contains(#a, a)"),
            "The first operand must be distinct from the remaining operands for this operator or function; "
            "operator: "
            "contains, first operand: [a]");
  EXPECT_EQ(problem("a.b[1] = a.b[1]"),
            "The first operand must be distinct from the remaining operands for this operator or function; "
            "operator: "
            "=, first operand: [a, b, [1]]");
  EXPECT_EQ(problem("attribute_exists(:x)"),
            "Operator or function requires a document path; operator or function: attribute_exists");
  const std::string type = "Incorrect operand type for operator or function; operator or function: ";
  EXPECT_EQ(problem("begins_with(a, :1)"), type + "begins_with, operand type: N");
  EXPECT_EQ(problem("size(size(a)) = :1"), type + "size, operand type: N");
  EXPECT_EQ(problem("a < :true"), type + "<, operand type: BOOL");
  EXPECT_EQ(problem("a BETWEEN :ss AND :ss"), type + "BETWEEN, operand type: SS");
  EXPECT_EQ(problem("attribute_type(a, :1)"), type + "attribute_type, operand type: N");
  EXPECT_EQ(problem("attribute_type(a, b)"),
            type + "attribute_type, operand type: {NS,SS,L,BS,N,M,B,BOOL,NULL,S}");
  EXPECT_EQ(problem("attribute_type(a, :bad)"),
            "Invalid attribute type name found; type: foo, valid types: {B,NULL,SS,BOOL,L,BS,N,NS,S,M}");
  const std::string bounds =
      "; lower bound operand: AttributeValue: {S:z}, upper bound operand: AttributeValue: ";
  EXPECT_EQ(problem("a BETWEEN :z AND :a"),
            "The BETWEEN operator requires upper bound to be greater than or equal to lower bound" + bounds +
                "{S:a}");
  EXPECT_EQ(problem("a BETWEEN :z AND :1"),
            "The BETWEEN operator requires same data type for lower and upper bounds" + bounds + "{N:1}");
  // The first condition with a problem counts, whatever the kind.
  EXPECT_EQ(problem("begins_with(a, :1) AND a = :undefined"), type + "begins_with, operand type: N");
}

TEST(Condition, NamesTheParameter) {
  EXPECT_EQ(message_of(parse("a = ", ExpressionKind::filter)),
            R"(Invalid FilterExpression: Syntax error; token: "<EOF>", near: "=")");
}

TEST(Condition, Limits) {
  const auto chain = [](int terms) {
    std::string text = "a=:x";
    for (int i = 1; i < terms; ++i) {
      text += " OR a=:x";
    }
    return text;
  };
  EXPECT_TRUE(parse(chain(150)).has_value());
  EXPECT_EQ(problem(chain(151)), "The expression contains too many operators; operator count: 301");
  std::string in = "a IN (:x";
  for (int i = 1; i < 100; ++i) {
    in += ",:x";
  }
  EXPECT_TRUE(parse(in + ")").has_value());
  EXPECT_EQ(problem(in + ",:x)"),
            "The IN operator is provided with too many operands; number of operands: 101");
  EXPECT_EQ(problem(std::string(2000, '(')), "The expression has redundant parentheses;");
  EXPECT_EQ(problem("a = " + std::string(2000, '(')), "The expression has redundant parentheses;");
}

TEST(Condition, NestsToTheLimit) {
  std::string text;
  for (int i = 0; i < 299; ++i) {
    text += "NOT (";
  }
  text += "a=:x" + std::string(299, ')');
  EXPECT_FALSE(holds(text));
}

}  // namespace
}  // namespace waybill::expression::testing
