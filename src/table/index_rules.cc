// The rules of table/create_rules.h that indexes of new and of existing tables share.
#include "table/create_rules.h"

#include <algorithm>

namespace waybill::table {
namespace {

using Definitions = std::vector<KeyAttribute>;

Status check_all_defined(const std::vector<std::string_view>& keys, const Definitions& definitions) {
  const auto defined = [&](std::string_view name) { return find_definition(definitions, name) != nullptr; };
  if (std::all_of(keys.begin(), keys.end(), defined)) {
    return {};
  }
  std::vector<std::string_view> names;
  for (const auto& attribute : definitions) {
    names.push_back(attribute.name);
  }
  return invalid_parameter("Some index key attributes are not defined in AttributeDefinitions. Keys: " +
                           listed(keys) + ", AttributeDefinitions: " + listed(names));
}

Status check_distinct(const std::vector<std::string>& names) {
  for (auto name = names.begin(); name != names.end(); ++name) {
    if (std::find(names.begin(), name, *name) != name) {
      return invalid_parameter("Duplicate element in NonKeyAttributes: " + *name);
    }
  }
  return {};
}

}  // namespace

const KeyAttribute* find_definition(const Definitions& definitions, std::string_view name) {
  const auto found = std::find_if(definitions.begin(), definitions.end(),
                                  [&](const KeyAttribute& attribute) { return attribute.name == name; });
  return found == definitions.end() ? nullptr : &*found;
}

void add_once(std::vector<std::string_view>& names, std::string_view name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) {
    names.push_back(name);
  }
}

std::string listed(const std::vector<std::string_view>& names) {
  std::string text = "[";
  for (const auto name : names) {
    text.append(text.size() == 1 ? "" : ", ").append(name);
  }
  return text + "]";
}

KeySchema make_key(const std::vector<KeyElement>& elements, const Definitions& definitions) {
  KeySchema key;
  key.partition = *find_definition(definitions, elements[0].name);
  if (elements.size() > 1) {
    key.sort = *find_definition(definitions, elements[1].name);
  }
  return key;
}

Error invalid_parameter(std::string_view what) {
  return invalid("One or more parameter values were invalid: " + std::string(what));
}

Status check_capacity(const CapacityUnits& units) {
  const auto out_of_bounds = [](int64_t value, std::string_view name) {
    return invalid("Given value " + std::to_string(value) + " for " + std::string(name) +
                   " is out of bounds");
  };
  if (units.read > capacity_units_max) {
    return out_of_bounds(units.read, "ReadCapacityUnits");
  }
  if (units.write > capacity_units_max) {
    return out_of_bounds(units.write, "WriteCapacityUnits");
  }
  return {};
}

Status check_key_shape(const std::vector<KeyElement>& key) {
  if (key[0].range) {
    return invalid("Invalid KeySchema: The first KeySchemaElement is not a HASH key type");
  }
  if (key.size() > 1 && key[0].name == key[1].name) {
    return invalid("Both the Hash Key and the Range Key element in the KeySchema have the same name");
  }
  if (key.size() > 1 && !key[1].range) {
    return invalid("Invalid KeySchema: The second KeySchemaElement is not a RANGE key type");
  }
  return {};
}

Status check_projection(const WantedProjection& projection) {
  if (!projection.kind) {
    return invalid_parameter("Unknown ProjectionType: null");
  }
  const bool include = *projection.kind == ProjectionKind::include;
  if (include && !projection.attributes) {
    return invalid_parameter("ProjectionType is INCLUDE, but NonKeyAttributes is not specified");
  }
  if (!include && projection.attributes) {
    return invalid_parameter(std::string("ProjectionType is ") +
                             (*projection.kind == ProjectionKind::all ? "ALL" : "KEYS_ONLY") +
                             ", but NonKeyAttributes is specified");
  }
  return projection.attributes ? check_distinct(*projection.attributes) : Status();
}

Status check_limits(const WantedLimits& limits, std::string_view subject) {
  const auto outside = [&](std::string_view name) {
    return invalid_parameter("Requested " + std::string(name) + " for OnDemandThroughput for " +
                             std::string(subject) + " is outside of valid range");
  };
  if (limits.read_units_max && *limits.read_units_max < 1) {
    return outside("MaxReadRequestUnits");
  }
  if (limits.write_units_max && *limits.write_units_max < 1) {
    return outside("MaxWriteRequestUnits");
  }
  return {};
}

Status check_defined(const std::vector<const WantedIndex*>& indexes, const Definitions& definitions) {
  std::vector<std::string_view> keys;
  for (const auto* index : indexes) {
    for (const auto& element : index->key) {
      add_once(keys, element.name);
    }
  }
  return check_all_defined(keys, definitions);
}

Status check_projected_count(const std::vector<Index>& indexes) {
  std::size_t count = 0;
  for (const auto& index : indexes) {
    count += index.projection.attributes.size();
  }
  if (count > projected_attributes_max) {
    return invalid_parameter("Number of NonKeyAttributes of all indexes exceeds the per-table limit of " +
                             std::to_string(projected_attributes_max));
  }
  return {};
}

std::optional<OnDemandLimits> make_limits(const std::optional<WantedLimits>& wanted) {
  if (!wanted) {
    return std::nullopt;
  }
  const OnDemandLimits limits{wanted->read_units_max.value_or(-1), wanted->write_units_max.value_or(-1)};
  const bool unlimited = limits.read_units_max < 0 && limits.write_units_max < 0;
  return unlimited ? std::nullopt : std::optional(limits);
}

Index make_index(const WantedIndex& wanted, IndexKind kind, const Definitions& definitions) {
  Index index;
  index.name = wanted.name;
  index.kind = kind;
  index.key = make_key(wanted.key, definitions);
  index.projection =
      Projection{*wanted.projection.kind, wanted.projection.attributes.value_or(std::vector<std::string>())};
  if (wanted.throughput) {
    index.throughput.read_units = wanted.throughput->read;
    index.throughput.write_units = wanted.throughput->write;
  }
  index.on_demand_limits = make_limits(wanted.limits);
  return index;
}

}  // namespace waybill::table
