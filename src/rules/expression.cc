#include "rules/expression.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/iso_time.h"
#include "item/number.h"

namespace waybill::rules {

namespace {

using contract::FieldType;
using contract::Formula;
using item::Decimal;

constexpr int64_t second_ms = 1000;

bool is_time(FieldType type) {
  return type == FieldType::timestamp || type == FieldType::epoch_ms || type == FieldType::epoch_s;
}

void append_number(std::string& out, std::string_view text) {
  item::append_scalar(out, item::Type::number, text);
}

std::optional<double> as_double(std::string_view text) {
  double value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  return failure == std::errc() ? std::optional(value) : std::nullopt;
}

// Products and quotients are those of floating-point numbers with 53 bits, as clients reckon them; written
// with the fewest digits that mean the same.
std::optional<std::string> reckon(char symbol, std::string_view left, std::string_view right) {
  const auto a = as_double(left);
  const auto b = as_double(right);
  if (!a || !b || (symbol == '/' && *b == 0)) {
    return {};
  }
  std::string text(40, '\0');
  const auto [end, failure] =
      std::to_chars(text.data(), text.data() + text.size(), symbol == '*' ? *a * *b : *a / *b);
  text.resize(static_cast<std::size_t>(end - text.data()));
  return failure == std::errc() ? std::optional(std::move(text)) : std::nullopt;
}

// Sums are exact.
std::optional<std::string> add_up(char symbol, std::string_view left, std::string_view right) {
  const auto a = Decimal::parse(left);
  const auto b = Decimal::parse(right);
  if (!a || !b) {
    return {};
  }
  const auto made = symbol == '+' ? Decimal::add(*a, *b) : Decimal::subtract(*a, *b);
  if (!made) {
    return {};
  }
  std::string text;
  made->append_text(text);
  return text;
}

std::optional<std::string> plain_text(std::optional<item::ValueView> value) {
  if (!value) {
    return {};
  }
  switch (value->type()) {
    case item::Type::string:
    case item::Type::number:
      return std::string(value->bytes());
    case item::Type::boolean:
      return value->boolean() ? "true" : "false";
    default:
      return {};
  }
}

std::string normal_number(std::string_view text) {
  std::string normal;
  if (const auto number = Decimal::parse(text)) {
    number->append_text(normal);
  }
  return normal;
}

}  // namespace

std::optional<int64_t> time_ms_of(item::ValueView value, FieldType type) {
  if (value.type() == item::Type::string) {
    return parse_iso_time(value.bytes());
  }
  int64_t number = 0;
  if (value.type() != item::Type::number || !Decimal::from_normal(value.bytes()).to_int64(number)) {
    return {};
  }
  return type == FieldType::epoch_s ? number * second_ms : number;
}

void append_time(std::string& out, FieldType type, int64_t ms) {
  switch (type) {
    case FieldType::epoch_ms:
      append_number(out, std::to_string(ms));
      break;
    case FieldType::epoch_s:
      append_number(out, std::to_string(ms / second_ms));
      break;
    default:
      item::append_scalar(out, item::Type::string, iso_time(ms));
  }
}

Expression Expression::compile(const contract::TextTemplate& text, const Names& names) {
  Expression made;
  made.kind_ = Kind::text;
  for (const auto& part : text.parts()) {
    const auto parameter = part.is_field ? names.parameter(part.text) : std::nullopt;
    if (!part.is_field || parameter) {
      made.parts_.push_back({parameter.value_or(part.text), {}, false, 0});
    } else {
      made.parts_.push_back({{}, names.slot_of(part.text), true, part.width});
    }
  }
  return made;
}

Expression Expression::compile(const Formula& formula, const Names& names) {
  return compile(formula.root(), names);
}

Expression Expression::compile(const Formula::Node& node, const Names& names) {
  using NodeKind = Formula::Node::Kind;
  Expression made;
  switch (node.kind) {
    case NodeKind::number:
      append_number(made.value_, normal_number(node.text));
      break;
    case NodeKind::boolean:
      item::append_boolean(made.value_, node.text == "true");
      break;
    case NodeKind::empty_list:
    case NodeKind::empty_map: {
      const auto type = node.kind == NodeKind::empty_list ? item::Type::list : item::Type::map;
      item::close_container(made.value_, item::open_container(made.value_, type));
      break;
    }
    case NodeKind::duration:
      append_number(made.value_, std::to_string(node.seconds));
      break;
    case NodeKind::text:
      return compile(node.made, names);
    case NodeKind::field:
      made.kind_ = Kind::field;
      made.field_ = names.slot_of(node.text);
      break;
    case NodeKind::operation: {
      const auto& right = node.operands.back();
      made.operands_.push_back(compile(node.operands.front(), names));
      if (right.kind == NodeKind::duration) {
        made.kind_ = Kind::time;
        made.seconds_ = node.text == "-" ? -right.seconds : right.seconds;
        break;
      }
      made.operands_.push_back(compile(right, names));
      made.kind_ = node.text == "+"   ? Kind::sum
                   : node.text == "-" ? Kind::difference
                   : node.text == "*" ? Kind::product
                                      : Kind::quotient;
      break;
    }
  }
  return made;
}

std::optional<int64_t> Expression::time_ms(const Slots& slots) const {
  if (kind_ == Kind::field) {
    const auto value = slots.at(field_);
    return value ? time_ms_of(*value, field_.type) : std::nullopt;
  }
  if (kind_ != Kind::time) {
    return {};
  }
  const auto from = operands_.front().time_ms(slots);
  return from ? std::optional(*from + seconds_ * second_ms) : std::nullopt;
}

std::optional<std::string> Expression::number(const Slots& slots) const {
  switch (kind_) {
    case Kind::value: {
      const item::ValueView value(value_.data());
      return value.type() == item::Type::number ? std::optional(std::string(value.bytes())) : std::nullopt;
    }
    case Kind::field: {
      const auto value = slots.at(field_);
      return value && value->type() == item::Type::number ? std::optional(std::string(value->bytes()))
                                                          : std::nullopt;
    }
    case Kind::text:
    case Kind::time:
      return {};
    default:
      break;
  }
  const auto left = operands_.front().number(slots);
  const auto right = operands_.back().number(slots);
  if (!left || !right) {
    return {};
  }
  switch (kind_) {
    case Kind::sum:
      return add_up('+', *left, *right);
    case Kind::difference:
      return add_up('-', *left, *right);
    case Kind::product:
      return reckon('*', *left, *right);
    default:
      return reckon('/', *left, *right);
  }
}

std::optional<std::string> Expression::text(const Slots& slots) const {
  switch (kind_) {
    case Kind::value:
      return plain_text(item::ValueView(value_.data()));
    case Kind::field:
      return plain_text(slots.at(field_));
    case Kind::text: {
      std::string made;
      for (const auto& part : parts_) {
        if (!part.is_field) {
          made += part.literal;
          continue;
        }
        auto value = plain_text(slots.at(part.field));
        if (!value || value->empty() || (part.width != 0 && value->size() > part.width)) {
          return {};
        }
        made.append(part.width > value->size() ? part.width - value->size() : 0, '0').append(*value);
      }
      return made;
    }
    case Kind::time: {
      const auto ms = time_ms(slots);
      return ms ? std::optional(iso_time(*ms)) : std::nullopt;
    }
    default:
      return number(slots);
  }
}

bool Expression::append(std::string& out, FieldType type, const Slots& slots) const {
  if (kind_ == Kind::value) {
    out.append(value_);
    return true;
  }
  if (kind_ == Kind::time || (kind_ == Kind::field && is_time(type) && is_time(field_.type))) {
    const auto ms = time_ms(slots);
    if (ms) {
      append_time(out, type, *ms);
    }
    return ms.has_value();
  }
  if (kind_ == Kind::field) {
    const auto value = slots.at(field_);
    if (value) {
      out.append(value->encoded());
    }
    return value.has_value();
  }
  const auto made = kind_ == Kind::text ? text(slots) : number(slots);
  if (!made) {
    return false;
  }
  if (kind_ == Kind::text) {
    item::append_scalar(out, item::Type::string, *made);
    return true;
  }
  const std::string normal = normal_number(*made);
  if (!normal.empty()) {
    append_number(out, normal);
  }
  return !normal.empty();
}

bool Expression::differs(const Slots& a, const Slots& b) const {
  if (kind_ == Kind::field) {
    return !same(a, b, field_.slot);
  }
  return std::ranges::any_of(
             parts_, [&](const Part& part) { return part.is_field && !same(a, b, part.field.slot); }) ||
         std::ranges::any_of(operands_, [&](const Expression& operand) { return operand.differs(a, b); });
}

}  // namespace waybill::rules
