#include "api/jobs/access.h"

#include <memory>
#include <utility>

#include "access/policy.h"
#include "rules/deployed.h"
#include "table/key.h"

namespace waybill::api::jobs {
namespace {

Error denied(const Operation& operation, const job::Subject& subject) {
  return Error{ErrorKind::access_denied,
               "The key's policy does not allow " + std::string(operation.name) +
                   " for records of the contract " + subject.contract->contract.name + ".",
               {}};
}

// Operations that take records as they come, or tell of all of them.
bool is_about_everybody(const Operation& operation) {
  return &operation == &claim || &operation == &replay_many || &operation == &changes_of_records;
}

std::optional<std::string> text_of(item::ItemView fields, const std::string& name) {
  const auto value = fields.find(name);
  const bool has_text = value && (value->type() == item::Type::string || value->type() == item::Type::number);
  return has_text ? std::optional(std::string(value->bytes())) : std::nullopt;
}

// The partition key as far as it is made of fields that are given.
void add_partition_key(const job::Subject& subject, const table::Table& table, item::Item& item) {
  const auto& name = table.key.partition.name;
  const auto made = subject.record().key.find(name);
  if (made == subject.record().key.end() || item.view().find(name)) {
    return;
  }
  const auto text = made->second.render([&](const std::string& field) {
    auto parameter = rules::parameter(subject.contract->contract, field);
    return parameter ? parameter : text_of(item.view(), field);
  });
  if (text) {
    item::append_name(item.encoded, name);
    item::append_scalar(item.encoded, item::Type::string, *text);
  }
}

}  // namespace

Result<access::ReachPtr> reach_of(const http::VerifiedPrincipal& principal, const Operation& operation,
                                  const job::Subject& subject) {
  if (principal.policy() == nullptr || !subject.contract) {
    return access::ReachPtr();
  }
  const auto verb = operation.method == "GET" ? access::Verb::read : access::Verb::write;
  auto reach = principal.policy()->of_contract(verb, subject.contract->contract.name);
  if (reach.is_nothing() || (!reach.is_everything() && is_about_everybody(operation))) {
    return denied(operation, subject);
  }
  return reach.is_everything() ? access::ReachPtr() : std::make_shared<const access::Reach>(std::move(reach));
}

Status check_target(const Services& services, const access::Reach& reach, const job::Target& target) {
  const Error not_there{
      ErrorKind::not_found, "There is no " + target.subject.record().name + " \"" + target.id + "\".", {}};
  const auto table = services.jobs.store.find_table(target.subject.contract->table);
  WAYBILL_TRY_ASSIGN(const auto key,
                     rules::key_of_id(*target.subject.contract, *target.subject.kind, target.id));
  if (!table) {
    return not_there;
  }
  WAYBILL_TRY_ASSIGN(const auto found,
                     services.jobs.store.get(*table, table::primary_key(table->key, key.view())));
  return found && reach.covers(*table, found->item.view()) ? Status() : Status(not_there);
}

Status check_new(const access::Reach& reach, const job::Subject& subject, const table::Table& table,
                 item::ItemView fields) {
  item::Item item{std::string(fields.encoded())};
  add_partition_key(subject, table, item);
  if (item.view().find(table.key.partition.name) && reach.covers(table, item.view())) {
    return {};
  }
  return Error{ErrorKind::access_denied, "The key's policy does not allow records of somebody else.", {}};
}

Status check_change(const access::Reach& reach, const json::Value& fields) {
  for (const auto name : reach.attributes()) {
    if (fields.is_object() && fields.find(name)) {
      return Error{ErrorKind::access_denied,
                   "The key's policy goes by \"" + std::string(name) + "\": it is not changed with this key.",
                   {}};
    }
  }
  return {};
}

}  // namespace waybill::api::jobs
