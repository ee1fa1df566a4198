#include "client/job.h"

#include "http/uri.h"

namespace waybill::client {
namespace {

Error no_claim() {
  return Error{ErrorKind::malformed, "the server's answer to a claim cannot be read: is it Waybill?", {}};
}

}  // namespace

Result<std::optional<Job>> Job::read(std::string_view records, std::string_view body) {
  Job job;
  job.parser_ = std::make_unique<json::Parser>();
  const auto root = job.parser_->parse_copy(body);
  const auto jobs = root && root->is_object() ? root->find("jobs") : std::nullopt;
  if (!jobs || !jobs->is_array()) {
    return no_claim();
  }
  json::Elements each(*jobs);
  if (!each.next()) {
    return std::optional<Job>();
  }
  if (!each.value().is_object()) {
    return no_claim();
  }
  const auto id = each.value().find("id");
  const auto record = each.value().find("record");
  const auto lease = each.value().find("lease");
  const auto token = lease && lease->is_object() ? lease->find("token") : std::nullopt;
  const auto attempt = each.value().find("attempt");
  if (!id || !id->is_string() || !record || !record->is_object() || !token || !token->is_string()) {
    return no_claim();
  }
  job.id_ = id->string();
  job.record_ = *record;
  job.lease_ = token->string();
  job.attempt_ = attempt && attempt->type() == json::Type::number ? attempt->integer().value_or(1) : 1;
  job.path_ = std::string(records) + "/";
  http::append_uri_encoded(job.path_, job.id_, false);
  return std::optional(std::move(job));
}

std::string_view Job::text(std::string_view field) const {
  const auto found = record_.find(field);
  return found && found->is_string() ? found->string() : std::string_view();
}

std::optional<int64_t> Job::integer(std::string_view field) const {
  const auto found = record_.find(field);
  return found && found->type() == json::Type::number ? found->integer() : std::nullopt;
}

}  // namespace waybill::client
