#include "event/outbox.h"

#include <string>
#include <utility>

#include "base/check.h"
#include "base/json.h"
#include "event/row.h"
#include "expression/condition.h"
#include "expression/placeholders.h"
#include "expression/update.h"
#include "table/key.h"

namespace waybill::event {
namespace {

bool has_attribute(item::ItemView item, const table::KeyAttribute& wanted) {
  const auto value = item.find(wanted.name);
  return value && value->type() == wanted.type;
}

bool has_key(item::ItemView item, const table::KeySchema& key) {
  return has_attribute(item, key.partition) && (!key.sort || has_attribute(item, *key.sort));
}

// Both expressions of the action.
void add_expressions(store::Action& action, const std::string& partition_key) {
  std::string names = R"({"#status":"status","#key":)";
  json::append_string(names, partition_key);
  names += "}";
  json::Parser name_parser;
  json::Parser value_parser;
  const auto parsed_names = name_parser.parse_copy(names);
  const auto parsed_values = value_parser.parse_copy(R"({":published":{"S":"published"}})");
  WAYBILL_CHECK(parsed_names.has_value() && parsed_values.has_value());
  expression::PlaceholderSource source;
  source.names = *parsed_names;
  source.values = *parsed_values;
  auto placeholders = expression::Placeholders::parse(source);
  WAYBILL_CHECK(placeholders.has_value());
  auto update = expression::Update::parse("SET #status = :published", *placeholders);
  auto condition = expression::Condition::parse("attribute_exists(#key)",
                                                expression::ExpressionKind::condition, *placeholders);
  WAYBILL_CHECK(update.has_value() && condition.has_value());
  action.update = *std::move(update);
  action.condition = *std::move(condition);
}

}  // namespace

std::optional<store::Action> mark_of_outbox(const store::Store& store, item::ItemView row) {
  const auto outbox = row.find("outbox");
  if (!outbox || outbox->type() != item::Type::map) {
    return {};
  }
  const auto table = store.find_table(text_of(outbox->members(), "table"));
  if (!table || !has_key(outbox->members(), table->key)) {
    return {};
  }
  store::Action action;
  action.kind = store::ActionKind::update;
  action.table = table;
  table::append_key_attributes(action.item.encoded, table->key, outbox->members());
  action.key = table::primary_key(table->key, action.item.view());
  add_expressions(action, table->key.partition.name);
  return action;
}

}  // namespace waybill::event
