#include "load/sqs_dialect.h"

#include "load/message.h"

namespace waybill::load {
namespace {

constexpr AwsService sqs_service = {"sqs", "AmazonSQS."};

// Longer than any run: what is received stays with its receiver until it is deleted.
constexpr std::string_view queue_attributes = R"(,"Attributes":{"VisibilityTimeout":"3600"}})";

std::string_view sqs_name(Operation operation) {
  switch (operation) {
    case Operation::load:
      return "SendMessageBatch";
    case Operation::receive:
      return "ReceiveMessage";
    case Operation::remove:
      return "DeleteMessage";
    default:
      return "SendMessage";
  }
}

// What stands behind `name` up to the next quote; empty where it is not there.
std::string_view text_behind(std::string_view body, std::string_view name) {
  const auto at = body.find(name);
  if (at == body.npos) {
    return {};
  }
  const auto rest = body.substr(at + name.size());
  return rest.substr(0, rest.find('"'));
}

std::string_view member(const json::Value& object, std::string_view name) {
  const auto found = object.find(name);
  return found && found->is_string() ? found->string() : std::string_view();
}

Status check_digest(std::string_view text, std::string_view digest) {
  return md5_of(text) == digest ? Status() : invalid("a wrong MD5: " + std::string(digest));
}

}  // namespace

SqsDialect::SqsDialect(const DialectOptions& options)
    : options_(options), requests_(options.target, sqs_service) {}

Status SqsDialect::create_table() {
  WAYBILL_TRY_ASSIGN(const auto socket, Socket::connect(options_.target));
  const auto body = R"({"QueueName":")" + options_.table + '"' + std::string(queue_attributes);
  WAYBILL_TRY_ASSIGN(const auto created, requests_.call(socket, "CreateQueue", body));
  return created.status == 200 ? Status() : invalid("CreateQueue: " + excerpt(created.body));
}

Status SqsDialect::greet(Socket& socket) {
  if (!queue_.empty()) {
    return {};
  }
  const auto body = R"({"QueueName":")" + options_.table + R"("})";
  WAYBILL_TRY_ASSIGN(const auto named, requests_.call(socket, "GetQueueUrl", body));
  WAYBILL_TRY_ASSIGN(const auto answer, parser_.parse_copy(named.body));
  const auto url = answer.is_object() ? member(answer, "QueueUrl") : std::string_view();
  if (named.status != 200 || url.empty()) {
    return invalid("GetQueueUrl: " + excerpt(named.body));
  }
  queue_ = R"({"QueueUrl":")" + std::string(url) + '"';
  return {};
}

std::string_view SqsDialect::write(const Request& request) {
  auto& out = requests_.begin().add(queue_);
  switch (request.operation) {
    case Operation::load:
      add_entries(out, request);
      break;
    case Operation::receive:
      out.add(R"(,"MaxNumberOfMessages":1,"WaitTimeSeconds":)").add_number(request.wait_seconds).add('}');
      break;
    case Operation::remove:
      out.add(R"(,"ReceiptHandle":")").add(request.receipt).add(R"("})");
      break;
    default:
      out.add(R"(,"MessageBody":")");
      add_message_text(out, request.items[0].id, options_.message_bytes);
      out.add(R"("})");
  }
  return requests_.finish(sqs_name(request.operation));
}

void SqsDialect::add_entries(OutBuffer& out, const Request& request) const {
  out.add(R"(,"Entries":[)");
  for (uint32_t i = 0; i < request.count; ++i) {
    out.add(i == 0 ? R"({"Id":")" : R"(,{"Id":")").add_number(i).add(R"(","MessageBody":")");
    add_message_text(out, request.items[0].id + i, options_.message_bytes);
    out.add(R"("})");
  }
  out.add("]}");
}

Result<Answer> SqsDialect::read(const Request& request, std::string_view received) {
  WAYBILL_TRY_ASSIGN(const auto frame, requests_.read(received));
  if (frame.bytes == 0) {
    return Answer{};
  }
  const bool partly =
      request.operation == Operation::load && frame.body.find(R"("Failed":[{)") != std::string_view::npos;
  return Answer{frame.bytes, frame.status == 200 && !partly ? Outcome::done : Outcome::failed, frame.body};
}

void SqsDialect::keep(const Answer& answer, Request& request) const {
  if (request.operation == Operation::remove) {
    request.receipt.clear();
  }
  if (request.operation != Operation::receive) {
    return;
  }
  request.receipt = text_behind(answer.body, R"("ReceiptHandle":")");
  request.count = request.receipt.empty() ? 0 : 1;
  // A body that was never sent is no message's; the check says so.
  const auto number = message_number_of(text_behind(answer.body, R"("Body":")"));
  request.items[0].id = number.value_or(UINT64_MAX);
}

Status SqsDialect::check_sent(uint64_t number, const json::Value& answer) const {
  OutBuffer text;
  add_message_text(text, options_.corrupt_expectation ? number + 1 : number, options_.message_bytes);
  WAYBILL_TRY(check_digest(text.view(), member(answer, "MD5OfMessageBody")));
  return member(answer, "MessageId").empty() ? Status(invalid("no MessageId")) : Status();
}

Status SqsDialect::check_entries(const Request& request, const json::Value& answer) const {
  const auto entries = answer.find("Successful");
  if (!entries || !entries->is_array() || entries->size() != request.count) {
    return invalid("expected " + std::to_string(request.count) + " entries that succeeded");
  }
  json::Elements elements(*entries);
  for (uint32_t i = 0; elements.next(); ++i) {
    if (!elements.value().is_object() || member(elements.value(), "Id") != std::to_string(i)) {
      return invalid("entry " + std::to_string(i) + " is not in its place");
    }
    WAYBILL_TRY(check_sent(request.items[0].id + i, elements.value()));
  }
  return {};
}

Status SqsDialect::check_received(const Request& request, const json::Value& answer) const {
  const auto messages = answer.find("Messages");
  const auto count = messages && messages->is_array() ? messages->size() : 0;
  if (count != request.count) {
    return invalid("expected " + std::to_string(request.count) + " messages, got " + std::to_string(count));
  }
  if (count == 0) {
    return {};
  }
  json::Elements elements(*messages);
  elements.next();
  const auto& message = elements.value();
  if (!message.is_object() || member(message, "ReceiptHandle") != request.receipt ||
      options_.corrupt_expectation) {
    return invalid("the receipt is another one");
  }
  WAYBILL_TRY(check_message_text(member(message, "Body")));
  return check_digest(member(message, "Body"), member(message, "MD5OfBody"));
}

Result<std::vector<FoundItem>> SqsDialect::read_items(const Request& request, std::string_view body) {
  if (request.operation == Operation::remove && body.empty() && !options_.corrupt_expectation) {
    return std::vector<FoundItem>();
  }
  WAYBILL_TRY_ASSIGN(const auto answer, parser_.parse_copy(body));
  if (!answer.is_object()) {
    return invalid("the answer is no object");
  }
  switch (request.operation) {
    case Operation::load:
      WAYBILL_TRY(check_entries(request, answer));
      break;
    case Operation::receive:
      WAYBILL_TRY(check_received(request, answer));
      break;
    case Operation::remove:
      if (answer.size() != (options_.corrupt_expectation ? 1U : 0U)) {
        return invalid("expected {}");
      }
      break;
    default:
      WAYBILL_TRY(check_sent(request.items[0].id, answer));
  }
  return std::vector<FoundItem>();
}

}  // namespace waybill::load
