#include "bucket/row.h"

#include "item/number.h"

namespace waybill::bucket {

using item::Type;

void add_text(item::Item& row, std::string_view name, std::string_view value) {
  item::append_name(row.encoded, name);
  item::append_scalar(row.encoded, Type::string, value);
}

void add_whole(item::Item& row, std::string_view name, int64_t value) {
  item::append_name(row.encoded, name);
  item::append_scalar(row.encoded, Type::number, std::to_string(value));
}

void add_list(item::Item& row, std::string_view name, const std::vector<std::string>& values) {
  item::append_name(row.encoded, name);
  const auto mark = item::open_container(row.encoded, Type::list);
  for (const auto& value : values) {
    item::append_scalar(row.encoded, Type::string, value);
  }
  item::close_container(row.encoded, mark);
}

void add_texts(item::Item& row, std::string_view name, const Texts& texts) {
  if (texts.empty()) {
    return;
  }
  item::append_name(row.encoded, name);
  const auto mark = item::open_container(row.encoded, Type::map);
  for (const auto& [key, value] : texts) {
    item::append_name(row.encoded, key);
    item::append_scalar(row.encoded, Type::string, value);
  }
  item::close_container(row.encoded, mark);
}

std::string text_in(item::ItemView row, std::string_view name) {
  const auto value = row.find(name);
  return value && value->type() == Type::string ? std::string(value->bytes()) : std::string();
}

std::optional<int64_t> whole_in(item::ItemView row, std::string_view name) {
  const auto value = row.find(name);
  int64_t number = 0;
  if (!value || value->type() != Type::number ||
      !item::Decimal::from_normal(value->bytes()).to_int64(number)) {
    return {};
  }
  return number;
}

std::vector<std::string> list_in(item::ItemView row, std::string_view name) {
  std::vector<std::string> values;
  const auto list = row.find(name);
  if (list && list->type() == Type::list) {
    for (auto elements = list->elements(); elements.next();) {
      values.emplace_back(elements.value().bytes());
    }
  }
  return values;
}

Texts texts_in(item::ItemView row, std::string_view name) {
  Texts texts;
  const auto map = row.find(name);
  if (map && map->type() == Type::map) {
    for (item::AttributeCursor cursor(map->members()); cursor.next();) {
      texts.emplace(cursor.name(), cursor.value().bytes());
    }
  }
  return texts;
}

}  // namespace waybill::bucket
