#include "api/jobs/service.h"

#include <algorithm>
#include <set>
#include <utility>

#include "api/jobs/access.h"
#include "api/jobs/batch.h"
#include "api/jobs/batch_answers.h"
#include "api/jobs/operations.h"
#include "api/jobs/problem.h"
#include "api/jobs/site.h"
#include "base/utf8.h"

namespace waybill::api::jobs {
namespace {

Error not_found(std::string message) {
  return Error{ErrorKind::not_found, std::move(message), {}};
}

std::string_view method_of(const http::Request& request) {
  return request.method == "HEAD" ? "GET" : request.method;
}

const Operation* find_operation(const Path& path, std::string_view method) {
  for (const Operation* const each : operations()) {
    if (each->shape == path.shape && each->verb == path.verb && each->method == method) {
      return each;
    }
  }
  return nullptr;
}

// What else is at a path whose method is none of its operations'.
http::Response no_operation(const Path& path) {
  std::set<std::string_view> methods;
  for (const Operation* const each : operations()) {
    if (each->shape == path.shape && each->verb == path.verb) {
      methods.insert(each->method);
    }
  }
  if (methods.empty()) {
    return problem_response(Error{
        ErrorKind::unknown_operation, "Nothing is at this path; GET /v1/openapi.json tells what is.", {}});
  }
  std::string allowed;
  for (const auto method : methods) {
    allowed.append(allowed.empty() ? "" : ", ").append(method);
  }
  auto response = problem_response({405, "method-not-allowed", "There is something else at this path"},
                                   invalid("This path takes " + allowed + " alone."));
  response.headers.emplace_back("Allow", std::move(allowed));
  return response;
}

Error malformed(std::string message, std::string field = {}) {
  return Error{ErrorKind::malformed, std::move(message), std::move(field)};
}

// A record has at most 400 KB, which are more as JSON; no request has more than one.
constexpr std::size_t body_bytes_max = 4 << 20;

// A page of another site can make a browser send requests, but not JSON without asking first.
Status check_type(const http::Request& request) {
  if (request.body.size() > body_bytes_max) {
    return Error{ErrorKind::too_large, "A body has at most 4 MB.", {}};
  }
  const auto type = request.header("content-type");
  const auto plain = type.substr(0, type.find(';'));
  const bool is_json = http::equals_ignoring_case(plain, "application/json") ||
                       http::equals_ignoring_case(plain, "application/merge-patch+json");
  if (!request.body.empty() && !is_json) {
    return malformed("Content-Type must be application/json.", "Content-Type");
  }
  if (request.header("sec-fetch-site") == "cross-site") {
    return Error{ErrorKind::access_denied, "Requests made by pages of other sites are not taken.", {}};
  }
  return {};
}

// Names and values of a URL are echoed and stored.
Status check_text(const Path& path, const Query& query) {
  bool is_text = is_utf8(path.contract) && is_utf8(path.record) && is_utf8(path.id);
  for (const auto& [name, value] : query.parameters()) {
    is_text = is_text && is_utf8(name) && is_utf8(value);
  }
  return is_text ? Status() : Status(malformed("The URL is not UTF-8."));
}

// The value lives until the thread's next request.
Result<json::Value> read_body(const http::Request& request, Document& document) {
  static const std::string empty = std::string("{}") + std::string(json::padding_bytes, ' ');
  auto parsed = document.parse(request.body.empty() ? std::string_view(empty).substr(0, 2) : request.body);
  if (!parsed) {
    const Error& error = parsed.error();
    return malformed("The body is not JSON: " + (error.message.empty() ? error.detail : error.message));
  }
  if (!parsed->is_object()) {
    return malformed("The body must be a JSON object.");
  }
  return parsed;
}

// The records that a path names.
Result<job::Subject> find_subject(const Services& services, const Path& path) {
  job::Subject subject;
  if (path.shape == Path::Shape::description || path.shape == Path::Shape::contracts) {
    return subject;
  }
  subject.contract = services.find_contract(path.contract);
  if (!subject.contract) {
    return not_found("There is no contract \"" + path.contract +
                     "\" in force; GET /v1/contracts lists them.");
  }
  if (path.shape == Path::Shape::contract) {
    return subject;
  }
  subject.kind = subject.contract->find(path.record);
  if (subject.kind == nullptr) {
    return not_found("The contract " + path.contract + " has no records \"" + path.record + "\".");
  }
  return subject;
}

Status check_applies(const Operation& operation, const job::Subject& subject) {
  if (subject.kind == nullptr || applies(operation, subject.record())) {
    return {};
  }
  return Error{ErrorKind::unknown_operation,
               "The contract " + subject.contract->contract.name + " says nothing of " +
                   std::string(operation.verb) + " for its records \"" + subject.record().name + "\".",
               {}};
}

Result<store::Author> read_author(const http::Request& request, const http::VerifiedPrincipal& principal) {
  const auto actor = request.header("waybill-actor");
  if (actor.size() > actor_bytes_max || !is_utf8(actor)) {
    return malformed("Waybill-Actor must have at most 200 bytes of UTF-8.", "Waybill-Actor");
  }
  store::Author author;
  author.name = author_name(principal.access_key_id(), actor);
  return author;
}

}  // namespace

void Service::handle(const http::Request& request, http::Responder responder) const {
  const auto principal = verifier_.verify_with_bearer(request);
  if (!principal) {
    responder.send(problem_response(principal.error()));
    return;
  }
  if (services_.accepts_anybody && !is_from_here(request)) {
    responder.send(problem_response(
        {ErrorKind::access_denied, "Without keys, pages of other sites are not served.", {}}));
    return;
  }
  dispatch(request, std::move(responder), *principal);
}

void Service::dispatch(const http::Request& request, http::Responder responder,
                       const http::VerifiedPrincipal& principal) const {
  thread_local Document document;
  auto path = parse_path(request.path);
  if (path.shape == Path::Shape::batch && request.method == "POST") {
    dispatch_batch(request, std::move(responder), principal, document);
  } else {
    dispatch_one({request, std::move(path), nullptr}, Reply(std::move(responder)), principal, document);
  }
}

void Service::dispatch_batch(const http::Request& request, http::Responder responder,
                             const http::VerifiedPrincipal& principal, Document& document) const {
  const auto requests = [&]() -> Result<std::vector<BatchedRequest>> {
    WAYBILL_TRY(check_type(request));
    WAYBILL_TRY_ASSIGN(const auto body, read_body(request, document));
    return read_batch(request, body);
  }();
  if (!requests) {
    responder.send(problem_response(requests.error()));
    return;
  }
  const auto answers = std::make_shared<BatchAnswers>(std::move(responder), requests->size());
  for (std::size_t place = 0; place < requests->size(); ++place) {
    const auto& one = (*requests)[place];
    dispatch_one({one.request, parse_path(one.request.path), &one.body}, Reply(answers, place), principal,
                 document);
  }
}

void Service::dispatch_one(Asked asked, Reply reply, const http::VerifiedPrincipal& principal,
                           Document& document) const {
  const auto& request = asked.request;
  auto& path = asked.path;
  const Operation* const operation = find_operation(path, method_of(request));
  if (operation == nullptr || operation->run == nullptr) {
    reply.send(operation == nullptr
                   ? no_operation(path)
                   : problem_response(malformed("A batch cannot be part of a batch.", "path")));
    return;
  }
  auto query = Query::parse(request.query);
  auto prepared = [&]() -> Result<std::pair<job::Target, json::Value>> {
    job::Target target;
    WAYBILL_TRY(check_type(request));
    WAYBILL_TRY(check_text(path, query));
    WAYBILL_TRY_ASSIGN(target.author, read_author(request, principal));
    WAYBILL_TRY_ASSIGN(target.subject, find_subject(services_, path));
    WAYBILL_TRY(check_applies(*operation, target.subject));
    json::Value body;
    if (asked.body_in_batch != nullptr) {
      body = *asked.body_in_batch;
    } else {
      WAYBILL_TRY_ASSIGN(body, read_body(request, document));
    }
    target.id = std::move(path.id);
    WAYBILL_TRY_ASSIGN(target.reach, reach_of(principal, *operation, target.subject));
    target.author.is_limited =
        target.reach && !principal.policy()->may(access::Verb::admin, target.subject.contract->contract.name);
    if (target.reach && path.shape == Path::Shape::record) {
      WAYBILL_TRY(check_target(services_, target));
      WAYBILL_TRY(check_change(*target.reach, body));
      WAYBILL_TRY(check_change(*target.reach, body.find("fields").value_or(body)));
    }
    return std::pair(std::move(target), body);
  }();
  if (!prepared) {
    reply.send(problem_response(prepared.error()));
    return;
  }
  auto& [target, body] = *prepared;
  const Input input{request, document, body, std::move(query)};
  operation->run(Call(services_, std::move(reply), principal, std::move(target)), input);
}

}  // namespace waybill::api::jobs
