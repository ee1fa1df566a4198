// Random updates of random items: what the real code does against the model.

#include "expression/generate.h"
#include "expression/testing.h"
#include "expression/update.h"

namespace waybill::expression::testing {
namespace {

using model::Generator;
using model::Item;
using model::Part;
using model::Path;
using model::Value;

constexpr const char* wrong_type = "An operand in the update expression has an incorrect data type";
constexpr const char* missing =
    "The provided expression refers to an attribute that does not exist in the item";
constexpr const char* bad_path = "The document path provided in the update expression is invalid for update";

struct Action {
  enum class Kind { set, remove, add, remove_members };

  Kind kind = Kind::set;
  Path target;
  std::string text;
  std::string error = {};
  std::optional<Value> written = {};  // nothing: the target goes, or stays away
  bool keeps = false;                 // a DELETE that finds nothing
};

// Makes one action, and what it comes to by the model's reckoning.
class ActionMaker {
 public:
  ActionMaker(Generator& generator, const Item& item) : generator_(generator), item_(item) {}

  Action make(Action::Kind kind) {
    Action action{.kind = kind, .target = generator_.path(item_), .text = {}};
    action.text = generator_.text(action.target);
    if (kind == Action::Kind::set) {
      set(action);
    } else if (kind == Action::Kind::add) {
      add(action);
    } else if (kind == Action::Kind::remove_members) {
      remove_members(action);
    }
    return action;
  }

 private:
  struct Operand {
    std::string text;
    std::optional<Value> value;
  };

  Operand path_operand() {
    const Path path = generator_.path(item_);
    return {generator_.text(path), model::resolve(item_, path)};
  }

  Operand operand(const Value& literal) {
    const int form = generator_.random.below(4);
    if (form == 0) {
      return path_operand();
    }
    if (form == 1) {
      const Operand path = path_operand();
      return {"if_not_exists(" + path.text + ", " + generator_.text(literal) + ")",
              path.value ? path.value : literal};
    }
    return {generator_.text(literal), literal};
  }

  void set(Action& action) {
    const int form = generator_.random.below(3);
    if (form == 0) {
      const Operand only = operand(generator_.value());
      action.text += " = " + only.text;
      finish(action, only.value ? "" : missing, only.value);
    } else if (form == 1) {
      sum(action);
    } else {
      lists(action);
    }
  }

  void sum(Action& action) {
    const bool minus = generator_.random.chance(50);
    const Operand left = operand(generator_.scalar("N"));
    const Operand right = operand(generator_.scalar("N"));
    action.text += " = " + left.text + (minus ? " - " : " + ") + right.text;
    if (!left.value || !right.value) {
      return finish(action, missing, {});
    }
    if (left.value->type != "N" || right.value->type != "N") {
      return finish(action, wrong_type, {});
    }
    const auto a = std::stoll(left.value->text);
    const auto b = std::stoll(right.value->text);
    finish(action, "", model::number(minus ? a - b : a + b));
  }

  void lists(Action& action) {
    Value literal;
    literal.type = "L";
    literal.list = {generator_.value(1)};
    const Operand left = operand(literal);
    const Operand right = operand(literal);
    action.text += " = list_append(" + left.text + ", " + right.text + ")";
    if (!left.value || !right.value) {
      return finish(action, missing, {});
    }
    if (left.value->type != "L" || right.value->type != "L") {
      return finish(action, wrong_type, {});
    }
    Value joined = *left.value;
    joined.list.insert(joined.list.end(), right.value->list.begin(), right.value->list.end());
    finish(action, "", joined);
  }

  Value set_or(bool number_too) {
    Value made;
    made.type = generator_.random.chance(50) ? "SS" : "NS";
    if (number_too && generator_.random.chance(40)) {
      return generator_.scalar("N");
    }
    made.members = {generator_.scalar(made.type.substr(0, 1)).text,
                    generator_.scalar(made.type.substr(0, 1)).text};
    return made;
  }

  void add(Action& action) {
    const Value added = set_or(true);
    action.text += " " + generator_.text(added);
    const auto existing = model::resolve(item_, action.target);
    if (!existing) {
      return finish(action, "", added);
    }
    if (existing->type != added.type) {
      return finish(action, wrong_type, {});
    }
    Value total = *existing;
    total.members.insert(added.members.begin(), added.members.end());
    if (added.type == "N") {
      total = model::number(std::stoll(existing->text) + std::stoll(added.text));
    }
    finish(action, "", total);
  }

  void remove_members(Action& action) {
    const Value removed = set_or(false);
    action.text += " " + generator_.text(removed);
    auto rest = model::resolve(item_, action.target);
    action.keeps = !rest;
    if (rest && rest->type != removed.type) {
      return finish(action, wrong_type, {});
    }
    for (const auto& member : removed.members) {
      if (rest) {
        rest->members.erase(member);
      }
    }
    finish(action, "", rest && !rest->members.empty() ? rest : std::nullopt);
  }

  void finish(Action& action, std::string error, std::optional<Value> written) {
    action.error = std::move(error);
    action.written = std::move(written);
  }

  Generator& generator_;
  const Item& item_;
};

Value* parent_of(Value& whole, const Path& path) {
  Value* at = &whole;
  for (std::size_t i = 0; i + 1 < path.size() && at != nullptr; ++i) {
    at = const_cast<Value*>(model::step(*at, path[i]));
  }
  const bool fits = at != nullptr && at->type == (std::holds_alternative<int>(path.back()) ? "L" : "M");
  return fits ? at : nullptr;
}

// Writes in place, then at the ends of lists, then removes from the back, so that no index shifts early.
std::string apply(Item& item, std::vector<Action> actions) {
  for (const Action& action : actions) {
    if (!action.error.empty()) {
      return action.error;
    }
  }
  const Item before = item;
  Value whole = model::as_map(item);
  std::sort(actions.begin(), actions.end(),
            [](const Action& a, const Action& b) { return a.target < b.target; });
  for (const Action& action : actions) {
    Value* const parent = parent_of(whole, action.target);
    if (parent == nullptr) {
      return bad_path;
    }
    if (!action.written) {
      continue;
    }
    if (const auto* name = std::get_if<std::string>(&action.target.back())) {
      parent->map[*name] = *action.written;
    } else if (model::resolve(before, action.target)) {
      parent->list[static_cast<std::size_t>(std::get<int>(action.target.back()))] = *action.written;
    } else {
      parent->list.push_back(*action.written);
    }
  }
  for (auto action = actions.rbegin(); action != actions.rend(); ++action) {
    if (action->written || action->keeps || !model::resolve(before, action->target)) {
      continue;
    }
    Value* const parent = parent_of(whole, action->target);
    if (const auto* name = std::get_if<std::string>(&action->target.back())) {
      parent->map.erase(*name);
    } else {
      parent->list.erase(parent->list.begin() + std::get<int>(action->target.back()));
    }
  }
  item = whole.map;
  return "";
}

std::vector<Action> make_actions(Generator& generator, const Item& item, std::string& text) {
  static const char* const keywords[] = {"SET ", "REMOVE ", "ADD ", "DELETE "};
  std::vector<Action> actions;
  for (int kind = 0; kind < 4; ++kind) {
    if (!generator.random.chance(40)) {
      continue;
    }
    text += std::string(text.empty() ? "" : " ") + keywords[kind];
    const int count = 1 + generator.random.below(2);
    for (int i = 0; i < count; ++i) {
      actions.push_back(ActionMaker(generator, item).make(static_cast<Action::Kind>(kind)));
      text += (i == 0 ? "" : ", ") + actions.back().text;
    }
  }
  return actions;
}

TEST(UpdateModel, Agrees) {
  Generator generator(3);
  int applied = 0;
  for (int round = 0; round < 40000; ++round) {
    generator.reset();
    const Item item = generator.item();
    std::string text;
    const auto actions = make_actions(generator, item, text);
    if (actions.empty()) {
      continue;
    }
    Request request(generator.values_json(), generator.names_json());
    const auto update = Update::parse(text, request.placeholders);
    if (!update) {
      ASSERT_NE(message_of(update).find("Two document paths"), std::string::npos)
          << text << message_of(update);
      continue;
    }
    Item expected = item;
    const std::string error = apply(expected, actions);
    const auto stored = make_item(json_of(item));
    const auto after = update->apply(stored.view());
    const std::string told = text + "\n" + generator.values_json() + "\n" + json_of(item) + "\nseed " +
                             std::to_string(model::seed());
    ASSERT_EQ(message_of(after), error) << told;
    if (!after) {
      continue;
    }
    ++applied;
    ASSERT_TRUE(item::equal(after->view(), make_item(json_of(expected)).view()))
        << told << to_json(after->view());
    std::vector<Path> targets;
    for (const Action& action : actions) {
      targets.push_back(action.target);
    }
    item::Item touched;
    update->append_updated(touched.encoded, after->view());
    ASSERT_TRUE(item::equal(touched.view(), make_item(json_of(model::project(expected, targets))).view()))
        << told;
  }
  EXPECT_GT(applied, 2000);
}

}  // namespace
}  // namespace waybill::expression::testing
