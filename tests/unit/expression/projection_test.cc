#include "expression/projection.h"

#include "expression/testing.h"

namespace waybill::expression::testing {
namespace {

constexpr std::string_view names = R"({"#a":"a","#dot":"x.y"})";

std::string project(std::string_view text, std::string_view item) {
  Request request("", names);
  auto projection = Projection::parse(text, request.placeholders);
  EXPECT_TRUE(projection.has_value()) << message_of(projection);
  const auto stored = make_item(item);
  item::Item out;
  projection->append_projected(out.encoded, stored.view());
  return to_json(out.view());
}

std::string parse_error(std::string_view text) {
  Request request("", names);
  return message_of(Projection::parse(text, request.placeholders));
}

constexpr std::string_view sample = R"({"a":{"S":"x"},"l":{"L":[{"N":"1"},{"N":"2"},{"M":{"k":{"N":"3"}}}]},)"
                                    R"("m":{"M":{"x":{"N":"1"},"y":{"M":{"z":{"S":"q"}}}}},"x.y":{"N":"9"}})";

TEST(Projection, PicksAttributesAndParts) {
  EXPECT_EQ(project("a", sample), R"({"a":{"S":"x"}})");
  EXPECT_EQ(project("#dot, a", sample), R"({"a":{"S":"x"},"x.y":{"N":"9"}})");
  EXPECT_EQ(project("m.y.z", sample), R"({"m":{"M":{"y":{"M":{"z":{"S":"q"}}}}}})");
  EXPECT_EQ(project("m.x, m.y", sample), R"({"m":{"M":{"x":{"N":"1"},"y":{"M":{"z":{"S":"q"}}}}}})");
}

TEST(Projection, ListElementsCloseUpInTheirOrder) {
  EXPECT_EQ(project("l[2], l[0]", sample), R"({"l":{"L":[{"N":"1"},{"M":{"k":{"N":"3"}}}]}})");
  EXPECT_EQ(project("l[1],l[9]", sample), R"({"l":{"L":[{"N":"2"}]}})");
  EXPECT_EQ(project("l[2].k", sample), R"({"l":{"L":[{"M":{"k":{"N":"3"}}}]}})");
}

TEST(Projection, LeavesOutWhatIsNotThere) {
  for (const auto* text : {"zz", "m.zz", "l[9]", "a.b", "m[0]", "l.a", "l[0].a", "m.y.z.w", "l[0][1]"}) {
    EXPECT_EQ(project(text, sample), "{}") << text;
  }
}

TEST(Projection, FromNames) {
  const auto stored = make_item(sample);
  const auto projection = Projection::from_names({"x.y", "zz", "a", "a"});
  item::Item out;
  projection.append_projected(out.encoded, stored.view());
  EXPECT_EQ(to_json(out.view()), R"({"a":{"S":"x"},"x.y":{"N":"9"}})");
  EXPECT_TRUE(projection.mentions("zz"));
  EXPECT_FALSE(projection.mentions("x"));
  EXPECT_EQ(projection.top_level_names().size(), 4u);
}

TEST(Projection, RefusesOverlaps) {
  const std::string overlap =
      "Invalid ProjectionExpression: Two document paths overlap with each other; must remove or rewrite one "
      "of these "
      "paths; path one: ";
  EXPECT_EQ(parse_error("a, a"), overlap + "[a], path two: [a]");
  EXPECT_EQ(parse_error("a, #a"), overlap + "[a], path two: [a]");
  EXPECT_EQ(parse_error("b, m.y, c, m.y.z"), overlap + "[m, y], path two: [m, y, z]");
  EXPECT_EQ(parse_error("m.x, m"), overlap + "[m, x], path two: [m]");
  EXPECT_EQ(parse_error("b[1], b.a, #a.b, a"), overlap + "[a, b], path two: [a]");
  EXPECT_EQ(parse_error("l[0],l[0]"), overlap + "[l, [0]], path two: [l, [0]]");
  EXPECT_EQ(parse_error("a.b, #a[1]"),
            "Invalid ProjectionExpression: Two document paths conflict with each other; must remove or "
            "rewrite one of "
            "these paths; path one: [a, b], path two: [a, [1]]");
}

TEST(Projection, Errors) {
  const std::string prefix = "Invalid ProjectionExpression: ";
  EXPECT_EQ(parse_error(""), prefix + "The expression can not be empty;");
  EXPECT_EQ(parse_error("a,"), prefix + R"(Syntax error; token: "<EOF>", near: ",")");
  EXPECT_EQ(parse_error("a b"), prefix + R"(Syntax error; token: "b", near: "a b")");
  EXPECT_EQ(parse_error("a[b]"), prefix + R"(Syntax error; token: "b", near: "[b]")");
  EXPECT_EQ(parse_error("a[1"), prefix + R"(Syntax error; token: "<EOF>", near: "1")");
  EXPECT_EQ(parse_error("_a"), prefix + R"(Syntax error; token: "_", near: "_a")");
  EXPECT_EQ(parse_error("(a)"), prefix + R"(Syntax error; token: "(", near: "(a")");
  EXPECT_EQ(parse_error("a, status, #zz"),
            prefix + "Attribute name is a reserved keyword; reserved keyword: status");
  EXPECT_EQ(
      parse_error("a.#zz, a"),
      prefix + "An expression attribute name used in the document path is not defined; attribute name: #zz");
  EXPECT_EQ(parse_error("a[2147483648]"),
            prefix + "List index is not within the allowable range; index: [2147483648]");
}

TEST(Projection, Limits) {
  std::string path = "a";
  for (int i = 0; i < 31; ++i) {
    path += ".b";
  }
  EXPECT_EQ(parse_error(path), "");
  EXPECT_EQ(
      parse_error(path + ".b"),
      "Invalid ProjectionExpression: The document path has too many nesting levels; nesting levels: 33");
  EXPECT_EQ(parse_error(std::string(4096, 'a')), "");
  EXPECT_EQ(parse_error(std::string(4097, 'a')),
            "Invalid ProjectionExpression: Expression size has exceeded the maximum allowed size; expression "
            "size: 4097");
}

}  // namespace
}  // namespace waybill::expression::testing
