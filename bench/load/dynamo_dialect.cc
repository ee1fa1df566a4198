#include "load/dynamo_dialect.h"

#include <chrono>
#include <thread>

namespace waybill::load {
namespace {

constexpr AwsService dynamo_service = {"dynamodb", "DynamoDB_20120810."};

Outcome outcome_of(const Request& request, const HttpFrame& frame) {
  if (frame.status == 200) {
    const bool batch = request.operation == Operation::load || request.operation == Operation::batch_write;
    const bool undone = batch && frame.body.find("\"PutRequest\"") != std::string_view::npos;
    return undone ? Outcome::unprocessed : Outcome::done;
  }
  const bool refused = request.operation == Operation::update && frame.status == 400 &&
                       frame.body.find("ConditionalCheckFailed") != std::string_view::npos;
  return refused ? Outcome::refused : Outcome::failed;
}

}  // namespace

DynamoDialect::DynamoDialect(const DialectOptions& options)
    : options_(options),
      requests_(options.target, dynamo_service),
      bodies_(options.table, options.population),
      answers_(options_) {}

std::string_view DynamoDialect::write(const Request& request) {
  bodies_.add(requests_.begin(), request);
  return requests_.finish(dynamo_name(request.operation));
}

Result<Answer> DynamoDialect::read(const Request& request, std::string_view received) {
  WAYBILL_TRY_ASSIGN(const auto frame, requests_.read(received));
  if (frame.bytes == 0) {
    return Answer{};
  }
  return Answer{frame.bytes, outcome_of(request, frame), frame.body};
}

void DynamoDialect::keep(const Answer& answer, Request& request) const {
  if (request.operation == Operation::scan) {
    request.after = DynamoAnswers::last_evaluated(answer.body);
  }
}

Result<std::vector<FoundItem>> DynamoDialect::read_items(const Request& request, std::string_view body) {
  return answers_.items(request, body);
}

template <typename Done>
Status DynamoDialect::wait_until(Socket& socket, Done done) {
  constexpr int polls_max = 600;
  for (int i = 0; i < polls_max; ++i) {
    WAYBILL_TRY_ASSIGN(const auto reply, requests_.call(socket, "DescribeTable", bodies_.table_name()));
    if (done(reply)) {
      return {};
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  return Error{ErrorKind::unavailable, "the table did not become ready within a minute", {}};
}

Status DynamoDialect::create_table() {
  WAYBILL_TRY_ASSIGN(auto socket, Socket::connect(options_.target));
  WAYBILL_TRY_ASSIGN(const auto removed, requests_.call(socket, "DeleteTable", bodies_.table_name()));
  if (removed.status == 200) {
    WAYBILL_TRY(wait_until(socket, [](const AwsRequests::Reply& reply) { return reply.status == 400; }));
  }
  WAYBILL_TRY_ASSIGN(const auto created, requests_.call(socket, "CreateTable", bodies_.create_table()));
  if (created.status != 200) {
    return invalid("CreateTable: " + excerpt(created.body));
  }
  return wait_until(socket, [](const AwsRequests::Reply& reply) {
    return reply.body.find(R"("TableStatus":"ACTIVE")") != std::string::npos &&
           reply.body.find(R"("CREATING")") == std::string::npos;
  });
}

}  // namespace waybill::load
