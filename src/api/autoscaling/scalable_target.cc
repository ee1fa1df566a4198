#include "api/autoscaling/scalable_target.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "api/autoscaling/errors.h"

namespace waybill::api::autoscaling {
namespace {

using dynamodb::Constraints;

constexpr std::string_view table_mark = "table/";
constexpr std::string_view index_mark = "/index/";
constexpr std::size_t names_at_once = 1000;

struct Dimension {
  std::string_view name;
  bool is_index;
  bool is_reads;
};

constexpr Dimension dimensions[] = {{"dynamodb:table:ReadCapacityUnits", false, true},
                                    {"dynamodb:table:WriteCapacityUnits", false, false},
                                    {"dynamodb:index:ReadCapacityUnits", true, true},
                                    {"dynamodb:index:WriteCapacityUnits", true, false}};

void add_targets(std::vector<Target>& targets, const TargetName& name, const table::Scaling& scaling) {
  if (scaling.reads) {
    targets.push_back({{name.table, name.index, true}, *scaling.reads});
  }
  if (scaling.writes) {
    targets.push_back({{name.table, name.index, false}, *scaling.writes});
  }
}

void add_targets(std::vector<Target>& targets, const table::Table& table) {
  add_targets(targets, {table.name, {}, false}, table.scaling);
  for (const auto& index : table.indexes) {
    add_targets(targets, {table.name, index.name, false}, index.scaling);
  }
}

}  // namespace

std::string TargetName::resource_id() const {
  std::string id(table_mark);
  id.append(table);
  return index.empty() ? id : id.append(index_mark).append(index);
}

std::string_view TargetName::dimension() const {
  const auto found = std::ranges::find_if(dimensions, [&](const Dimension& one) {
    return one.is_index == !index.empty() && one.is_reads == is_reads;
  });
  return found->name;
}

std::string_view TargetName::metric() const {
  return is_reads ? "DynamoDBReadCapacityUtilization" : "DynamoDBWriteCapacityUtilization";
}

std::string TargetName::in_words() const {
  return "service namespace: dynamodb, resource ID: " + resource_id() +
         ", scalable dimension: " + std::string(dimension());
}

TargetFields TargetFields::read(const dynamodb::Fields& fields) {
  return {fields.string("ServiceNamespace"), fields.string("ResourceId"), fields.string("ScalableDimension")};
}

void check_namespace(Constraints& constraints, const std::optional<std::string_view>& given) {
  constraints.not_null("serviceNamespace", given);
  constraints.one_of("serviceNamespace", given, {"dynamodb"});
}

void TargetFields::check_present(Constraints& constraints) const {
  check_namespace(constraints, service_namespace);
  constraints.not_null("resourceId", resource_id);
  constraints.length_min("resourceId", resource_id, 1);
  constraints.not_null("scalableDimension", dimension);
  constraints.one_of("scalableDimension", dimension,
                     {dimensions[0].name, dimensions[1].name, dimensions[2].name, dimensions[3].name});
}

Result<TargetName> TargetFields::name() const {
  const auto found = std::ranges::find(dimensions, *dimension, &Dimension::name);
  std::string_view rest = *resource_id;
  TargetName name;
  if (found != std::end(dimensions) && rest.starts_with(table_mark)) {
    rest.remove_prefix(table_mark.size());
    const auto index_at = rest.find(index_mark);
    name.table = rest.substr(0, index_at);
    name.index = index_at == std::string_view::npos ? "" : rest.substr(index_at + index_mark.size());
    name.is_reads = found->is_reads;
    const bool names_index = index_at != std::string_view::npos;
    if (names_index == found->is_index && !name.table.empty() && names_index == !name.index.empty()) {
      return name;
    }
  }
  return invalid("Unsupported service namespace, resource type or scalable dimension");
}

std::optional<table::ScalingBounds>* find_bounds(table::Table& table, const TargetName& name) {
  if (name.index.empty()) {
    return name.is_reads ? &table.scaling.reads : &table.scaling.writes;
  }
  const auto index = std::ranges::find_if(table.indexes, [&](const table::Index& one) {
    return one.kind == table::IndexKind::global && one.name == name.index;
  });
  if (index == table.indexes.end()) {
    return nullptr;
  }
  return name.is_reads ? &index->scaling.reads : &index->scaling.writes;
}

std::vector<Target> all_targets(const store::Store& store) {
  std::vector<Target> targets;
  std::string after;
  for (auto names = store.list_tables(after, names_at_once); !names.empty();
       names = store.list_tables(after, names_at_once)) {
    for (const auto& name : names) {
      if (const auto table = store.find_table(name)) {
        add_targets(targets, *table);
      }
    }
    after = names.back();
  }
  return targets;
}

Error no_target(std::string_view how, const TargetName& name) {
  return Error{
      ErrorKind::not_found, "No scalable target " + std::string(how) + " for " + name.in_words(), {}};
}

std::string target_arn(const dynamodb::Services& services, const table::ScalingBounds& bounds) {
  return "arn:aws:application-autoscaling:" + services.region + ":" + services.account_id +
         ":scalable-target/" + bounds.id;
}

std::string policy_arn(const dynamodb::Services& services, const TargetName& name,
                       const table::ScalingPolicy& policy) {
  return "arn:aws:autoscaling:" + services.region + ":" + services.account_id +
         ":scalingPolicy:" + policy.id + ":resource/dynamodb/" + name.resource_id() + ":policyName/" +
         policy.name;
}

void change_bounds(dynamodb::Call call, BoundsChange change, const Error& missing) {
  auto& store = call.store();
  const std::string table_name = change.name.table;
  if (const auto admitted = store.may_know(table_name); !admitted) {
    fail(std::move(call), admitted.error());
    return;
  }
  if (!dynamodb::is_name(table_name) || !store.find_table(table_name)) {
    fail(std::move(call), missing);
    return;
  }
  const TargetName name = change.name;
  auto done = [call = std::move(call), name, missing,
               render = std::move(change.render)](Result<table::TablePtr> outcome) mutable {
    dynamodb::Call::resume(std::move(call), [name, missing, render = std::move(render),
                                             outcome = std::move(outcome)](dynamodb::Call back) mutable {
      if (!outcome) {
        fail(std::move(back), outcome.error());
        return;
      }
      table::Table table = **outcome;
      const auto& services = back.services();
      back.answer(render(services, *find_bounds(table, name)));
    });
  };
  store.change_table(
      table_name,
      [name, missing,
       change = std::move(change.change)](const table::Table& current) mutable -> Result<table::Table> {
        table::Table table = current;
        auto* bounds = find_bounds(table, name);
        if (bounds == nullptr) {
          return missing;
        }
        WAYBILL_TRY(change(*bounds));
        return table;
      },
      std::move(done));
}

}  // namespace waybill::api::autoscaling
