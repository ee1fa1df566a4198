#include "load/dynamo_dialect.h"

#include <charconv>
#include <chrono>
#include <cstring>
#include <ctime>
#include <thread>

#include "load/http_frame.h"

namespace waybill::load {
namespace {

// Bodies are written behind this much free room, so that the head, which tells their size, can be put before
// them without moving them.
constexpr std::size_t head_room = 1024;

std::string time_text(const char* format) {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  return {text, std::strftime(text, sizeof(text), format, &parts)};
}

// Servers under load don't verify signatures, but they may well take the header apart.
std::string authorization() {
  return "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/" + time_text("%Y%m%d") +
         "/us-east-1/dynamodb/aws4_request, "
         "SignedHeaders=content-length;content-type;host;x-amz-date;x-amz-target, "
         "Signature=3f2a9c17d04b8e65a1c3f7820b9d5e4466f08a7d2c1be9f35d7a60b84e92c1d7";
}

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
    : options_(options), bodies_(options.table, options.population), answers_(options_) {
  head_start_ = "POST / HTTP/1.1\r\nHost: " + options.target.host + ":" +
                std::to_string(options.target.port) + "\r\nX-Amz-Target: DynamoDB_20120810.";
  head_middle_ =
      "\r\nContent-Type: application/x-amz-json-1.0\r\nX-Amz-Date: " + time_text("%Y%m%dT%H%M%SZ") +
      "\r\nAuthorization: " + authorization() +
      "\r\nUser-Agent: aws-sdk-js/3.901.0 ua/2.1 os/linux#6.1 lang/js md/nodejs#22.12.0 "
      "api/dynamodb#3.901.0\r\nContent-Length: ";
}

std::string_view DynamoDialect::add_head(std::string_view target) {
  const auto body_bytes = out_.size() - head_room;
  char digits[20];
  const auto* const digits_end = std::to_chars(digits, digits + sizeof(digits), body_bytes).ptr;
  const std::string_view parts[] = {head_start_, target, head_middle_,
                                    std::string_view(digits, static_cast<std::size_t>(digits_end - digits)),
                                    "\r\n\r\n"};
  std::size_t head_bytes = 0;
  for (const auto& part : parts) {
    head_bytes += part.size();
  }
  WAYBILL_CHECK(head_bytes <= head_room);
  auto at = head_room - head_bytes;
  const auto start = at;
  for (const auto& part : parts) {
    std::memcpy(out_.data() + at, part.data(), part.size());
    at += part.size();
  }
  return out_.view().substr(start);
}

std::string_view DynamoDialect::write(const Request& request) {
  out_.clear();
  out_.skip(head_room);
  bodies_.add(out_, request);
  return add_head(dynamo_name(request.operation));
}

Result<Answer> DynamoDialect::read(const Request& request, std::string_view received) {
  WAYBILL_TRY_ASSIGN(const auto frame, read_http_frame(received, chunks_));
  if (frame.bytes == 0) {
    return Answer{};
  }
  return Answer{frame.bytes, outcome_of(request, frame), frame.body};
}

std::optional<JobId> DynamoDialect::page_end(const Answer& answer) const {
  return DynamoAnswers::last_evaluated(answer.body);
}

Result<std::vector<FoundItem>> DynamoDialect::read_items(const Request& request, std::string_view body) {
  return answers_.items(request, body);
}

Result<DynamoDialect::Reply> DynamoDialect::call(Socket& socket, std::string_view name,
                                                 std::string_view body) {
  out_.clear();
  out_.skip(head_room).add(body);
  WAYBILL_TRY(socket.send_all(add_head(name)));
  std::string received;
  while (true) {
    WAYBILL_TRY(socket.receive(received));
    WAYBILL_TRY_ASSIGN(const auto frame, read_http_frame(received, chunks_));
    if (frame.bytes != 0) {
      return Reply{frame.status, std::string(frame.body)};
    }
  }
}

template <typename Done>
Status DynamoDialect::wait_until(Socket& socket, Done done) {
  constexpr int polls_max = 600;
  for (int i = 0; i < polls_max; ++i) {
    WAYBILL_TRY_ASSIGN(const auto reply, call(socket, "DescribeTable", bodies_.table_name()));
    if (done(reply)) {
      return {};
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  return Error{ErrorKind::unavailable, "the table did not become ready within a minute", {}};
}

Status DynamoDialect::create_table() {
  WAYBILL_TRY_ASSIGN(auto socket, Socket::connect(options_.target));
  WAYBILL_TRY_ASSIGN(const auto removed, call(socket, "DeleteTable", bodies_.table_name()));
  if (removed.status == 200) {
    WAYBILL_TRY(wait_until(socket, [](const Reply& reply) { return reply.status == 400; }));
  }
  WAYBILL_TRY_ASSIGN(const auto created, call(socket, "CreateTable", bodies_.create_table()));
  if (created.status != 200) {
    return invalid("CreateTable: " + excerpt(created.body));
  }
  return wait_until(socket, [](const Reply& reply) {
    return reply.body.find(R"("TableStatus":"ACTIVE")") != std::string::npos &&
           reply.body.find(R"("CREATING")") == std::string::npos;
  });
}

}  // namespace waybill::load
