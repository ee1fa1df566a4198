#include "load/jobs_dialect.h"

#include <charconv>
#include <utility>

#include "load/http_frame.h"

namespace waybill::load {
namespace {

constexpr std::string_view key_prefix = R"("idempotency_key":"run-)";
constexpr uint64_t workspaces = 100;
constexpr uint64_t users = 1000;
constexpr uint64_t tags = 50;
// Longer than any run.
constexpr std::string_view lease = R"(,"lease_s":3600})";

// What stands behind `name` up to the next quote; empty where it is not there.
std::string_view text_behind(std::string_view body, std::string_view name) {
  const auto at = body.find(name);
  if (at == body.npos) {
    return {};
  }
  const auto rest = body.substr(at + name.size());
  return rest.substr(0, rest.find('"'));
}

Status check_text(const json::Value& record, std::string_view name, std::string_view expected) {
  const auto found = record.find(name);
  const bool same = found && found->is_string() && found->string() == expected;
  return same ? Status() : invalid(std::string(name) + " is not " + std::string(expected));
}

Status check_count(std::string_view body, std::string_view name, uint64_t expected) {
  const auto text = '"' + std::string(name) + "\":" + std::to_string(expected);
  const auto at = body.find(text);
  const bool same =
      at != body.npos && body.find_first_not_of("0123456789", at + text.size()) == at + text.size();
  return same ? Status() : invalid(std::string(name) + " is not " + std::to_string(expected));
}

}  // namespace

JobsDialect::JobsDialect(const DialectOptions& options)
    : options_(options),
      are_images_(options.table.starts_with("image-service/")),
      path_("/v1/" + options.table) {
  head_rest_ = " HTTP/1.1\r\nHost: " + options.target.host + ":" + std::to_string(options.target.port) +
               "\r\nAuthorization: Bearer bench:bench\r\nContent-Type: application/json\r\nContent-Length: ";
}

void JobsDialect::add_job(uint64_t number) {
  const auto n = static_cast<int64_t>(number);
  body_.add(R"({"workspace_id":"workspace-)").add_number(n % static_cast<int64_t>(workspaces));
  body_.add(R"(","user_id":"user-)").add_number(n % static_cast<int64_t>(users));
  body_.add(R"(","workflow_id":"resize-and-describe","trigger_type":"manual",)")
      .add(key_prefix)
      .add_number(n);
  body_.add(R"(","steps_total":)").add_number(job_steps).add(R"(,"credits_estimate":6})");
}

// Each user has images with every tag, and with every two tags that are neighbours.
void JobsDialect::add_image(uint64_t number) {
  const auto n = static_cast<int64_t>(number);
  const auto tag = static_cast<int64_t>(number / users % tags);
  body_.add(R"({"userId":"user-)").add_number(n % static_cast<int64_t>(users));
  body_.add(R"(","originalFilename":"IMG_)").add_number(n);
  body_.add(R"(.jpg","mimeType":"image/jpeg","fileSize":)").add_number(200'000 + n % 1'000'000);
  body_.add(R"(,"title":"A quiet harbour at dawn","tags":["tag-)").add_number(tag);
  body_.add(R"(","tag-)").add_number((tag + 1) % static_cast<int64_t>(tags));
  body_.add(R"(","tag-)").add_number((tag + 7) % static_cast<int64_t>(tags)).add(R"("]})");
}

void JobsDialect::add_body(const Request& request) {
  switch (request.operation) {
    case Operation::create_job:
      return are_images_ ? add_image(request.items[0].id) : add_job(request.items[0].id);
    case Operation::claim:
      body_.add(R"({"worker":"bench","max":1,"wait_s":)").add_number(request.wait_seconds).add(lease);
      return;
    case Operation::step:
      body_.add(R"({"lease":")").add(request.receipt).add(R"(","step":)").add_number(request.steps_done);
      body_.add(R"(,"fields":{"trace_id":"step )").add_number(request.steps_done + 1);
      body_.add(R"( of 3 has left this"},"spend":{"credits":2}})");
      return;
    case Operation::finish:
      body_.add(R"({"lease":")").add(request.receipt).add('"');
      if (request.steps_done < job_steps) {  // it ends earlier, and says so
        body_.add(R"(,"fields":{"steps_total":)").add_number(request.steps_done).add('}');
      }
      body_.add('}');
      return;
    default:
      return;
  }
}

std::string_view JobsDialect::verb_of(Operation operation) const {
  switch (operation) {
    case Operation::claim:
      return ":claim";
    case Operation::step:
      return ":step";
    case Operation::finish:
      return ":finish";
    default:
      return "";
  }
}

void JobsDialect::add_path(const Request& request, OutBuffer& out) const {
  out.add(path_);
  if (request.operation == Operation::step || request.operation == Operation::finish) {
    out.add('/').add(request.job);
  }
  out.add(verb_of(request.operation));
}

std::string_view JobsDialect::write_batch(std::span<const Request* const> requests) {
  out_.clear();
  body_.clear();
  body_.add(R"({"requests":)");
  char before = '[';
  for (const Request* const request : requests) {
    body_.add(std::exchange(before, ',')).add(R"({"path":")");
    add_path(*request, body_);
    body_.add(R"(","body":)");
    add_body(*request);
    body_.add('}');
  }
  body_.add("]}");
  out_.add("POST /v1/batch").add(head_rest_).add_number(static_cast<int64_t>(body_.size()));
  out_.add("\r\n\r\n").add(body_.view());
  return out_.view();
}

std::vector<Answer> JobsDialect::split_batch(std::string_view body) {
  constexpr std::string_view opening = R"({"responses":[)";
  std::vector<Answer> answers;
  if (!body.starts_with(opening)) {
    return answers;
  }
  std::size_t begin = opening.size();
  int depth = 0;
  for (std::size_t at = begin; at < body.size(); ++at) {
    const char c = body[at];
    if (c == '"') {
      for (++at; at < body.size() && body[at] != '"'; ++at) {
        at += body[at] == '\\' ? 1 : 0;
      }
    } else if (c == '{' && depth++ == 0) {
      begin = at;
    } else if (c == '}' && --depth == 0) {
      const auto one = body.substr(begin, at + 1 - begin);
      const bool good = one.starts_with(R"({"status":200)") || one.starts_with(R"({"status":201)");
      constexpr std::string_view of_body = R"("body":)";
      const auto inside = one.find(of_body);
      const auto text = inside == one.npos
                            ? std::string_view()
                            : one.substr(inside + of_body.size(), one.size() - 1 - inside - of_body.size());
      answers.push_back({one.size(), good ? Outcome::done : Outcome::failed, text});
    }
  }
  return answers;
}

std::string_view JobsDialect::write(const Request& request) {
  out_.clear();
  body_.clear();
  if (request.operation == Operation::ask) {
    out_.add("GET ").add(request.job);
  } else {
    add_body(request);
    out_.add("POST ");
    add_path(request, out_);
  }
  out_.add(head_rest_).add_number(static_cast<int64_t>(body_.size())).add("\r\n\r\n").add(body_.view());
  return out_.view();
}

Result<Answer> JobsDialect::read(const Request&, std::string_view received) {
  WAYBILL_TRY_ASSIGN(const auto frame, read_http_frame(received, chunks_));
  if (frame.bytes == 0) {
    return Answer{};
  }
  const bool good = frame.status == 200 || frame.status == 201;
  return Answer{frame.bytes, good ? Outcome::done : Outcome::failed, frame.body};
}

void JobsDialect::keep(const Answer& answer, Request& request) const {
  if (request.operation == Operation::step) {
    ++request.steps_done;
  }
  if (request.operation != Operation::claim) {
    return;
  }
  request.job = text_behind(answer.body, R"("id":")");
  request.receipt = text_behind(answer.body, R"("token":")");
  request.steps_done = 0;
  request.count = request.receipt.empty() ? 0 : 1;
  const auto number = text_behind(answer.body, key_prefix);
  std::from_chars(number.data(), number.data() + number.size(), request.items[0].id);
}

Result<std::vector<FoundItem>> JobsDialect::read_items(const Request& request, std::string_view body) {
  const auto wrong = options_.corrupt_expectation ? 1U : 0U;
  WAYBILL_TRY_ASSIGN(const auto answer, parser_.parse_copy(body));
  if (!answer.is_object()) {
    return invalid("the answer is no object");
  }
  switch (request.operation) {
    case Operation::create_job:
      if (are_images_) {
        WAYBILL_TRY(check_text(answer, "processingStatus", wrong == 0 ? "pending" : "completed"));
        break;
      }
      WAYBILL_TRY(check_text(answer, "status", "queued"));
      WAYBILL_TRY(
          check_text(answer, "idempotency_key", "run-" + std::to_string(request.items[0].id + wrong)));
      break;
    case Operation::step:
      WAYBILL_TRY(check_text(answer, "status", "running"));
      WAYBILL_TRY(check_count(body, "step_cursor", request.steps_done + wrong));
      break;
    case Operation::finish:
      WAYBILL_TRY(check_text(answer, "status", wrong == 0 ? "completed" : "running"));
      break;
    default:
      break;
  }
  return std::vector<FoundItem>();
}

}  // namespace waybill::load
