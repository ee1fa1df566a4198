#include <algorithm>
#include <array>
#include <utility>

#include "item/number.h"
#include "partiql/parser.h"

namespace waybill::partiql {

namespace {

// How deep values stand in each other; a value was parsed, which bounds it.
int levels_of(item::ValueView value) {
  int deepest = 0;
  if (value.type() == item::Type::list) {
    for (auto elements = value.elements(); elements.next();) {
      deepest = std::max(deepest, levels_of(elements.value()));
    }
  } else if (value.type() == item::Type::map) {
    for (item::AttributeCursor members(value.members()); members.next();) {
      deepest = std::max(deepest, levels_of(members.value()));
    }
  }
  return deepest + 1;
}

}  // namespace

bool Parser::at_value() const {
  constexpr std::array<std::string_view, 3> openings = {"{", "[", "<<"};
  constexpr std::array<std::string_view, 3> words = {"TRUE", "FALSE", "NULL"};
  const bool is_signed = (token().is("-") || token().is("+")) && following().kind == TokenKind::number;
  return token().kind == TokenKind::string || token().kind == TokenKind::number ||
         token().kind == TokenKind::parameter || is_signed ||
         std::any_of(openings.begin(), openings.end(), [&](auto symbol) { return token().is(symbol); }) ||
         std::any_of(words.begin(), words.end(), [&](auto word) { return token().is_keyword(word); });
}

Result<Expression> Parser::parse_value() {
  Expression value{.kind = Expression::Kind::value, .position = token().position};
  WAYBILL_TRY(append_value(value.value, "root"));
  return value;
}

Status Parser::append_value(std::string& out, const std::string& place) {
  const Nesting nesting(*this);
  if (nesting.is_too_deep()) {
    return not_well_formed("");
  }
  const int levels = place.empty() ? 0 : 1;
  value_levels_ += levels;
  check_levels(value_levels_);
  auto appended = append_any(out, place);
  value_levels_ -= levels;
  return appended;
}

void Parser::check_levels(int levels) {
  if (levels > item::nesting_levels_max) {
    note(item::nested_too_deep());
  }
}

Status Parser::append_any(std::string& out, const std::string& place) {
  if (token().kind == TokenKind::string) {
    item::append_scalar(out, item::Type::string, token().text);
    advance();
    return {};
  }
  if (token().kind == TokenKind::parameter) {
    append_parameter(out);
    return {};
  }
  if (token().is("[")) {
    return append_list(out, place);
  }
  if (token().is("{")) {
    return append_map(out, place);
  }
  if (token().is("<<")) {
    return append_set(out);
  }
  if (accept_keyword("NULL")) {
    item::append_null(out);
    return {};
  }
  if (token().is_keyword("TRUE") || token().is_keyword("FALSE")) {
    item::append_boolean(out, token().is_keyword("TRUE"));
    advance();
    return {};
  }
  return at_value() ? append_number(out, place) : append_unsupported(out, place);
}

Status Parser::append_number(std::string& out, const std::string& place) {
  std::string text = token().is("-") ? "-" : "";
  if (token().kind == TokenKind::symbol) {
    advance();
  }
  text.append(token().text);
  advance();
  auto number = item::Decimal::parse(text);
  if (!number) {
    number.error().message.append(" under ").append(place);
    note(std::move(number).error());
    item::append_null(out);
    return {};
  }
  std::string normal;
  number->append_text(normal);
  item::append_scalar(out, item::Type::number, normal);
  return {};
}

// A parameter that is not there is told when the whole statement is read.
void Parser::append_parameter(std::string& out) {
  if (parameters_used_ < parameters_.size()) {
    const auto value = parameters_[parameters_used_];
    check_levels(value_levels_ - 1 + levels_of(value));
    out.append(value.encoded());
  } else {
    item::append_null(out);
  }
  ++parameters_used_;
  advance();
}

Status Parser::append_list(std::string& out, const std::string& place) {
  advance();
  const std::size_t mark = item::open_container(out, item::Type::list);
  for (std::size_t index = 0; !token().is("]"); ++index) {
    if (index > 0) {
      WAYBILL_TRY(expect(","));
    }
    WAYBILL_TRY(append_value(out, place + "[" + std::to_string(index) + "]"));
  }
  advance();
  item::close_container(out, mark);
  return {};
}

Status Parser::append_map(std::string& out, const std::string& place) {
  advance();
  const std::size_t mark = item::open_container(out, item::Type::map);
  WAYBILL_TRY(append_members(out, place));
  item::close_container(out, mark);
  return {};
}

// Of members with the same name the last one counts.
Status Parser::append_members(std::string& out, const std::string& place) {
  std::vector<std::pair<std::string, std::string>> members;
  while (!token().is("}")) {
    if (!members.empty()) {
      WAYBILL_TRY(expect(","));
    }
    if (token().kind != TokenKind::string && token().kind != TokenKind::identifier) {
      return unexpected_term();
    }
    std::string name = token().text;
    advance();
    WAYBILL_TRY(expect(":"));
    std::string value;
    std::string inside = place.empty() ? "root" : place;
    if (!place.empty()) {
      inside.append(".").append(name);
    }
    WAYBILL_TRY(append_value(value, inside));
    std::erase_if(members, [&](const auto& member) { return member.first == name; });
    members.emplace_back(std::move(name), std::move(value));
  }
  advance();
  for (const auto& [name, value] : members) {
    item::append_attribute(out, name, item::ValueView(value.data()));
  }
  return {};
}

Status Parser::append_set(std::string& out) {
  advance();
  std::vector<std::string> values;
  while (!token().is(">>")) {
    if (!values.empty()) {
      WAYBILL_TRY(expect(","));
    }
    if (token().kind == TokenKind::parameter) {
      note(invalid("Unsupported data type in Bag"));
    }
    WAYBILL_TRY(append_value(values.emplace_back(), "root"));
  }
  advance();
  add_set(out, values);
  return {};
}

void Parser::add_set(std::string& out, const std::vector<std::string>& values) {
  item::append_null(out);  // what stands there where the set is refused
  if (values.empty()) {
    note(invalid("Empty bags are not supported"));
    return;
  }
  const auto type = item::ValueView(values[0].data()).type();
  std::vector<std::string_view> members;
  for (const auto& value : values) {
    const item::ValueView view(value.data());
    if (view.type() != type || (type != item::Type::string && type != item::Type::number)) {
      note(invalid("DynamoDB only supports either numbers or strings in bags"));
      return;
    }
    members.push_back(view.bytes());
  }
  std::string listed;
  for (const auto member : members) {
    listed.append(listed.empty() ? "" : ", ").append(member);
  }
  auto sorted = members;
  std::sort(sorted.begin(), sorted.end());
  if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) {
    note(invalid("One or more parameter values were invalid: Input collection [" + listed +
                 "] contains duplicates."));
    return;
  }
  out.pop_back();
  item::append_set(out, type == item::Type::string ? item::Type::string_set : item::Type::number_set,
                   std::move(members));
}

// Something else than a value inside a map, list or set.
Status Parser::append_unsupported(std::string& out, const std::string& place) {
  const Token first = token();
  if (first.is("]") || first.is("}") || first.is(">>") || first.is(",")) {
    return unexpected_term();
  }
  WAYBILL_TRY_ASSIGN(const auto expression, parse_sum());
  note(invalid("Unsupported data type: " + lower_case(first.text) + " under key " + place + " " +
               first.position.printed()));
  item::append_null(out);
  return {};
}

}  // namespace waybill::partiql
