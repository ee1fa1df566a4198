// links: expression
//
// The input is an expression of each kind in turn, parsed with fixed placeholders and evaluated on a fixed
// item. A second pass feeds what an update made to the next one.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "base/json.h"
#include "expression/condition.h"
#include "expression/key_condition.h"
#include "expression/projection.h"
#include "expression/update.h"
#include "item/json.h"

namespace {

using namespace waybill;

constexpr std::string_view names_json = R"({"#a":"a","#b":"b","#s":"status"})";
constexpr std::string_view values_json =
    R"({":s":{"S":"a"},":n":{"N":"1"},":l":{"L":[{"N":"1"}]},":m":{"M":{"x":{"NULL":true}}},":t":{"SS":["a","b"]},)"
    R"(":b":{"B":"AAE="},":o":{"BOOL":true}})";
constexpr std::string_view item_json =
    R"({"pk":{"S":"k"},"a":{"S":"ab"},"b":{"N":"5"},"l":{"L":[{"N":"1"},{"M":{"x":{"L":[{"S":"a"}]}}}]},)"
    R"("m":{"M":{"x":{"N":"1"},"y":{"M":{"z":{"S":"q"}}}}},"t":{"SS":["a","c"]}})";

// What stays the same from input to input.
struct World {
  World()
      : names(*name_parser.parse_copy(names_json)),
        values(*value_parser.parse_copy(values_json)),
        item(*item::parse_item(*item_parser.parse_copy(item_json))) {}

  expression::Placeholders placeholders() const {
    expression::PlaceholderSource source;
    source.names = names;
    source.values = values;
    return *expression::Placeholders::parse(source);
  }

  json::Parser name_parser, value_parser, item_parser;
  json::Value names, values;
  item::Item item;
};

// Walks all of an item, so that a broken encoding shows.
void check_whole(item::ItemView item) {
  std::string text;
  item::append_json(text, item);
  json::Parser parser;
  WAYBILL_CHECK(parser.parse_copy(text).has_value());
}

template <typename T>
void check_error(const Result<T>& result) {
  WAYBILL_CHECK(result.has_value() ||
                (result.error().kind == ErrorKind::invalid && !result.error().message.empty()));
}

void run_update(const World& world, std::string_view text) {
  auto placeholders = world.placeholders();
  const auto update = expression::Update::parse(text, placeholders);
  check_error(update);
  if (!update) {
    return;
  }
  const auto once = update->apply(world.item.view());
  check_error(once);
  if (!once) {
    return;
  }
  check_whole(once->view());
  item::Item touched;
  update->append_updated(touched.encoded, once->view());
  check_whole(touched.view());
  check_error(update->apply(once->view()));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  static const World world;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  auto placeholders = world.placeholders();
  const auto condition =
      expression::Condition::parse(text, expression::ExpressionKind::condition, placeholders);
  check_error(condition);
  if (condition) {
    (void)condition->holds(world.item.view());
    (void)condition->holds(item::ItemView());
  }
  const auto projection = expression::Projection::parse(text, placeholders);
  check_error(projection);
  if (projection) {
    item::Item out;
    projection->append_projected(out.encoded, world.item.view());
    check_whole(out.view());
  }
  auto rules = expression::parse_key_rules(text, placeholders);
  check_error(rules);
  if (rules) {
    check_error(expression::match_key(*std::move(rules), {"pk", "sk", std::nullopt, std::nullopt}));
  }
  run_update(world, text);
  return 0;
}
