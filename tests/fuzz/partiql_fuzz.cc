// links: partiql
//
// The input is a statement, parsed with fixed parameters, lowered, held against a fixed key, and evaluated on
// a fixed item.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "base/json.h"
#include "item/json.h"
#include "partiql/access.h"
#include "partiql/lowering.h"
#include "partiql/statement.h"

namespace {

using namespace waybill;

constexpr std::string_view item_json =
    R"({"pk":{"S":"k"},"sk":{"N":"1"},"a":{"S":"ab"},"b":{"N":"5"},"l":{"L":[{"N":"1"},{"M":{"x":{"S":"a"}}}]},)"
    R"("m":{"M":{"x":{"N":"1"},"y":{"M":{"z":{"S":"q"}}}}},"t":{"SS":["a","c"]}})";

// What stays the same from input to input.
struct World {
  World() : item(*item::parse_item(*parser.parse_copy(item_json))) {
    parameters.push_back(*item.view().find("a"));
    parameters.push_back(*item.view().find("m"));
  }

  json::Parser parser;
  item::Item item;
  std::vector<item::ValueView> parameters;
  table::KeySchema key{{"pk", item::Type::string}, table::KeyAttribute{"sk", item::Type::number}};
};

// Walks all of an item, so that a broken encoding shows.
void check_whole(item::ItemView item) {
  std::string text;
  item::append_json(text, item);
  json::Parser parser;
  WAYBILL_CHECK(parser.parse_copy(text).has_value());
}

// Statements come out of JSON, which lets nothing else through.
bool is_utf8(std::string_view text) {
  std::string quoted;
  json::append_string(quoted, text);
  json::Parser parser;
  return parser.parse_copy(quoted).has_value();
}

template <typename T>
void check_error(const Result<T>& result) {
  WAYBILL_CHECK(result.has_value() ||
                (result.error().kind == ErrorKind::invalid && !result.error().message.empty()));
}

void run(const World& world, const partiql::Statement& statement) {
  check_whole(statement.item.view());
  if (statement.where) {
    const auto condition = partiql::lower_condition(*statement.where);
    check_error(condition);
    if (condition) {
      (void)condition->holds(world.item.view());
      (void)condition->holds(item::ItemView());
    }
  }
  const auto update = partiql::lower_update(statement.changes);
  check_error(update);
  const auto after = update ? update->apply(world.item.view()) : Result<item::Item>(item::Item{});
  check_error(after);
  if (after) {
    check_whole(after->view());
  }
  const auto columns = partiql::lower_columns(statement.columns);
  check_error(columns);
  if (columns && *columns) {
    item::Item out;
    (*columns)->append_projected(out.encoded, world.item.view());
    check_whole(out.view());
  }
  check_error(partiql::find_item(statement.where, world.key));
  auto access = partiql::find_slices(statement.where, world.key);
  check_error(access);
  if (access) {
    check_error(partiql::settle_order(statement, world.key, *access));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  static const World world;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (size > partiql::statement_length_max || !is_utf8(text)) {
    return 0;
  }
  for (std::size_t count = 0; count <= world.parameters.size(); ++count) {
    const auto statement = partiql::parse_statement(text, std::span(world.parameters).first(count));
    check_error(statement);
    if (statement) {
      run(world, *statement);
    }
  }
  return 0;
}
