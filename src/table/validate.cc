#include "table/validate.h"

#include <string>
#include <string_view>

namespace waybill::table {

namespace {

constexpr std::string_view values_invalid = "One or more parameter values were invalid: ";

Error key_mismatch() {
  return invalid("The provided key element does not match the schema");
}

std::string_view empty_kind(item::Type type) {
  return type == item::Type::binary ? "binary" : "string";
}

// Numbers are never empty and never too long.
bool is_empty_key(item::ValueView value) {
  return value.type() != item::Type::number && value.bytes().empty();
}

bool is_sort_key(const KeySchema& schema, const KeyAttribute& key) {
  return schema.sort && &key == &*schema.sort;
}

uint32_t key_bytes_max(const KeySchema& schema, const KeyAttribute& key) {
  return is_sort_key(schema, key) ? sort_key_bytes_max : partition_key_bytes_max;
}

// One key attribute of a Key. The service is done with one attribute before it looks at the next.
Status check_key_attribute(const KeySchema& schema, const KeyAttribute& key, item::ItemView item) {
  const auto value = item.find(key.name);
  if (!value || value->type() != key.type) {
    return key_mismatch();
  }
  return check_key_value(schema, key, *value);
}

Status check_item_attribute(const KeySchema& schema, const KeyAttribute& key, item::ItemView item) {
  const auto value = item.find(key.name);
  if (!value) {
    return invalid(
        std::string(values_invalid).append("Missing the key ").append(key.name).append(" in the item"));
  }
  if (value->type() != key.type) {
    return invalid(std::string(values_invalid)
                       .append("Type mismatch for key ")
                       .append(key.name)
                       .append(" expected: ")
                       .append(item::type_name(key.type))
                       .append(" actual: ")
                       .append(item::type_name(value->type())));
  }
  return check_key_value(schema, key, *value);
}

Error index_type_mismatch(const Index& index, const KeyAttribute& key, item::Type actual) {
  return invalid(std::string(values_invalid)
                     .append("Type mismatch for Index Key ")
                     .append(key.name)
                     .append(" Expected: ")
                     .append(item::type_name(key.type))
                     .append(" Actual: ")
                     .append(item::type_name(actual))
                     .append(" IndexName: ")
                     .append(index.name));
}

Error empty_index_key(const Index& index, const KeyAttribute& key, Change change) {
  std::string text = "One or more parameter values are not valid. ";
  text.append(change == Change::put
                  ? "A value specified for a secondary index key is not supported. "
                  : "The update expression attempted to update a secondary index key to a value that is not "
                    "supported. ");
  text.append("The AttributeValue for a key attribute cannot contain an empty ")
      .append(empty_kind(key.type))
      .append(" value.");
  if (change == Change::put) {
    text.append(" IndexName: ").append(index.name).append(", IndexKey: ").append(key.name);
  }
  return invalid(std::move(text));
}

Error index_key_too_long(const Index& index, const KeyAttribute& key, std::size_t actual, uint32_t max) {
  return invalid(std::string(values_invalid)
                     .append("Size limit exceeded for Index Key ")
                     .append(key.name)
                     .append(" Actual Size: ")
                     .append(std::to_string(actual))
                     .append(" bytes Max Size: ")
                     .append(std::to_string(max))
                     .append(" bytes IndexName: ")
                     .append(index.name));
}

Status check_index_key(const Index& index, const KeyAttribute& key, item::ItemView item, Change change) {
  const auto value = item.find(key.name);
  if (!value) {
    return {};
  }
  if (value->type() != key.type) {
    return index_type_mismatch(index, key, value->type());
  }
  if (is_empty_key(*value)) {
    return empty_index_key(index, key, change);
  }
  const uint32_t max = key_bytes_max(index.key, key);
  if (key.type != item::Type::number && value->bytes().size() > max) {
    return index_key_too_long(index, key, value->bytes().size(), max);
  }
  return {};
}

Status check_keys_of(const Index& index, item::ItemView item, Change change) {
  WAYBILL_TRY(check_index_key(index, index.key.partition, item, change));
  if (index.key.sort) {
    WAYBILL_TRY(check_index_key(index, *index.key.sort, item, change));
  }
  return {};
}

}  // namespace

Status check_key_value(const KeySchema& schema, const KeyAttribute& key, item::ValueView value) {
  if (is_empty_key(value)) {
    return invalid(std::string("One or more parameter values are not valid. The AttributeValue for a key "
                               "attribute cannot contain an empty ")
                       .append(empty_kind(key.type))
                       .append(" value. Key: ")
                       .append(key.name));
  }
  if (key.type == item::Type::number || value.bytes().size() <= key_bytes_max(schema, key)) {
    return {};
  }
  // The missing space is the service's own.
  return invalid(
      std::string(values_invalid)
          .append(is_sort_key(schema, key)
                      ? "Aggregated size of all range keys has exceeded the size limit of 1024 bytes"
                      : "Size of hashkey has exceeded the maximum size limit of2048 bytes"));
}

Status check_key(const Table& table, item::ItemView key) {
  std::size_t attributes = 0;
  for (item::AttributeCursor cursor(key); cursor.next();) {
    ++attributes;
  }
  if (attributes != (table.key.sort ? 2U : 1U)) {
    return key_mismatch();
  }
  WAYBILL_TRY(check_key_attribute(table.key, table.key.partition, key));
  if (table.key.sort) {
    WAYBILL_TRY(check_key_attribute(table.key, *table.key.sort, key));
  }
  return {};
}

Status check_item_key(const Table& table, item::ItemView item) {
  WAYBILL_TRY(check_item_attribute(table.key, table.key.partition, item));
  if (table.key.sort) {
    WAYBILL_TRY(check_item_attribute(table.key, *table.key.sort, item));
  }
  return {};
}

Status check_index_keys(const Table& table, item::ItemView item, Change change) {
  Status first;
  std::string_view first_name;
  for (const Index& index : table.indexes) {
    if (!first && index.name > first_name) {
      continue;
    }
    if (auto checked = check_keys_of(index, item, change); !checked) {
      first = std::move(checked);
      first_name = index.name;
    }
  }
  return first;
}

Status check_item_size(uint32_t size_bytes, Change change) {
  if (size_bytes <= item_bytes_max) {
    return {};
  }
  return invalid(change == Change::put ? "Item size has exceeded the maximum allowed size"
                                       : "Item size to update has exceeded the maximum allowed size");
}

Status check_item(const Table& table, item::ItemView item, uint32_t size_bytes, Change change) {
  WAYBILL_TRY(check_item_size(size_bytes, change));
  if (change == Change::put) {
    WAYBILL_TRY(check_item_key(table, item));
  }
  return check_index_keys(table, item, change);
}

}  // namespace waybill::table
