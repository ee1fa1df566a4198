#include "api/dynamodb/statement_request.h"

#include <utility>

#include "api/dynamodb/item_request.h"
#include "item/json.h"
#include "item/json_types.h"

namespace waybill::api::dynamodb {

Result<StatementParameters> StatementParameters::parse(const std::optional<json::Value>& parameters) {
  StatementParameters parsed;
  if (!parameters) {
    return parsed;
  }
  for (json::Elements elements(*parameters); elements.next();) {
    parsed.places_.push_back(parsed.encoded_.size());
    if (auto appended = item::append_value(parsed.encoded_, elements.value()); !appended) {
      return without_envelope(std::move(appended).error());
    }
  }
  return parsed;
}

std::vector<item::ValueView> StatementParameters::values() const {
  std::vector<item::ValueView> values;
  values.reserve(places_.size());
  for (const auto place : places_) {
    values.emplace_back(encoded_.data() + place);
  }
  return values;
}

StatementFields StatementFields::read(const Fields& fields) {
  StatementFields read;
  read.statement = fields.string("Statement");
  read.parameters = fields.list("Parameters");
  if (read.parameters) {
    for (json::Elements elements(*read.parameters); elements.next();) {
      if (auto checked = item::check_types(elements.value()); !checked) {
        fields.reading().fail(std::move(checked).error());
      }
    }
  }
  read.consistent = fields.boolean("ConsistentRead").value_or(false);
  read.on_failure = fields.string("ReturnValuesOnConditionCheckFailure");
  return read;
}

void StatementFields::check(Constraints& constraints, const std::string& place) const {
  constraints.not_null(place + "statement", statement);
  constraints.length_min(place + "statement", statement, 1);
  constraints.length_max(place + "statement", statement, partiql::statement_length_max);
  if (parameters && parameters->size() == 0) {
    constraints.violated(place + "parameters", "[]", length_at_least(1));
  }
  constraints.one_of(place + "returnValuesOnConditionCheckFailure", on_failure, {"ALL_OLD", "NONE"});
}

StatementList read_statements(const Fields& request, std::string_view name, std::size_t count_max) {
  StatementList list;
  list.place = name;
  list.place[0] = static_cast<char>(list.place[0] - 'A' + 'a');
  list.count_max = count_max;
  const auto elements = request.list(name);
  if (!elements) {
    return list;
  }
  list.given = true;
  list.count = elements->size();
  for (json::Elements cursor(*elements); cursor.next() && list.taken.size() <= count_max;) {
    if (const auto fields = read_structure(cursor.value(), "ParameterizedStatement", request.reading())) {
      list.taken.push_back(StatementFields::read(*fields));
    }
  }
  return list;
}

void StatementList::check(Constraints& constraints) const {
  constraints.not_null(place, given);
  if (given && count == 0) {
    constraints.violated(place, "[]", length_at_least(1));
  }
  if (count > count_max) {
    constraints.violated(place, length_at_most(count_max));
    return;
  }
  for (std::size_t i = 0; i < taken.size(); ++i) {
    taken[i].check(constraints, place + "." + std::to_string(i + 1) + ".member.");
  }
}

}  // namespace waybill::api::dynamodb
