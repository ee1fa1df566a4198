#include "intake/row_mapper.h"

#include <algorithm>
#include <utility>

#include "intake/fit.h"
#include "intake/row_ulid.h"
#include "intake/timestamp.h"

namespace waybill::intake {
namespace {

using contract::Problem;
using contract::TextTemplate;

// The text of a string or a number, for templates.
std::optional<std::string> text_of(item::ItemView item, const std::string& name) {
  const auto value = item.find(name);
  const bool has_text = value && (value->type() == item::Type::string || value->type() == item::Type::number);
  return has_text ? std::optional(std::string(value->bytes())) : std::nullopt;
}

std::optional<std::string> render(const TextTemplate& text, item::ItemView item) {
  return text.render([&](const std::string& field) { return text_of(item, field); });
}

Status append_given(item::Item& item, const std::string& name, const Given& given) {
  if (!given.text) {
    item::append_name(item.encoded, name);
    item.encoded += given.encoded;
    return {};
  }
  const auto text = render(*given.text, item.view());
  if (!text) {
    return invalid(name + ": an attribute that its text is made of is missing");
  }
  item::append_name(item.encoded, name);
  item::append_scalar(item.encoded, item::Type::string, *text);
  return {};
}

void add_once(std::vector<std::string>& names, const std::string& name) {
  if (!name.empty() && std::ranges::find(names, name) == names.end()) {
    names.push_back(name);
  }
}

const Attribute* find_attribute(const Mapping& mapping, const std::string& name) {
  const auto found = std::ranges::find(mapping.attributes, name, &Attribute::name);
  return found == mapping.attributes.end() ? nullptr : &*found;
}

// The attribute with all that its texts are made of.
void add_with_parts(std::vector<std::string>& names, const Mapping& mapping, const std::string& name) {
  const Attribute* const attribute = find_attribute(mapping, name);
  if (attribute == nullptr || std::ranges::find(names, name) != names.end()) {
    return;
  }
  names.push_back(name);
  for (const auto* given : {&attribute->value, &attribute->if_null}) {
    if (*given && (*given)->text) {
      for (const auto& field : (*given)->text->fields()) {
        add_with_parts(names, mapping, field);
      }
    }
  }
}

std::vector<std::string> key_attributes(const Mapping& mapping, const std::vector<KeyPart>& key) {
  std::vector<std::string> names;
  for (const auto& part : key) {
    const auto fields = part.text ? part.text->fields() : std::vector{part.attribute};
    for (const auto& field : fields) {
      add_with_parts(names, mapping, field);
    }
  }
  return names;
}

}  // namespace

std::vector<std::string> columns_of(const Mapping& mapping) {
  std::vector<std::string> names;
  for (const auto& name : mapping.source.key) {
    add_once(names, name.text);
  }
  for (const auto& attribute : mapping.attributes) {
    add_once(names, attribute.column);
    add_once(names, attribute.time_column);
  }
  return names;
}

std::vector<std::string> identity_columns(const Mapping& mapping, const Shape& shape) {
  std::vector<std::string> names;
  for (const auto& name : mapping.source.key) {
    add_once(names, name.text);
  }
  for (const auto& name : key_attributes(mapping, shape.key)) {
    const Attribute* const attribute = find_attribute(mapping, name);
    add_once(names, attribute->column);
    add_once(names, attribute->time_column);
  }
  return names;
}

void RowMapper::add_part(const Attribute& attribute, const std::vector<Column>& columns,
                         contract::Problems& problems) {
  Part part;
  part.attribute = &attribute;
  const auto place_of = [&](const std::string& name) -> std::size_t {
    const auto found = std::ranges::find(columns, name, &Column::name);
    if (found == columns.end()) {
      problems.push_back({Problem::Weight::error, attribute.place,
                          "the attribute \"" + attribute.name + "\" is made of the column \"" + name +
                              "\", which is not there",
                          "write one of the source's columns"});
      return 0;
    }
    return static_cast<std::size_t>(found - columns.begin());
  };
  if (!attribute.column.empty()) {
    part.column = place_of(attribute.column);
    part.conversion =
        choose_conversion(attribute, part.column < columns.size() ? columns[part.column].type : 0);
  }
  if (!attribute.time_column.empty()) {
    part.time_column = place_of(attribute.time_column);
  }
  parts_.push_back(part);
}

RowMapper RowMapper::compile(const Mapping& mapping, const Shape& shape, const std::vector<Column>& columns,
                             contract::Problems& problems) {
  RowMapper mapper;
  mapper.key_ = shape.key;
  const auto in_key = key_attributes(mapping, shape.key);
  for (const auto& attribute : mapping.attributes) {
    mapper.add_part(attribute, columns, problems);
    mapper.parts_.back().in_key = std::ranges::find(in_key, attribute.name) != in_key.end();
    mapper.compared_.push_back(attribute.name);
  }
  for (const auto& part : shape.key) {
    add_once(mapper.compared_, part.attribute);
    for (const auto& field : part.text ? part.text->fields() : std::vector{part.attribute}) {
      if (find_attribute(mapping, field) == nullptr) {
        problems.push_back(
            {Problem::Weight::error, mapping.target.place,
             "the key \"" + part.attribute + "\" is made of \"" + field + "\", which no attribute gives",
             "add it to the attributes"});
      }
    }
  }
  if (shape.record) {
    check_fit(mapping, *shape.record, columns, problems);
  }
  std::ranges::sort(mapper.compared_);
  return mapper;
}

Status RowMapper::append_part(item::Item& item, const Part& part, Row row) const {
  const Attribute& attribute = *part.attribute;
  if (attribute.value) {
    return append_given(item, attribute.name, *attribute.value);
  }
  const auto& text = row[part.column];
  if (!text) {
    return attribute.if_null ? append_given(item, attribute.name, *attribute.if_null) : Status();
  }
  if (part.conversion.kind == Kind::ulid) {
    const auto& time = row[part.time_column];
    const auto us = time ? parse_timestamp(*time) : Result<int64_t>(0);
    if (!us) {
      return invalid(attribute.name + ": " + us.error().message);
    }
    item::append_name(item.encoded, attribute.name);
    item::append_scalar(item.encoded, item::Type::string, row_ulid(*text, *us));
    return {};
  }
  const std::size_t before = item.encoded.size();
  item::append_name(item.encoded, attribute.name);
  const auto appended = append_converted(item.encoded, part.conversion, *text);
  if (!appended) {
    return invalid(attribute.name + ": " + appended.error().message);
  }
  if (!*appended) {
    item.encoded.resize(before);
    return attribute.if_null ? append_given(item, attribute.name, *attribute.if_null) : Status();
  }
  return {};
}

// Keys that are attributes themselves are there already.
Status RowMapper::append_key(item::Item& item) const {
  for (const auto& part : key_) {
    if (!part.text) {
      const auto value = item.view().find(part.attribute);
      if (!value || value->type() != part.type) {
        return invalid("the key " + part.attribute + " is missing, or of another type than the table's");
      }
      continue;
    }
    const auto text = render(*part.text, item.view());
    if (!text || text->empty()) {
      return invalid("the key " + part.attribute + " cannot be made: what it is made of is missing");
    }
    item::append_name(item.encoded, part.attribute);
    item::append_scalar(item.encoded, part.type, *text);
  }
  return {};
}

Result<item::Item> RowMapper::item_of(Row row) const {
  item::Item item;
  for (const auto& part : parts_) {
    WAYBILL_TRY(append_part(item, part, row));
  }
  WAYBILL_TRY(append_key(item));
  return item;
}

Result<item::Item> RowMapper::key_of(Row row) const {
  item::Item item;
  for (const auto& part : parts_) {
    if (part.in_key) {
      WAYBILL_TRY(append_part(item, part, row));
    }
  }
  WAYBILL_TRY(append_key(item));
  item::Item key;
  for (const auto& part : key_) {
    item::append_attribute(key.encoded, part.attribute, *item.view().find(part.attribute));
  }
  return key;
}

bool RowMapper::has_its_key(item::ItemView item) const {
  return std::ranges::all_of(key_, [&](const KeyPart& part) {
    const auto value = item.find(part.attribute);
    return value && value->type() == part.type && (!part.text || part.text->match(value->bytes()));
  });
}

}  // namespace waybill::intake
