#include "api/dynamodb/table_request.h"

#include "base/log.h"
#include "table/stream.h"

namespace waybill::api::dynamodb {
namespace {

constexpr std::size_t attribute_name_length_max = 255;
constexpr std::size_t key_elements_max = 2;
constexpr std::size_t projected_per_index_max = 20;

std::string member(const std::string& path, std::size_t index) {
  return path + "." + std::to_string(index + 1) + ".member";
}

std::string shown(const std::vector<GivenKeyElement>& key) {
  std::string text = "[";
  for (const auto& element : key) {
    text.append(text.size() == 1 ? "" : ", ").append("KeySchemaElement(attributeName=");
    text.append(element.name.value_or("null")).append(", keyType=").append(element.type.value_or("null"));
    text += ")";
  }
  return text + "]";
}

std::string shown(const std::vector<std::string_view>& names) {
  std::string text = "[";
  for (const auto name : names) {
    text.append(text.size() == 1 ? "" : ", ").append(name);
  }
  return text + "]";
}

void check_attribute_name(Constraints& constraints, const std::string& path,
                          const std::optional<std::string_view>& name) {
  constraints.not_null(path, name);
  constraints.length_min(path, name, 1);
  constraints.length_max(path, name, attribute_name_length_max);
}

std::optional<GivenProjection> read_projection(const Fields& fields) {
  const auto projection = fields.structure("Projection", "Projection");
  if (!projection) {
    return std::nullopt;
  }
  return GivenProjection{projection->string("ProjectionType"), projection->strings("NonKeyAttributes")};
}

void check_projection(Constraints& constraints, const std::string& path,
                      const std::optional<GivenProjection>& projection) {
  constraints.not_null(path, projection);
  if (!projection) {
    return;
  }
  constraints.one_of(path + ".projectionType", projection->type, {"ALL", "INCLUDE", "KEYS_ONLY"});
  if (!projection->attributes) {
    return;
  }
  const auto& names = *projection->attributes;
  if (names.empty()) {
    constraints.violated(path + ".nonKeyAttributes", "[]", length_at_least(1));
  }
  if (names.size() > projected_per_index_max) {
    constraints.violated(path + ".nonKeyAttributes", shown(names), length_at_most(projected_per_index_max));
  }
  for (const auto name : names) {
    if (name.empty() || name.size() > attribute_name_length_max) {
      constraints.violated(path + ".nonKeyAttributes", shown(names),
                           "Member must satisfy constraint: [Member must have length less than or equal to "
                           "255, Member must have length greater than or equal to 1]");
      break;
    }
  }
}

void check_index_name(Constraints& constraints, const std::string& path,
                      const std::optional<std::string_view>& name) {
  constraints.not_null(path, name);
  if (name && !name->empty()) {
    constraints.name_pattern(path, name);
  }
  constraints.length_min(path, name, name_length_min);
  constraints.length_max(path, name, name_length_max);
}

}  // namespace

GivenKeySchema read_key_schema(const Fields& fields) {
  const auto elements = fields.structures("KeySchema", "KeySchemaElement");
  if (!elements) {
    return std::nullopt;
  }
  std::vector<GivenKeyElement> key;
  for (const auto& element : *elements) {
    key.push_back(GivenKeyElement{element.string("AttributeName"), element.string("KeyType")});
  }
  return key;
}

GivenDefinitions read_definitions(const Fields& fields) {
  const auto elements = fields.structures("AttributeDefinitions", "AttributeDefinition");
  if (!elements) {
    return std::nullopt;
  }
  std::vector<GivenDefinition> definitions;
  for (const auto& element : *elements) {
    definitions.push_back(GivenDefinition{element.string("AttributeName"), element.string("AttributeType")});
  }
  return definitions;
}

GivenIndex read_index(const Fields& fields) {
  GivenIndex index;
  index.name = fields.string("IndexName");
  index.key = read_key_schema(fields);
  index.projection = read_projection(fields);
  index.throughput = read_throughput(fields);
  index.limits = read_limits(fields);
  index.warm = read_warm_throughput(fields);
  return index;
}

GivenIndexes read_indexes(const Fields& fields, std::string_view name, std::string_view type) {
  const auto elements = fields.structures(name, type);
  if (!elements) {
    return std::nullopt;
  }
  std::vector<GivenIndex> indexes;
  for (const auto& element : *elements) {
    indexes.push_back(read_index(element));
  }
  return indexes;
}

std::optional<GivenThroughput> read_throughput(const Fields& fields, std::string_view name) {
  const auto units = fields.structure(name, "ProvisionedThroughput");
  if (!units) {
    return std::nullopt;
  }
  return GivenThroughput{units->long_integer("ReadCapacityUnits"), units->long_integer("WriteCapacityUnits")};
}

std::optional<table::WantedLimits> read_limits(const Fields& fields, std::string_view name) {
  const auto limits = fields.structure(name, "OnDemandThroughput");
  if (!limits) {
    return std::nullopt;
  }
  return table::WantedLimits{limits->long_integer("MaxReadRequestUnits"),
                             limits->long_integer("MaxWriteRequestUnits")};
}

std::optional<GivenWarmThroughput> read_warm_throughput(const Fields& fields) {
  const auto warm = fields.structure("WarmThroughput", "WarmThroughput");
  if (!warm) {
    return std::nullopt;
  }
  return GivenWarmThroughput{warm->long_integer("ReadUnitsPerSecond"),
                             warm->long_integer("WriteUnitsPerSecond")};
}

std::optional<GivenEncryption> read_encryption(const Fields& fields, std::string_view name) {
  const auto encryption = fields.structure(name, "SSESpecification");
  if (!encryption) {
    return std::nullopt;
  }
  return GivenEncryption{encryption->boolean("Enabled"), encryption->string("SSEType"),
                         encryption->string("KMSMasterKeyId")};
}

std::optional<GivenStream> read_stream(const Fields& fields) {
  const auto stream = fields.structure("StreamSpecification", "StreamSpecification");
  if (!stream) {
    return std::nullopt;
  }
  return GivenStream{stream->boolean("StreamEnabled"), stream->string("StreamViewType")};
}

void check_stream_view(Constraints& constraints, const GivenStream& stream) {
  constraints.one_of("streamSpecification.streamViewType", stream.view_type,
                     {"NEW_IMAGE", "OLD_IMAGE", "NEW_AND_OLD_IMAGES", "KEYS_ONLY"});
}

Result<table::StreamSettings> take_stream(const GivenStream& stream) {
  table::StreamSettings settings;
  settings.enabled = true;
  if (!stream.view_type) {
    return table::invalid_parameter(
        "Table is being created with a stream enabled, UpdateViewType must be specified");
  }
  const auto view = table::stream_view_of(*stream.view_type);
  WAYBILL_CHECK(view.has_value());
  settings.view = *view;
  return settings;
}

void check_key_schema(Constraints& constraints, const std::string& path, const GivenKeySchema& key) {
  constraints.not_null(path, key);
  if (!key) {
    return;
  }
  if (key->empty()) {
    constraints.violated(path, "[]", length_at_least(1));
  }
  if (key->size() > key_elements_max) {
    constraints.violated(path, shown(*key), length_at_most(key_elements_max));
  }
  for (std::size_t i = 0; i < key->size(); ++i) {
    check_attribute_name(constraints, member(path, i) + ".attributeName", (*key)[i].name);
    constraints.not_null(member(path, i) + ".keyType", (*key)[i].type);
    constraints.one_of(member(path, i) + ".keyType", (*key)[i].type, {"HASH", "RANGE"});
  }
}

void check_definitions(Constraints& constraints, const GivenDefinitions& definitions) {
  const std::string path = "attributeDefinitions";
  for (std::size_t i = 0; definitions && i < definitions->size(); ++i) {
    const auto& definition = (*definitions)[i];
    check_attribute_name(constraints, member(path, i) + ".attributeName", definition.name);
    constraints.not_null(member(path, i) + ".attributeType", definition.type);
    constraints.one_of(member(path, i) + ".attributeType", definition.type, {"B", "N", "S"});
  }
}

void check_throughput(Constraints& constraints, const std::string& path,
                      const std::optional<GivenThroughput>& throughput) {
  if (!throughput) {
    return;
  }
  constraints.not_null(path + ".writeCapacityUnits", throughput->write_units);
  constraints.value_min(path + ".writeCapacityUnits", throughput->write_units, 1);
  constraints.not_null(path + ".readCapacityUnits", throughput->read_units);
  constraints.value_min(path + ".readCapacityUnits", throughput->read_units, 1);
}

void check_local_index(Constraints& constraints, const std::string& path, const GivenIndex& index) {
  check_index_name(constraints, path + ".indexName", index.name);
  check_key_schema(constraints, path + ".keySchema", index.key);
  check_projection(constraints, path + ".projection", index.projection);
}

void check_global_index(Constraints& constraints, const std::string& path, const GivenIndex& index) {
  check_key_schema(constraints, path + ".keySchema", index.key);
  check_projection(constraints, path + ".projection", index.projection);
  check_throughput(constraints, path + ".provisionedThroughput", index.throughput);
  check_index_name(constraints, path + ".indexName", index.name);
}

std::vector<table::KeyElement> take_key(const GivenKeySchema& key) {
  std::vector<table::KeyElement> elements;
  for (const auto& element : *key) {
    elements.push_back(table::KeyElement{std::string(*element.name), *element.type == "RANGE"});
  }
  return elements;
}

std::vector<table::KeyAttribute> take_definitions(const GivenDefinitions& definitions) {
  std::vector<table::KeyAttribute> attributes;
  for (std::size_t i = 0; definitions && i < definitions->size(); ++i) {
    const auto& [name, type] = (*definitions)[i];
    attributes.push_back(table::KeyAttribute{std::string(*name), *type == "N"   ? item::Type::number
                                                                 : *type == "B" ? item::Type::binary
                                                                                : item::Type::string});
  }
  return attributes;
}

std::optional<table::CapacityUnits> take_throughput(const std::optional<GivenThroughput>& throughput) {
  if (!throughput) {
    return std::nullopt;
  }
  return table::CapacityUnits{*throughput->read_units, *throughput->write_units};
}

table::WantedIndex take_index(const GivenIndex& given) {
  table::WantedIndex index;
  index.name = *given.name;
  index.key = take_key(given.key);
  const auto& projection = *given.projection;
  if (projection.type) {
    index.projection.kind = *projection.type == "ALL"       ? table::ProjectionKind::all
                            : *projection.type == "INCLUDE" ? table::ProjectionKind::include
                                                            : table::ProjectionKind::keys_only;
  }
  if (projection.attributes) {
    index.projection.attributes.emplace(projection.attributes->begin(), projection.attributes->end());
  }
  index.throughput = take_throughput(given.throughput);
  index.limits = given.limits;
  return index;
}

Result<table::Encryption> take_encryption(const GivenEncryption& given) {
  if (!given.enabled.value_or(false)) {
    if (given.type || given.key_id) {
      return table::invalid_parameter(std::string(given.type ? "SSEType" : "KMSMasterKeyId") +
                                      " can not be specified if Enabled is false");
    }
    return table::Encryption();
  }
  if (given.type && *given.type != "KMS") {
    return table::invalid_parameter("SSEType " + std::string(*given.type) + " is not supported");
  }
  return table::Encryption{true, std::string(given.key_id.value_or(""))};
}

void warn_of_plain_data(std::string_view table_name) {
  log_warning("table " + std::string(table_name) +
              " asks for encryption at rest, which is noted only: this server was started without "
              "--encryption-key-file and keeps all data unencrypted");
}

Status check_warm_throughput(const std::optional<GivenWarmThroughput>& warm, table::BillingMode billing,
                             const std::optional<table::CapacityUnits>& units) {
  if (!warm) {
    return {};
  }
  const bool on_demand = billing == table::BillingMode::pay_per_request;
  const int64_t reads = on_demand ? table::on_demand_warm_reads : units ? units->read : 0;
  const int64_t writes = on_demand ? table::on_demand_warm_writes : units ? units->write : 0;
  if (warm->read_units.value_or(reads) != reads || warm->write_units.value_or(writes) != writes) {
    return invalid("WarmThroughput other than the default of " + std::to_string(reads) +
                   " ReadUnitsPerSecond and " + std::to_string(writes) +
                   " WriteUnitsPerSecond is not available yet");
  }
  return {};
}

}  // namespace waybill::api::dynamodb
