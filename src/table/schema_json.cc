#include "table/schema_json.h"

namespace waybill::table {

void write_key_schema(json::Writer& out, const KeySchema& key) {
  const auto element = [&](std::string_view name, std::string_view type) {
    out.begin_object().key("AttributeName").string(name).key("KeyType").string(type).end_object();
  };
  out.key("KeySchema").begin_array();
  element(key.partition.name, "HASH");
  if (key.sort) {
    element(key.sort->name, "RANGE");
  }
  out.end_array();
}

void write_projection(json::Writer& out, const Projection& projection) {
  constexpr std::string_view names[] = {"ALL", "KEYS_ONLY", "INCLUDE"};
  out.key("Projection").begin_object();
  out.key("ProjectionType").string(names[static_cast<std::size_t>(projection.kind)]);
  if (!projection.attributes.empty()) {
    out.key("NonKeyAttributes").begin_array();
    for (const auto& name : projection.attributes) {
      out.string(name);
    }
    out.end_array();
  }
  out.end_object();
}

}  // namespace waybill::table
