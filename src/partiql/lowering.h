#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "expression/condition.h"
#include "expression/projection.h"
#include "expression/update.h"
#include "partiql/statement.h"

// Statements become the trees that expressions become. Errors are of kind invalid and carry the service's
// texts.
namespace waybill::partiql {

Result<expression::Condition> lower_condition(const Expression& condition);

Result<expression::Update> lower_update(const std::vector<Change>& changes);

// nullopt for whole items. Each column is an attribute of its own, named by the end of its path.
Result<std::optional<expression::Projection>> lower_columns(const std::vector<Path>& columns);

// Conditions that no statement has in so many words.
Expression all_of(std::vector<Expression> conditions);
Expression any_of(std::vector<Expression> conditions);
Expression attribute_exists(std::string_view attribute);
Expression attribute_not_exists(std::string_view attribute);

// The attributes that an expression asks about, each once, in order.
std::vector<std::string> mentioned_attributes(const Expression& expression);

}  // namespace waybill::partiql
