#include "api/dynamodb/statement_write.h"

#include <utility>
#include <vector>

#include "partiql/access.h"
#include "partiql/lowering.h"
#include "table/validate.h"

namespace waybill::api::dynamodb {
namespace {

ReturnValues return_values_of(const std::optional<partiql::Returning>& returning) {
  if (!returning) {
    return ReturnValues::none;
  }
  if (returning->modified) {
    return returning->old ? ReturnValues::updated_old : ReturnValues::updated_new;
  }
  return returning->old ? ReturnValues::all_old : ReturnValues::all_new;
}

// Only an item that is not there can be inserted.
Status settle_insert(const partiql::Statement& statement, Write& write) {
  auto& action = write.action;
  action.kind = store::ActionKind::put;
  action.item = statement.item;
  action.item_bytes = item::size_bytes(action.item.view());
  write.inserts = true;
  WAYBILL_TRY(table::check_item_size(action.item_bytes, table::Change::put));
  WAYBILL_TRY_ASSIGN(action.condition, partiql::lower_condition(
                                           partiql::attribute_not_exists(action.table->key.partition.name)));
  return {};
}

// Only an item that is there can be updated; what else the clause asks is a condition.
Status settle_update(const partiql::Statement& statement, partiql::ItemAccess access, Write& write) {
  auto conditions = std::move(access.conditions);
  conditions.insert(conditions.begin(), partiql::attribute_exists(write.action.table->key.partition.name));
  write.action.kind = store::ActionKind::update;
  WAYBILL_TRY_ASSIGN(write.action.condition,
                     partiql::lower_condition(partiql::all_of(std::move(conditions))));
  WAYBILL_TRY_ASSIGN(write.action.update, partiql::lower_update(statement.changes));
  return {};
}

// Deleting what is not there is no failure, whatever else the clause asks.
Status settle_delete(partiql::ItemAccess access, Write& write) {
  write.action.kind = store::ActionKind::remove;
  if (access.conditions.empty()) {
    return {};
  }
  std::vector<partiql::Expression> ways;
  ways.push_back(partiql::attribute_not_exists(write.action.table->key.partition.name));
  ways.push_back(partiql::all_of(std::move(access.conditions)));
  WAYBILL_TRY_ASSIGN(write.action.condition, partiql::lower_condition(partiql::any_of(std::move(ways))));
  return {};
}

Status settle_exists(partiql::ItemAccess access, Write& write) {
  if (access.conditions.empty()) {
    return invalid("EXISTS() must contain a single item read with additional condition");
  }
  write.action.kind = store::ActionKind::check;
  WAYBILL_TRY_ASSIGN(write.action.condition,
                     partiql::lower_condition(partiql::all_of(std::move(access.conditions))));
  return {};
}

// What the clause and the changes say by themselves, without the table.
Status check_alone(const partiql::Statement& statement) {
  if (statement.where) {
    WAYBILL_TRY_ASSIGN(const auto condition, partiql::lower_condition(*statement.where));
  }
  if (!statement.changes.empty()) {
    WAYBILL_TRY_ASSIGN(const auto update, partiql::lower_update(statement.changes));
  }
  return {};
}

}  // namespace

Result<Write> decide_write(const store::Store& store, const partiql::Statement& statement) {
  using Kind = partiql::Statement::Kind;
  Write write;
  write.form = WriteForm::statement;
  WAYBILL_TRY(check_alone(statement));
  WAYBILL_TRY_ASSIGN(write.action.table, find_table(store, statement.source.table));
  if (statement.kind == Kind::insert) {
    WAYBILL_TRY(settle_insert(statement, write));
    return write;
  }
  WAYBILL_TRY_ASSIGN(auto access, partiql::find_item(statement.where, write.action.table->key));
  write.action.item = std::move(access.key);
  if (statement.kind == Kind::update) {
    WAYBILL_TRY(settle_update(statement, std::move(access), write));
  } else if (statement.kind == Kind::remove) {
    WAYBILL_TRY(settle_delete(std::move(access), write));
  } else {
    WAYBILL_TRY(settle_exists(std::move(access), write));
  }
  write.return_values = return_values_of(statement.returning);
  want_values(write.action, write.return_values);
  return write;
}

}  // namespace waybill::api::dynamodb
