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

// What is known of every record of a tenant: the field that names him and, where it is made of that alone,
// the partition key. In its place stand bytes, which fit no limit of keys.
item::Item any_record_of(const job::Subject& subject, const table::Table& table, std::string_view tenant) {
  const auto& attribute = table.key.partition.name;
  const auto& field = subject.record().tenant->text;
  item::Item item;
  item::append_name(item.encoded, field);
  item::append_scalar(item.encoded, item::Type::string, tenant);
  const auto made = subject.record().key.find(attribute);
  std::optional<std::string> key;
  if (made != subject.record().key.end()) {
    key = made->second.render([&](const std::string& name) {
      auto parameter = rules::parameter(subject.contract->contract, name);
      return parameter || name != field ? parameter : std::optional(std::string(tenant));
    });
  }
  if (field != attribute) {
    item::append_name(item.encoded, attribute);
    item::append_scalar(item.encoded, key ? item::Type::string : item::Type::binary, key.value_or("?"));
  }
  return item;
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

Status check_target(const Services& services, const job::Target& target) {
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
  return found && target.reach->covers(*table, found->item.view()) ? Status() : Status(not_there);
}

Status check_tenant(const Services& services, const access::Reach& reach, const job::Subject& subject,
                    std::string_view tenant) {
  const auto table = services.jobs.store.find_table(subject.contract->table);
  const auto& field = subject.record().tenant;
  if (table && field && !tenant.empty() &&
      reach.covers(*table, any_record_of(subject, *table, tenant).view())) {
    return {};
  }
  return Error{ErrorKind::access_denied, "The key's policy does not allow to count records of others.", {}};
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
