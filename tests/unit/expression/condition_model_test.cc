// Random conditions and projections on random items: what the real code says against the model.

#include "expression/condition.h"
#include "expression/generate.h"
#include "expression/projection.h"
#include "expression/testing.h"

namespace waybill::expression::testing {
namespace {

using model::Generator;
using model::Item;
using model::Path;
using model::Value;

// A condition as text, and whether it holds by the model's reckoning.
struct Sample {
  std::string text;
  bool holds;
};

struct Operand {
  std::string text;
  std::optional<Value> value;
};

class ConditionMaker {
 public:
  ConditionMaker(Generator& generator, const Item& item) : generator_(generator), item_(item) {}

  Sample make(int depth) {
    if (depth > 0 && generator_.random.chance(50)) {
      return joined(depth);
    }
    switch (generator_.random.below(9)) {
      case 0:
        return existence();
      case 1:
        return type_test();
      case 2:
        return beginning();
      case 3:
        return containing();
      case 4:
        return between();
      case 5:
        return in();
      default:
        return comparison();
    }
  }

 private:
  Sample joined(int depth) {
    const int form = generator_.random.below(3);
    const Sample left = make(depth - 1);
    if (form == 0) {
      return {"NOT (" + left.text + ")", !left.holds};
    }
    const Sample right = make(depth - 1);
    const bool holds = form == 1 ? left.holds && right.holds : left.holds || right.holds;
    return {"(" + left.text + ")" + (form == 1 ? " AND " : " or ") + "(" + right.text + ")", holds};
  }

  Path path() { return generator_.path(item_); }

  Operand path_operand() {
    const Path made = path();
    return {generator_.text(made), model::resolve(item_, made)};
  }

  Operand literal(const Value& value) { return {generator_.text(value), value}; }

  // A value like the one at hand, so that comparisons often hold.
  Operand literal_like(const Operand& other, bool ordered) {
    if (other.value && (!ordered || model::is_ordered(*other.value)) && generator_.random.chance(60)) {
      return literal(model::is_ordered(*other.value) && generator_.random.chance(50)
                         ? generator_.scalar(other.value->type)
                         : *other.value);
    }
    return literal(ordered ? generator_.scalar(generator_.random.chance(50) ? "S" : "N")
                           : generator_.value());
  }

  Operand left_operand() {
    if (generator_.random.chance(25)) {
      const Path made = path();
      return {"size(" + generator_.text(made) + ")", model::size_of(model::resolve(item_, made))};
    }
    return path_operand();
  }

  Sample comparison() {
    static const std::vector<std::string> operators = {"=", "<>", "<", "<=", ">", ">="};
    const std::string op = generator_.random.pick(operators);
    const Operand left = left_operand();
    const Operand right = literal_like(left, op != "=" && op != "<>");
    const std::string text = left.text + " " + op + " " + right.text;
    const bool both = left.value && right.value;
    if (op == "=" || op == "<>") {
      return {text, (both && *left.value == *right.value) == (op == "=")};
    }
    if (!both || left.value->type != right.value->type || !model::is_ordered(*left.value)) {
      return {text, false};
    }
    const bool below = model::less(*left.value, *right.value);
    const bool above = model::less(*right.value, *left.value);
    return {text, op == "<" ? below : op == "<=" ? !above : op == ">" ? above : !below};
  }

  Sample between() {
    const Operand value = left_operand();
    const Operand one = literal_like(value, true);
    const Operand two = literal(generator_.scalar(one.value->type));
    const bool swap = model::less(*two.value, *one.value);
    const Operand& low = swap ? two : one;
    const Operand& high = swap ? one : two;
    const bool holds = value.value && value.value->type == low.value->type &&
                       !model::less(*value.value, *low.value) && !model::less(*high.value, *value.value);
    return {value.text + " BETWEEN " + low.text + " AND " + high.text, holds};
  }

  Sample in() {
    const Operand value = left_operand();
    std::string list;
    bool holds = false;
    for (int i = generator_.random.below(3); i >= 0; --i) {
      const Operand candidate = literal_like(value, false);
      list += (list.empty() ? "" : ",") + candidate.text;
      holds = holds || (value.value && *value.value == *candidate.value);
    }
    return {value.text + " IN (" + list + ")", holds};
  }

  Sample existence() {
    const Operand operand = path_operand();
    const bool wanted = generator_.random.chance(50);
    return {(wanted ? "attribute_exists(" : "attribute_not_exists(") + operand.text + ")",
            operand.value.has_value() == wanted};
  }

  Sample type_test() {
    static const std::vector<std::string> types = {"S", "N", "BOOL", "NULL", "SS", "NS", "L", "M", "B"};
    const Operand operand = path_operand();
    Value type = generator_.scalar("S");
    type.text =
        operand.value && generator_.random.chance(50) ? operand.value->type : generator_.random.pick(types);
    return {"attribute_type(" + operand.text + ", " + generator_.text(type) + ")",
            operand.value && operand.value->type == type.text};
  }

  Sample beginning() {
    const Operand operand = path_operand();
    const Value prefix = generator_.scalar("S");
    return {"begins_with(" + operand.text + ", " + generator_.text(prefix) + ")",
            operand.value && operand.value->type == "S" && operand.value->text.rfind(prefix.text, 0) == 0};
  }

  Sample containing() {
    const Operand operand = path_operand();
    const bool from_list = operand.value && !operand.value->list.empty() && generator_.random.chance(50);
    const Value part = from_list ? generator_.random.pick(operand.value->list)
                                 : generator_.scalar(generator_.random.chance(50) ? "S" : "N");
    return {"contains(" + operand.text + ", " + generator_.text(part) + ")",
            operand.value && model::contains(*operand.value, part)};
  }

  Generator& generator_;
  const Item& item_;
};

TEST(ConditionModel, Agrees) {
  Generator generator(1);
  int held = 0;
  constexpr int rounds = 20000;
  for (int round = 0; round < rounds; ++round) {
    generator.reset();
    const Item item = generator.item();
    const Sample expected = ConditionMaker(generator, item).make(3);
    Request request(generator.values_json(), generator.names_json());
    const auto condition = Condition::parse(expected.text, ExpressionKind::condition, request.placeholders);
    ASSERT_TRUE(condition.has_value()) << expected.text << ": " << message_of(condition);
    ASSERT_TRUE(request.placeholders.check_all_used().has_value()) << expected.text;
    const auto stored = make_item(json_of(item));
    ASSERT_EQ(condition->holds(stored.view()), expected.holds) << expected.text << "\n"
                                                               << generator.values_json() << "\n"
                                                               << json_of(item) << "\nseed " << model::seed();
    held += expected.holds ? 1 : 0;
  }
  EXPECT_GT(held, rounds / 10);
  EXPECT_LT(held, rounds * 9 / 10);
}

TEST(ProjectionModel, Agrees) {
  Generator generator(2);
  int refused = 0;
  for (int round = 0; round < 20000; ++round) {
    generator.reset();
    const Item item = generator.item();
    std::vector<Path> paths;
    std::string text;
    for (int i = generator.random.below(4); i >= 0; --i) {
      paths.push_back(generator.path(item));
      text += (text.empty() ? "" : ", ") + generator.text(paths.back());
    }
    Request request("", generator.names_json());
    const auto projection = Projection::parse(text, request.placeholders);
    if (!projection) {
      ++refused;
      ASSERT_NE(message_of(projection).find("Two document paths"), std::string::npos) << text;
      continue;
    }
    item::Item out;
    projection->append_projected(out.encoded, make_item(json_of(item)).view());
    ASSERT_TRUE(item::equal(out.view(), make_item(json_of(model::project(item, paths))).view()))
        << text << "\n"
        << json_of(item) << "\n"
        << to_json(out.view()) << "\nseed " << model::seed();
  }
  EXPECT_LT(refused, 15000);
}

}  // namespace
}  // namespace waybill::expression::testing
