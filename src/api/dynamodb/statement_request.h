#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/dynamodb/constraints.h"
#include "api/dynamodb/fields.h"
#include "base/result.h"
#include "partiql/statement.h"

// A PartiQL statement of a request: alone, in a batch or in a transaction.
namespace waybill::api::dynamodb {

// The values for the question marks of one statement.
class StatementParameters {
 public:
  // Errors are of kind invalid and carry the service's texts.
  static Result<StatementParameters> parse(const std::optional<json::Value>& parameters);

  // Live as long as this does.
  std::vector<item::ValueView> values() const;
  std::string_view encoded() const { return encoded_; }

 private:
  std::string encoded_;
  std::vector<std::size_t> places_;
};

// Views live as long as the request's JSON.
struct StatementFields {
  std::optional<std::string_view> statement;
  std::optional<json::Value> parameters;
  std::optional<std::string_view> on_failure;
  bool consistent = false;

  // All JSON types of the parameters are looked at.
  static StatementFields read(const Fields& fields);

  // `place` comes before the names in messages: "statements.1.member.".
  void check(Constraints& constraints, const std::string& place) const;
};

// The statements of a batch or a transaction, one more than allowed at most.
struct StatementList {
  std::vector<StatementFields> taken;
  std::size_t count = 0;
  bool given = false;
  std::string place;  // "statements"
  std::size_t count_max = 0;

  void check(Constraints& constraints) const;
};

StatementList read_statements(const Fields& request, std::string_view name, std::size_t count_max);

}  // namespace waybill::api::dynamodb
