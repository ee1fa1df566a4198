#include "api/jobs/call.h"

#include "api/jobs/problem.h"
#include "api/jobs/record_json.h"
#include "job/etag.h"

namespace waybill::api::jobs {
namespace {

bool may_know(const access::Policy& policy, const std::string& contract) {
  return policy.may(access::Verb::read, contract) || policy.may(access::Verb::write, contract);
}

}  // namespace

job::Target Call::target(std::string_view why) const {
  auto made = target_;
  made.author.why = why;
  return made;
}

store::Author Call::author_as(std::string_view actor) const {
  auto author = target_.author;
  author.name = author_name(access_key_id_, actor);
  return author;
}

std::vector<rules::DeployedPtr> Call::contracts() const {
  auto known = services_->all_contracts();
  if (policy_) {
    std::erase_if(known, [&](const auto& each) { return !may_know(*policy_, each->contract.name); });
  }
  return known;
}

std::string author_name(std::string_view access_key_id, std::string_view actor) {
  if (actor.empty()) {
    return std::string(access_key_id);
  }
  if (access_key_id == "anonymous") {
    return std::string(actor);
  }
  return std::string(access_key_id).append("/").append(actor);
}

// The store says only what it is about.
void Call::fail(const Error& error) {
  if (error.kind == ErrorKind::access_denied && error.message.empty()) {
    answer(problem_response({error.kind, "The key's policy does not allow records of somebody else.", {}}));
    return;
  }
  answer(problem_response(error));
}

http::Response json_response(int status) {
  http::Response response;
  response.status = status;
  response.content_type = "application/json";
  return response;
}

http::Response record_response(const Call& call, item::ItemView record, int status) {
  auto response = json_response(status);
  const auto& subject = call.subject();
  append_record(response.body, *subject.contract, *subject.kind, record);
  response.headers.emplace_back("ETag", "\"" + job::etag_of(subject, record) + "\"");
  return response;
}

http::Response changed_response(const Call& call, const job::Changed& changed) {
  auto response = record_response(call, changed.record.view());
  if (changed.repeated) {
    response.headers.emplace_back("Idempotency-Replayed", "true");
  }
  return response;
}

Result<std::optional<std::string>> read_if_match(const http::Request& request) {
  const auto text = request.header("if-match");
  if (text.empty() || text == "*") {
    return std::optional<std::string>();
  }
  if (text.size() < 2 || text.front() != '"' || text.find('"', 1) != text.size() - 1) {
    return Error{ErrorKind::malformed, "If-Match must be one entity tag in quotes, as ETag has it, or *",
                 "If-Match"};
  }
  return std::optional(std::string(text.substr(1, text.size() - 2)));
}

}  // namespace waybill::api::jobs
