#include "expression/terms.h"

namespace waybill::expression {

void Terms::add_name(PathId& path, std::string_view name) {
  parts_.push_back({static_cast<uint32_t>(bytes_.size()), static_cast<uint32_t>(name.size())});
  bytes_.append(name);
  ++path.count;
}

void Terms::add_index(PathId& path, uint32_t index) {
  parts_.push_back({PathPart::no_name, index});
  ++path.count;
}

LiteralId Terms::add_literal(item::ValueView value) {
  const auto at = static_cast<uint32_t>(bytes_.size());
  bytes_.append(value.encoded());
  return {at};
}

namespace {

std::optional<item::ValueView> element_at(item::ValueView list, uint32_t index) {
  uint32_t at = 0;
  for (auto elements = list.elements(); elements.next(); ++at) {
    if (at == index) {
      return elements.value();
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<item::ValueView> Terms::resolve(PathId path, item::ItemView item) const {
  auto value = item.find(top_level(path));
  for (std::size_t i = 1; i < path.count && value; ++i) {
    const PathPart& step = part(path, i);
    const auto wanted = step.is_index() ? item::Type::list : item::Type::map;
    if (value->type() != wanted) {
      return std::nullopt;
    }
    value = step.is_index() ? element_at(*value, step.size_or_index) : value->members().find(name_of(step));
  }
  return value;
}

bool Terms::same_path(PathId a, PathId b) const {
  if (a.count != b.count) {
    return false;
  }
  for (std::size_t i = 0; i < a.count; ++i) {
    if (compare_parts(part(a, i), part(b, i)) != 0) {
      return false;
    }
  }
  return true;
}

int Terms::compare_parts(const PathPart& a, const PathPart& b) const {
  if (a.is_index() != b.is_index()) {
    return a.is_index() ? 1 : -1;
  }
  if (a.is_index()) {
    return a.size_or_index < b.size_or_index ? -1 : a.size_or_index > b.size_or_index ? 1 : 0;
  }
  return name_of(a).compare(name_of(b));
}

std::string Terms::printed(PathId path) const {
  std::string text = "[";
  for (std::size_t i = 0; i < path.count; ++i) {
    const PathPart& step = part(path, i);
    text.append(i == 0 ? "" : ", ");
    if (step.is_index()) {
      text.append("[").append(std::to_string(step.size_or_index)).append("]");
    } else {
      text.append(name_of(step));
    }
  }
  return text.append("]");
}

}  // namespace waybill::expression
