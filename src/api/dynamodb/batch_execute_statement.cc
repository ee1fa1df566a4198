#include <algorithm>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "api/dynamodb/errors.h"
#include "api/dynamodb/item_request.h"
#include "api/dynamodb/operations.h"
#include "api/dynamodb/statement_read.h"
#include "api/dynamodb/statement_request.h"
#include "api/dynamodb/statement_write.h"
#include "item/json.h"
#include "table/key.h"

namespace waybill::api::dynamodb {
namespace {

constexpr std::size_t statements_max = 25;

// One statement of the batch: what came of it, or what is left to know of it once the store has it.
struct Member {
  std::optional<Error> error;
  table::TablePtr table;  // null where the statement never came to its table
  std::optional<partiql::Statement> statement;
  ReturnValues return_values = ReturnValues::none;
  std::optional<expression::Update> update;  // for MODIFIED OLD and MODIFIED NEW
  bool inserts = false;
  bool consistent = false;
};

struct Request {
  std::vector<Member> members;
  CapacityDetail capacity = CapacityDetail::none;
};

Result<partiql::Statement> parse_statement(const StatementFields& fields) {
  WAYBILL_TRY_ASSIGN(const auto parameters, StatementParameters::parse(fields.parameters));
  WAYBILL_TRY_ASSIGN(auto statement, partiql::parse_statement(*fields.statement, parameters.values()));
  if (statement.kind == partiql::Statement::Kind::exists) {
    return invalid("EXISTS is only supported in ExecuteTransaction");
  }
  return statement;
}

// A statement that is not well formed fails alone.
Member member_of(const StatementFields& fields) {
  Member member;
  member.consistent = fields.consistent;
  auto statement = parse_statement(fields);
  if (statement) {
    member.statement = *std::move(statement);
  } else {
    member.error = std::move(statement).error();
  }
  return member;
}

Status check_unmixed(const std::vector<Member>& members) {
  const auto is_kind = [&](bool reads) {
    return std::any_of(members.begin(), members.end(), [&](const Member& member) {
      return member.statement && member.statement->reads() == reads;
    });
  };
  if (is_kind(true) && is_kind(false)) {
    return invalid("Read and write requests together in the same batch is not supported.");
  }
  return {};
}

Result<Request> parse(const json::Value& body) {
  Reading reading;
  const Fields fields(body, reading);
  const auto statements = read_statements(fields, "Statements", statements_max);
  const auto capacity = fields.string("ReturnConsumedCapacity");
  WAYBILL_TRY(reading.status());
  Constraints constraints;
  statements.check(constraints);
  check_capacity_word(constraints, capacity);
  WAYBILL_TRY(constraints.status());
  Request request;
  request.capacity = capacity_detail(capacity);
  for (const auto& statement : statements.taken) {
    request.members.push_back(member_of(statement));
  }
  WAYBILL_TRY(check_unmixed(request.members));
  return request;
}

// Writes "Responses" as the members come, and adds up what they cost.
class Answer {
 public:
  explicit Answer(CapacityDetail capacity) : capacity_(capacity), writer_(out_) {
    writer_.begin_object().key("Responses").begin_array();
  }

  void append(const Member& member, std::optional<item::ItemView> item);
  ConsumedUnits& consumed_by(const Member& member) { return consumed_.of(member.table->name); }
  std::string finish();

 private:
  CapacityDetail capacity_;
  std::string out_;
  json::Writer writer_;
  ConsumedByTable consumed_;
};

void Answer::append(const Member& member, std::optional<item::ItemView> item) {
  writer_.begin_object();
  if (member.error) {
    writer_.key("Error").begin_object();
    writer_.key("Code").string(reason_code(member.error->kind));
    writer_.key("Message").string(told_message(*member.error)).end_object();
  }
  if (item) {
    item::append_json(writer_.key("Item").value_place(), *item);
  }
  if (member.table) {
    writer_.key("TableName").string(member.table->name);
  }
  writer_.end_object();
}

std::string Answer::finish() {
  writer_.end_array();
  consumed_.append_json(writer_, capacity_);
  writer_.end_object();
  return std::move(out_);
}

// The items that a batch is about, each once.
class DistinctItems {
 public:
  Status add(const table::Table& table, std::string_view key) {
    if (!seen_.insert(std::to_string(table.space).append("/").append(key)).second) {
      return invalid("Provided list of item keys contains duplicates");
    }
    return {};
  }

 private:
  std::unordered_set<std::string> seen_;
};

struct MemberRead {
  std::optional<ItemRead> read;  // nullopt where the member has an error
  std::string key;
};

Result<std::vector<MemberRead>> decide_reads(const store::Store& store, Request& request) {
  std::vector<MemberRead> reads(request.members.size());
  DistinctItems items;
  for (std::size_t i = 0; i < reads.size(); ++i) {
    auto& member = request.members[i];
    auto read = member.error ? Result<ItemRead>(*member.error)
                             : decide_item_read(store, *member.statement, "BatchExecuteStatement");
    if (!read) {
      member.error = std::move(read).error();
      continue;
    }
    member.table = read->table;
    reads[i].key = table::primary_key(read->table->key, read->key.view());
    WAYBILL_TRY(items.add(*read->table, reads[i].key));
    reads[i].read = *std::move(read);
  }
  return reads;
}

// What a key may not do is told in words that name the key.
void word_errors(const Call& call, Request& request) {
  for (auto& member : request.members) {
    if (member.error) {
      member.error = call.worded(*std::move(member.error));
    }
  }
}

double member_units(const Member& member, const std::optional<store::Found>& found) {
  return ReadUnits{member.consistent}.of(found ? found->size_bytes : 0);
}

void append_found(Answer& answer, const Member& member, const ItemRead& read,
                  const std::optional<store::Found>& found) {
  answer.consumed_by(member).add_table(member_units(member, found));
  std::optional<item::ItemView> shown;
  std::string projected;
  if (found && read.projection) {
    read.projection->append_projected(projected, found->item.view());
    shown = item::ItemView(projected);
  } else if (found) {
    shown = found->item.view();
  }
  answer.append(member, shown);
}

Result<std::string> read_all(const Call& call, Request& request) {
  const store::Store& store = call.store();
  WAYBILL_TRY_ASSIGN(const auto reads, decide_reads(store, request));
  word_errors(call, request);
  Answer answer(request.capacity);
  for (std::size_t i = 0; i < reads.size(); ++i) {
    if (!reads[i].read) {
      answer.append(request.members[i], std::nullopt);
      continue;
    }
    auto& member = request.members[i];
    const auto found = store.get(*reads[i].read->table, reads[i].key);
    if (!found && found.error().kind == ErrorKind::access_denied) {
      member.error = call.worded(found.error());
      answer.append(member, std::nullopt);
      continue;
    }
    if (!found) {
      return found.error();
    }
    count_read(store, reads[i].read->table->space, member_units(member, *found));
    append_found(answer, member, *reads[i].read, *found);
  }
  return answer.finish();
}

// The members that can be written, each as a transaction of its own; the others keep their errors.
Result<std::vector<store::Transaction>> decide_writes(const store::Store& store, Request& request) {
  std::vector<store::Transaction> transactions;
  DistinctItems items;
  for (auto& member : request.members) {
    auto write = member.error ? Result<Write>(*member.error) : decide_write(store, *member.statement);
    auto checked = write ? check_against_table(write->action) : Status(write.error());
    if (!checked) {
      member.error = std::move(checked).error();
      continue;
    }
    WAYBILL_TRY(items.add(*write->action.table, write->action.key));
    member.table = write->action.table;
    member.return_values = write->return_values;
    member.update = write->action.update;
    member.inserts = write->inserts;
    write->action.wants_index_units = request.capacity != CapacityDetail::none;
    transactions.emplace_back().actions.push_back(std::move(write->action));
  }
  return transactions;
}

void append_outcome(const Call& call, Answer& answer, Member& member, const store::Outcome& outcome) {
  if (outcome.kind == store::OutcomeKind::failed) {
    member.error = call.worded(*outcome.error);
    answer.append(member, std::nullopt);
    return;
  }
  const auto& result = outcome.results.front();
  answer.consumed_by(member).add_write(result);
  if (result.refusal) {
    member.error = call.worded(refusal_of(*result.refusal, member.inserts));
    answer.append(member, std::nullopt);
    return;
  }
  std::string room;
  answer.append(member, shown_item(member.return_values, member.update, result, room));
}

std::string render_writes(const Call& call, Request& request, const std::vector<store::Outcome>& outcomes) {
  word_errors(call, request);
  Answer answer(request.capacity);
  std::size_t next = 0;
  for (auto& member : request.members) {
    if (member.error) {
      answer.append(member, std::nullopt);
    } else {
      append_outcome(call, answer, member, outcomes[next++]);
    }
  }
  return answer.finish();
}

void write_all(Call call, Request request) {
  auto transactions = decide_writes(call.store(), request);
  if (!transactions) {
    call.fail(transactions.error());
    return;
  }
  if (transactions->empty()) {
    auto body = render_writes(call, request, {});
    call.answer(std::move(body));
    return;
  }
  for (auto& transaction : *transactions) {
    name_author(call, transaction);
  }
  store::Store& store = call.store();
  store.commit_each(*std::move(transactions), [call = std::move(call), request = std::move(request)](
                                                  std::vector<store::Outcome> outcomes) mutable {
    Call::resume(std::move(call),
                 [request = std::move(request), outcomes = std::move(outcomes)](Call back) mutable {
                   auto body = render_writes(back, request, outcomes);
                   back.answer(std::move(body));
                 });
  });
}

bool reads(const Request& request) {
  return std::any_of(request.members.begin(), request.members.end(),
                     [](const Member& member) { return member.statement && member.statement->reads(); });
}

}  // namespace

void batch_execute_statement(Call call, const json::Value& body) {
  auto request = parse(body);
  if (!request) {
    call.fail(request.error());
  } else if (reads(*request)) {
    auto result = read_all(call, *request);
    call.answer(std::move(result));
  } else {
    write_all(std::move(call), *std::move(request));
  }
}

}  // namespace waybill::api::dynamodb
