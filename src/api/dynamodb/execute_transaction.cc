#include <algorithm>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "api/dynamodb/item_request.h"
#include "api/dynamodb/operations.h"
#include "api/dynamodb/read_transaction.h"
#include "api/dynamodb/statement_read.h"
#include "api/dynamodb/statement_request.h"
#include "api/dynamodb/statement_write.h"
#include "api/dynamodb/transaction_fields.h"
#include "api/dynamodb/write_transaction.h"
#include "http/sha256.h"

namespace waybill::api::dynamodb {
namespace {

struct TransactionFields {
  StatementList statements;
  std::optional<std::string_view> token;
  std::optional<std::string_view> capacity;
};

using Request = std::variant<ReadTransaction, WriteTransaction>;

// What one statement is faulted for is told with its number.
Error at_statement(std::size_t i, Error error) {
  if (error.kind == ErrorKind::invalid) {
    error.message.insert(0, "Validation failed in TransactStatements[" + std::to_string(i) + "]: ");
  }
  return error;
}

Status check_constraints(const TransactionFields& fields) {
  Constraints constraints;
  fields.statements.check(constraints);
  constraints.length_min("clientRequestToken", fields.token, 1);
  constraints.length_max("clientRequestToken", fields.token, request_token_length_max);
  check_capacity_word(constraints, fields.capacity);
  return constraints.status();
}

Status check_in_transaction(const partiql::Statement& statement) {
  if (statement.returning) {
    return invalid("RETURNING clause is not supported in ExecuteTransaction.");
  }
  if (statement.source.index) {
    return invalid("Reads on indices are not supported within transactions.");
  }
  return {};
}

Result<partiql::Statement> parse_one(const StatementFields& fields, const StatementParameters& parameters) {
  WAYBILL_TRY_ASSIGN(auto statement, partiql::parse_statement(*fields.statement, parameters.values()));
  WAYBILL_TRY(check_in_transaction(statement));
  return statement;
}

// Wrong values are the request's fault, not a statement's.
Result<std::vector<StatementParameters>> parse_parameters(const StatementList& statements) {
  std::vector<StatementParameters> all;
  for (const auto& fields : statements.taken) {
    WAYBILL_TRY_ASSIGN(auto parameters, StatementParameters::parse(fields.parameters));
    all.push_back(std::move(parameters));
  }
  return all;
}

Result<std::vector<partiql::Statement>> parse_statements(const StatementList& list,
                                                         const std::vector<StatementParameters>& parameters) {
  std::vector<partiql::Statement> statements;
  for (std::size_t i = 0; i < list.taken.size(); ++i) {
    auto statement = parse_one(list.taken[i], parameters[i]);
    if (!statement) {
      return at_statement(i, std::move(statement).error());
    }
    statements.push_back(*std::move(statement));
  }
  const bool first_reads = statements.front().reads();
  const bool mixed = std::any_of(statements.begin(), statements.end(), [&](const partiql::Statement& other) {
    return other.reads() != first_reads;
  });
  if (mixed) {
    return invalid(
        "ExecuteTransaction API does not support both read and write operations in the same request.");
  }
  return statements;
}

Result<ReadTransaction> decide_reads(const store::Store& store,
                                     const std::vector<partiql::Statement>& statements) {
  ReadTransaction request;
  for (std::size_t i = 0; i < statements.size(); ++i) {
    auto read = decide_item_read(store, statements[i], "ExecuteTransaction");
    if (!read) {
      return at_statement(i, std::move(read).error());
    }
    request.add(std::move(read->table), read->key.view(), std::move(read->projection));
  }
  WAYBILL_TRY(request.check_distinct());
  return request;
}

Result<WriteTransaction> decide_writes(const store::Store& store, const StatementList& fields,
                                       const std::vector<partiql::Statement>& statements,
                                       CapacityDetail capacity) {
  WriteTransaction request;
  request.form = WriteForm::statement;
  request.capacity = capacity;
  for (std::size_t i = 0; i < statements.size(); ++i) {
    auto write = decide_write(store, statements[i]);
    if (!write) {
      return at_statement(i, std::move(write).error());
    }
    write->action.wants_item_on_failure = fields.taken[i].on_failure == "ALL_OLD";
    WAYBILL_TRY(request.add(std::move(write->action), write->inserts));
  }
  WAYBILL_TRY(request.check_whole());
  return request;
}

// What makes two requests the same: the statements and their parameters.
std::string fingerprint_of(const StatementList& statements,
                           const std::vector<StatementParameters>& parameters) {
  std::string text;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    json::append_string(text, *statements.taken[i].statement);
    json::append_string(text, statements.taken[i].on_failure.value_or("NONE"));
    text.append(std::to_string(parameters[i].encoded().size())).append(":").append(parameters[i].encoded());
  }
  return std::string(http::bytes_of(http::sha256(text)));
}

Result<Request> parse(const store::Store& store, const json::Value& body) {
  Reading reading;
  const Fields fields(body, reading);
  const TransactionFields read{read_statements(fields, "TransactStatements", transaction_actions_max),
                               fields.string("ClientRequestToken"), fields.string("ReturnConsumedCapacity")};
  WAYBILL_TRY(reading.status());
  WAYBILL_TRY(check_constraints(read));
  WAYBILL_TRY_ASSIGN(const auto parameters, parse_parameters(read.statements));
  WAYBILL_TRY_ASSIGN(const auto statements, parse_statements(read.statements, parameters));
  const auto capacity = capacity_detail(read.capacity);
  if (statements.front().reads()) {
    WAYBILL_TRY_ASSIGN(auto request, decide_reads(store, statements));
    request.capacity = capacity;
    return Request(std::move(request));
  }
  WAYBILL_TRY_ASSIGN(auto request, decide_writes(store, read.statements, statements, capacity));
  if (read.token) {
    request.transaction.token = {std::string(*read.token), fingerprint_of(read.statements, parameters)};
  }
  return Request(std::move(request));
}

}  // namespace

void execute_transaction(Call call, const json::Value& body) {
  auto request = parse(call.store(), body);
  if (!request) {
    call.fail(request.error());
  } else if (const auto* reads = std::get_if<ReadTransaction>(&*request)) {
    answer(std::move(call), *reads);
  } else {
    submit(std::move(call), std::get<WriteTransaction>(*std::move(request)));
  }
}

}  // namespace waybill::api::dynamodb
