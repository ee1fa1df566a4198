// Random conditions and updates, written as expressions and as statements: both must come to the same.

#include <cctype>

#include "expression/generate.h"
#include "expression/testing.h"
#include "partiql/lowering.h"
#include "partiql/testing.h"

namespace waybill::partiql::testing {
namespace {

using expression::testing::Request;
using expression::testing::model::Generator;
using expression::testing::model::Item;

// An expression of the notation that the two have in common.
class Maker {
 public:
  Maker(Generator& generator, const Item& item) : generator_(generator), item_(item) {}

  std::string condition(int depth) {
    if (depth > 0 && generator_.random.chance(60)) {
      const std::string left = "(" + condition(depth - 1) + ")";
      switch (generator_.random.below(3)) {
        case 0:
          return "NOT " + left;
        case 1:
          return left + " AND (" + condition(depth - 1) + ")";
        default:
          return left + " or (" + condition(depth - 1) + ")";
      }
    }
    switch (generator_.random.below(7)) {
      case 0:
        return "attribute_exists(" + path() + ")";
      case 1:
        return "attribute_not_exists(" + path() + ")";
      case 2:
        return "begins_with(" + path() + ", " + value() + ")";
      case 3:
        return "contains(" + path() + ", " + value() + ")";
      case 4:
        return path() + " IN (" + value() + ", " + value() + ")";
      case 5:
        return "size(" + path() + ") " + comparator() + " " + generator_.text(generator_.scalar("N"));
      default:
        return path() + " " + comparator() + " " + (generator_.random.chance(30) ? path() : value());
    }
  }

  // One action; two could have targets that touch each other, which is the same for both, but rarely passes.
  std::string update() {
    const std::string target = path();
    switch (generator_.random.below(6)) {
      case 0:
        return "REMOVE " + target;
      case 1:
        return "SET " + target + " = " + target + " + " + value();
      case 2:
        return "SET " + target + " = " + value() + " - " + path();
      case 3:
        return "SET " + target + " = list_append(" + target + ", " + value() + ")";
      case 4:
        return "SET " + target + " = " + path();
      default:
        return "SET " + target + " = " + value();
    }
  }

 private:
  std::string path() { return generator_.text(generator_.path(item_)); }
  std::string value() { return generator_.text(generator_.value()); }
  std::string comparator() {
    static const std::vector<std::string> all = {"=", "<>", "<", "<=", ">", ">="};
    return generator_.random.pick(all);
  }

  Generator& generator_;
  const Item& item_;
};

// The same as a statement: names in quotes, values as parameters in their order.
struct AsStatement {
  AsStatement(std::string_view expression, const Generator& generator)
      : values(make_item(generator.values_json().empty() ? "{}" : generator.values_json())) {
    for (std::size_t at = 0; at < expression.size(); ++at) {
      const char mark = expression[at];
      if (mark != '#' && mark != ':') {
        text.push_back(mark);
        continue;
      }
      std::size_t end = at + 1;
      while (end < expression.size() && (std::isalnum(static_cast<unsigned char>(expression[end])) != 0)) {
        ++end;
      }
      const auto word = expression.substr(at, end - at);
      if (mark == '#') {
        text.append("\"").append(word.substr(1)).append("\"");
      } else {
        text.append("?");
        parameters.push_back(*values.view().find(word));
      }
      at = end - 1;
    }
  }

  item::Item values;
  std::string text;
  std::vector<item::ValueView> parameters;
};

template <typename T>
std::string reason(const Result<T>& result, std::string_view prefix) {
  const std::string message = message_of(result);
  return message.starts_with(prefix) ? message.substr(prefix.size()) : message;
}

TEST(Model, ConditionsHoldAsExpressionsDo) {
  Generator generator(31);
  int held = 0;
  for (int i = 0; i < 20'000; ++i) {
    generator.reset();
    const Item model = generator.item();
    const auto item = make_item(expression::testing::model::json_of(model));
    const std::string text = Maker(generator, model).condition(3);
    const AsStatement same(text, generator);
    const auto statement = parse_statement("SELECT * FROM T WHERE " + same.text, same.parameters);
    ASSERT_TRUE(statement.has_value()) << same.text << ": " << message_of(statement);
    const auto actual = lower_condition(*statement->where);
    Request request(generator.values_json(), generator.names_json());
    const auto expected =
        expression::Condition::parse(text, expression::ExpressionKind::condition, request.placeholders);
    ASSERT_EQ(reason(actual, ""), reason(expected, "Invalid ConditionExpression: ")) << text;
    if (expected) {
      ASSERT_EQ(actual->holds(item.view()), expected->holds(item.view())) << text;
      held += expected->holds(item.view()) ? 1 : 0;
    }
  }
  EXPECT_GT(held, 1000);
}

TEST(Model, UpdatesChangeWhatExpressionsDo) {
  Generator generator(32);
  int applied = 0;
  for (int i = 0; i < 20'000; ++i) {
    generator.reset();
    const Item model = generator.item();
    const auto item = make_item(expression::testing::model::json_of(model));
    const std::string text = Maker(generator, model).update();
    const AsStatement same(text, generator);
    const auto statement = parse_statement("UPDATE T " + same.text + " WHERE pk = 1", same.parameters);
    ASSERT_TRUE(statement.has_value()) << same.text << ": " << message_of(statement);
    const auto actual = lower_update(statement->changes);
    Request request(generator.values_json(), generator.names_json());
    const auto expected = expression::Update::parse(text, request.placeholders);
    ASSERT_EQ(reason(actual, ""), reason(expected, "Invalid UpdateExpression: ")) << text;
    if (expected) {
      const auto after = actual->apply(item.view());
      const auto expected_after = expected->apply(item.view());
      ASSERT_EQ(message_of(after), message_of(expected_after)) << text;
      ASSERT_TRUE(!after || item::equal(after->view(), expected_after->view())) << text;
      applied += after ? 1 : 0;
    }
  }
  EXPECT_GT(applied, 1000);
}

}  // namespace
}  // namespace waybill::partiql::testing
