#include "api/dynamodb/write.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "api/dynamodb/errors.h"
#include "expression/legacy.h"
#include "item/json.h"
#include "table/key.h"
#include "table/validate.h"

namespace waybill::api::dynamodb {
namespace {

ReturnValues return_values_of(const std::optional<std::string_view>& word) {
  if (word == "ALL_OLD") {
    return ReturnValues::all_old;
  }
  if (word == "UPDATED_OLD") {
    return ReturnValues::updated_old;
  }
  if (word == "ALL_NEW") {
    return ReturnValues::all_new;
  }
  return word == "UPDATED_NEW" ? ReturnValues::updated_new : ReturnValues::none;
}

bool needs_before(ReturnValues values) {
  return values == ReturnValues::all_old || values == ReturnValues::updated_old;
}

bool needs_after(ReturnValues values) {
  return values == ReturnValues::all_new || values == ReturnValues::updated_new;
}

bool only_updated(ReturnValues values) {
  return values == ReturnValues::updated_old || values == ReturnValues::updated_new;
}

// What is left to know of a write once the store has it.
struct Reply {
  table::TablePtr table;
  ReturnValues return_values = ReturnValues::none;
  CapacityDetail capacity = CapacityDetail::none;
  std::string collection_key;
  std::optional<expression::Update> update;  // for UPDATED_OLD and UPDATED_NEW
  WriteForm form = WriteForm::item;
  bool inserts = false;
};

Reply reply_of(const Write& write) {
  Reply reply{write.action.table, write.return_values, write.capacity, write.collection_key, {},
              write.form,         write.inserts};
  if (only_updated(write.return_values)) {
    reply.update = write.action.update;
  }
  return reply;
}

void append_attributes(json::Writer& writer, const Reply& reply, const store::ActionResult& result) {
  std::string updated;
  const auto shown = shown_item(reply.return_values, reply.update, result, updated);
  if (reply.form == WriteForm::statement) {
    writer.key("Items").begin_array();
    if (shown) {
      item::append_json(writer.value_place(), *shown);
    }
    writer.end_array();
  } else if (shown) {
    item::append_json(writer.key("Attributes").value_place(), *shown);
  }
}

std::string render(const store::Store& store, const Reply& reply, const store::ActionResult& result) {
  std::string out;
  json::Writer writer(out);
  writer.begin_object();
  append_attributes(writer, reply, result);
  if (reply.capacity != CapacityDetail::none) {
    ConsumedUnits consumed(reply.table->name);
    consumed.add_write(result);
    writer.key("ConsumedCapacity");
    consumed.append_json(writer, reply.capacity);
  }
  if (!reply.collection_key.empty()) {
    writer.key("ItemCollectionMetrics");
    append_collection(writer, store, *reply.table, item::ItemView(reply.collection_key));
  }
  writer.end_object();
  return out;
}

// A failed condition may show the item that made it fail.
void refuse(Call call, const Reply& reply, const store::ActionResult& result) {
  const Error error = refusal_of(*result.refusal, reply.inserts);
  if (error.kind != ErrorKind::condition_failed || !result.before) {
    call.fail(error);
    return;
  }
  std::string body;
  json::Writer writer(body);
  writer.begin_object()
      .key("__type")
      .string(error_form(error.kind).type)
      .key("message")
      .string(error.message);
  item::append_json(writer.key("Item").value_place(), result.before->view());
  writer.end_object();
  call.fail_with_body(error_form(error.kind).status, std::move(body));
}

void finish(Call call, const Reply& reply, const store::Outcome& outcome) {
  if (outcome.kind == store::OutcomeKind::failed) {
    call.fail(*outcome.error);
  } else if (outcome.kind == store::OutcomeKind::refused) {
    refuse(std::move(call), reply, outcome.results.front());
  } else {
    auto body = render(call.store(), reply, outcome.results.front());
    call.answer(std::move(body));
  }
}

Status parse_legacy(const WriteExpressionFields& fields, WriteExpressions& parsed) {
  if (fields.attribute_updates) {
    WAYBILL_TRY_ASSIGN(parsed.update, expression::update_from_attribute_updates(*fields.attribute_updates));
  }
  WAYBILL_TRY(check_conditional_operator(fields.conditional_operator, fields.expected));
  if (fields.expected && fields.expected->size() > 0) {
    WAYBILL_TRY_ASSIGN(parsed.condition,
                       expression::condition_from_expected(*fields.expected, fields.conditional_operator));
  }
  return {};
}

Status check_generations(const WriteExpressionFields& fields) {
  return check_not_mixed({{"AttributeUpdates", fields.attribute_updates.has_value()},
                          {"Expected", fields.expected.has_value()},
                          {"ConditionalOperator", fields.conditional_operator.has_value()}},
                         {{"UpdateExpression", fields.update.has_value()},
                          {"ConditionExpression", fields.condition.has_value()}});
}

expression::PlaceholderSource placeholder_source(const WriteExpressionFields& fields,
                                                 store::ActionKind kind) {
  expression::PlaceholderSource source;
  source.names = fields.names;
  source.values = fields.values;
  source.names_allowed = source.values_allowed = fields.condition || fields.update;
  source.values_refused_because = kind == store::ActionKind::update
                                      ? "UpdateExpression is null and ConditionExpression is null"
                                      : "ConditionExpression is null";
  return source;
}

}  // namespace

WriteExpressionFields WriteExpressionFields::read(const Fields& fields) {
  WriteExpressionFields read;
  read.condition = fields.string("ConditionExpression");
  read.update = fields.string("UpdateExpression");
  read.names = read_names(fields);
  read.values = read_values(fields, "ExpressionAttributeValues");
  read.expected = read_conditions(fields, "Expected", "ExpectedAttributeValue");
  read.attribute_updates = read_conditions(fields, "AttributeUpdates", "AttributeValueUpdate");
  read.conditional_operator = fields.string("ConditionalOperator");
  return read;
}

Status check_together(const WriteExpressionFields& fields, store::ActionKind kind) {
  WAYBILL_TRY(check_generations(fields));
  return expression::Placeholders::check_allowed(placeholder_source(fields, kind));
}

Result<WriteExpressions> parse_write_expressions(const WriteExpressionFields& fields,
                                                 store::ActionKind kind) {
  WAYBILL_TRY_ASSIGN(auto placeholders, expression::Placeholders::parse(placeholder_source(fields, kind)));
  WriteExpressions parsed;
  if (fields.update) {
    WAYBILL_TRY_ASSIGN(parsed.update, expression::Update::parse(*fields.update, placeholders));
  }
  if (fields.condition) {
    WAYBILL_TRY_ASSIGN(
        parsed.condition,
        expression::Condition::parse(*fields.condition, expression::ExpressionKind::condition, placeholders));
  }
  WAYBILL_TRY(placeholders.check_all_used());
  WAYBILL_TRY(parse_legacy(fields, parsed));
  return parsed;
}

Error expression_error(Error error) {
  const std::string_view text = error.message;
  const bool wrapped = text.starts_with("Invalid ConditionExpression: ") ||
                       text.starts_with("Invalid UpdateExpression: ") ||
                       text.starts_with("Can not use both ") ||
                       text.starts_with("ExpressionAttributeValues contains invalid value: ") ||
                       text.starts_with("ExpressionAttributeValues can only be specified ");
  if (wrapped && !text.ends_with("The expression can not be empty;")) {
    return in_envelope(std::move(error));
  }
  return error;
}

Status check_update(const table::Table& table, const expression::Update& update) {
  for (const auto* key : {&table.key.partition, table.key.sort ? &*table.key.sort : nullptr}) {
    if (key != nullptr && update.mentions(key->name)) {
      return invalid("One or more parameter values were invalid: Cannot update attribute " + key->name +
                     ". This attribute is part of the key");
    }
  }
  return {};
}

Status check_against_table(store::Action& action) {
  const bool put = action.kind == store::ActionKind::put;
  WAYBILL_TRY(put ? table::check_item_key(*action.table, action.item.view())
                  : table::check_key(*action.table, action.item.view()));
  action.key = table::primary_key(action.table->key, action.item.view());
  if (put) {
    return table::check_index_keys(*action.table, action.item.view(), table::Change::put);
  }
  return action.update ? check_update(*action.table, *action.update) : Status();
}

WriteReplyFields WriteReplyFields::read(const Fields& fields) {
  return {fields.string("ReturnValues"), fields.string("ReturnConsumedCapacity"),
          fields.string("ReturnItemCollectionMetrics"), fields.string("ReturnValuesOnConditionCheckFailure")};
}

void WriteReplyFields::check_return_values(Constraints& constraints) const {
  constraints.one_of("returnValues", return_values,
                     {"ALL_NEW", "UPDATED_OLD", "ALL_OLD", "NONE", "UPDATED_NEW"});
}

void WriteReplyFields::check_on_failure(Constraints& constraints) const {
  constraints.one_of("returnValuesOnConditionCheckFailure", on_failure, {"ALL_OLD", "NONE"});
}

void Write::prepare(const WriteReplyFields& reply) {
  return_values = return_values_of(reply.return_values);
  capacity = capacity_detail(reply.capacity);
  want_values(action, return_values);
  action.wants_item_on_failure = reply.on_failure == "ALL_OLD";
  action.wants_index_units = capacity != CapacityDetail::none;
  if (wants_collection(*action.table, reply.metrics)) {
    collection_key = collection_key_of(*action.table, action.item.view());
  }
}

void want_values(store::Action& action, ReturnValues values) {
  action.wants_before = needs_before(values);
  action.wants_after = needs_after(values);
}

std::optional<item::ItemView> shown_item(ReturnValues values, const std::optional<expression::Update>& update,
                                         const store::ActionResult& result, std::string& room) {
  const auto& item = needs_before(values) ? result.before : result.after;
  if (values == ReturnValues::none || !item) {
    return std::nullopt;
  }
  if (!update || !only_updated(values)) {
    return item->view();
  }
  update->append_updated(room, item->view());
  return room.empty() ? std::nullopt : std::optional(item::ItemView(room));
}

Error refusal_of(Error error, bool inserts) {
  if (inserts && error.kind == ErrorKind::condition_failed && error.detail.empty()) {
    return Error{ErrorKind::duplicate_item, "Duplicate primary key exists in table", {}};
  }
  return error;
}

namespace {

bool is_limited(const access::Policy* policy, const store::Transaction& transaction) {
  const auto is_limited_to_some = [&](const store::Action& action) {
    return action.table != nullptr &&
           !policy->of_table(access::Verb::write, action.table->name).is_everything() &&
           policy->of_table(access::Verb::admin, action.table->name).is_nothing();
  };
  return policy != nullptr && std::ranges::any_of(transaction.actions, is_limited_to_some);
}

}  // namespace

void name_author(const Call& call, store::Transaction& transaction) {
  const bool has_rules = std::ranges::any_of(transaction.actions, [](const store::Action& action) {
    return action.table != nullptr && action.table->has_rules;
  });
  if (has_rules) {
    transaction.author = std::make_shared<const store::Author>(
        store::Author{call.principal().access_key_id(),
                      call.imports() ? "import" : "",
                      {},
                      is_limited(call.principal().policy().get(), transaction)});
  }
}

void submit(Call call, Write&& write) {
  Reply reply = reply_of(write);
  store::Transaction transaction;
  transaction.actions.push_back(std::move(write.action));
  name_author(call, transaction);
  store::Store& store = call.store();
  store.commit(std::move(transaction),
               [call = std::move(call), reply = std::move(reply)](store::Outcome outcome) mutable {
                 Call::resume(std::move(call), [reply = std::move(reply), outcome = std::move(outcome)](
                                                   Call back) { finish(std::move(back), reply, outcome); });
               });
}

}  // namespace waybill::api::dynamodb
