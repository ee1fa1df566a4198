#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "api/dynamodb/call.h"
#include "api/dynamodb/capacity.h"
#include "api/dynamodb/collection_metrics.h"
#include "api/dynamodb/item_request.h"
#include "expression/condition.h"
#include "expression/update.h"
#include "store/store.h"

// PutItem, UpdateItem and DeleteItem: what they share from the JSON to the answer.
namespace waybill::api::dynamodb {

enum class ReturnValues : unsigned char { none, all_old, updated_old, all_new, updated_new };

// Condition and update of a write, in both generations, as they stand in the JSON.
struct WriteExpressionFields {
  std::optional<std::string_view> condition;
  std::optional<std::string_view> update;
  std::optional<json::Value> names;
  std::optional<json::Value> values;
  std::optional<json::Value> expected;
  std::optional<json::Value> attribute_updates;
  std::optional<std::string_view> conditional_operator;

  static WriteExpressionFields read(const Fields& fields);
};

struct WriteExpressions {
  std::optional<expression::Condition> condition;
  std::optional<expression::Update> update;
};

// Parameters that exclude each other, or need one that is not there: told before any value is looked at.
Status check_together(const WriteExpressionFields& fields, store::ActionKind kind);

// To be called where check_together has passed. Texts are without the service's envelope.
Result<WriteExpressions> parse_write_expressions(const WriteExpressionFields& fields, store::ActionKind kind);

// How PutItem and UpdateItem tell a fault of their expressions.
Error expression_error(Error error);

// Key attributes must not be updated.
Status check_update(const table::Table& table, const expression::Update& update);

// Holds the item or key of an action against its table. Sets the action's key bytes as soon as there are any:
// a transaction tells the same item twice before what else is wrong.
Status check_against_table(store::Action& action);

// What a write is to answer with.
struct WriteReplyFields {
  std::optional<std::string_view> return_values;
  std::optional<std::string_view> capacity;
  std::optional<std::string_view> metrics;
  std::optional<std::string_view> on_failure;

  static WriteReplyFields read(const Fields& fields);

  void check_return_values(Constraints& constraints) const;
  void check_on_failure(Constraints& constraints) const;
};

// The operations of items answer with "Attributes", those of statements with "Items".
enum class WriteForm : unsigned char { item, statement };

// One write that is ready for the store, and what to answer when it is done.
struct Write {
  store::Action action;
  WriteForm form = WriteForm::item;
  bool inserts = false;  // that its condition fails means that the item is there already
  ReturnValues return_values = ReturnValues::none;
  CapacityDetail capacity = CapacityDetail::none;
  std::string collection_key;  // an item of the partition key alone where collection metrics are wanted

  // Sets what depends on the reply fields. `action.table`, `action.item` and `action.update` are set.
  void prepare(const WriteReplyFields& reply);
};

// Sets what the action must tell of the item for these to be returned.
void want_values(store::Action& action, ReturnValues values);

// What a write that was done shows of its item: a view into `result` or `room`; nullopt for nothing. `update`
// is needed for UPDATED_OLD and UPDATED_NEW.
std::optional<item::ItemView> shown_item(ReturnValues values, const std::optional<expression::Update>& update,
                                         const store::ActionResult& result, std::string& room);

// Why a write was refused, in the words for what it wanted.
Error refusal_of(Error error, bool inserts);

// Sends the write to the store and answers the call with what comes of it.
void submit(Call call, Write&& write);

// Says in the transaction who makes it, where a table has rules that may want to know.
void name_author(const Call& call, store::Transaction& transaction);

}  // namespace waybill::api::dynamodb
