#include <string>
#include <utility>

#include "api/dynamodb/item_request.h"
#include "api/dynamodb/next_token.h"
#include "api/dynamodb/operations.h"
#include "api/dynamodb/statement_read.h"
#include "api/dynamodb/statement_request.h"
#include "api/dynamodb/statement_write.h"

namespace waybill::api::dynamodb {
namespace {

constexpr std::size_t token_length_max = 32768;

struct ExecuteFields {
  StatementFields statement;
  std::optional<std::string_view> next_token;
  std::optional<std::string_view> capacity;
  std::optional<int64_t> limit;
};

// A request that has been read, with a statement that stands by itself.
struct Request {
  partiql::Statement statement;
  std::string binding;
  std::optional<NextToken> token;
  std::optional<int64_t> limit;
  CapacityDetail capacity = CapacityDetail::none;
  bool consistent = false;
  bool wants_item_on_failure = false;
};

Status check_constraints(const ExecuteFields& fields) {
  Constraints constraints;
  fields.statement.check(constraints, "");
  constraints.length_min("nextToken", fields.next_token, 1);
  constraints.length_max("nextToken", fields.next_token, token_length_max);
  check_capacity_word(constraints, fields.capacity);
  constraints.value_min("limit", fields.limit, 1);
  return constraints.status();
}

Result<Request> parse(const json::Value& body) {
  Reading reading;
  const Fields fields(body, reading);
  const ExecuteFields execute{StatementFields::read(fields), fields.string("NextToken"),
                              fields.string("ReturnConsumedCapacity"), fields.integer("Limit")};
  WAYBILL_TRY(reading.status());
  WAYBILL_TRY(check_constraints(execute));
  WAYBILL_TRY_ASSIGN(const auto parameters, StatementParameters::parse(execute.statement.parameters));
  const std::string_view text = *execute.statement.statement;
  Request request;
  WAYBILL_TRY_ASSIGN(request.statement, partiql::parse_statement(text, parameters.values()));
  if (request.statement.kind == partiql::Statement::Kind::exists) {
    return invalid("EXISTS is only supported in ExecuteTransaction");
  }
  request.binding = statement_binding(text, parameters.encoded());
  if (execute.next_token) {
    WAYBILL_TRY_ASSIGN(request.token, parse_token(*execute.next_token, request.binding));
  }
  request.limit = execute.limit;
  request.capacity = capacity_detail(execute.capacity);
  request.consistent = execute.statement.consistent;
  request.wants_item_on_failure = execute.statement.on_failure == "ALL_OLD";
  return request;
}

std::string render(const Request& request, const RangesPage& page, std::size_t ranges_done) {
  std::string out;
  json::Writer writer(out);
  writer.begin_object().key("Items").raw("[" + page.items + "]");
  if (!page.last_key.encoded.empty()) {
    const NextToken token{ranges_done + page.last_key_range, page.last_key};
    writer.key("NextToken").string(print_token(token, request.binding));
  }
  if (request.capacity != CapacityDetail::none) {
    writer.key("ConsumedCapacity");
    page.consumed.append_json(writer, request.capacity);
  }
  writer.end_object();
  return out;
}

Result<std::string> read(const store::Store& store, const Request& request) {
  WAYBILL_TRY_ASSIGN(auto ranges, decide_select(store, request.statement, request.consistent));
  const std::size_t ranges_done = request.token ? request.token->range : 0;
  if (request.token) {
    WAYBILL_TRY(resume(ranges, ranges_done, request.token->key.view()));
  }
  for (auto& range : ranges) {
    range.limit = request.limit;
    range.range.count_wanted = static_cast<std::size_t>(request.limit.value_or(0));
  }
  WAYBILL_TRY_ASSIGN(const auto page, read_ranges(store, ranges));
  return render(request, page, ranges_done);
}

Result<Write> decide(const store::Store& store, const Request& request) {
  WAYBILL_TRY_ASSIGN(auto write, decide_write(store, request.statement));
  WAYBILL_TRY(check_against_table(write.action));
  write.capacity = request.capacity;
  write.action.wants_index_units = request.capacity != CapacityDetail::none;
  write.action.wants_item_on_failure = request.wants_item_on_failure;
  return write;
}

}  // namespace

void execute_statement(Call call, const json::Value& body) {
  const auto request = parse(body);
  if (!request) {
    call.fail(request.error());
    return;
  }
  if (request->statement.reads()) {
    auto result = read(call.store(), *request);
    call.answer(std::move(result));
    return;
  }
  auto write = decide(call.store(), *request);
  if (!write) {
    call.fail(write.error());
    return;
  }
  submit(std::move(call), *std::move(write));
}

}  // namespace waybill::api::dynamodb
