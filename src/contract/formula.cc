#include "contract/formula.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "contract/duration.h"

namespace waybill::contract {

namespace {

using Node = Formula::Node;
using Kind = Node::Kind;

bool is_word_character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
}

bool is_number(std::string_view text) {
  const std::size_t point = text.find('.');
  const auto digits = [](std::string_view part) {
    return !part.empty() &&
           std::ranges::all_of(part, [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; });
  };
  if (point == std::string_view::npos) {
    return digits(text);
  }
  return digits(text.substr(0, point)) && digits(text.substr(point + 1));
}

// A walk over the text, one level of operators after the other.
class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Result<Node> parse() {
    WAYBILL_TRY_ASSIGN(auto node, sum());
    skip_spaces();
    if (at_ != text_.size()) {
      return invalid("\"" + std::string(text_) + "\" is not understood from \"" +
                     std::string(text_.substr(at_)) + "\" on");
    }
    return node;
  }

 private:
  static constexpr int depth_max = 20;

  void skip_spaces() {
    while (at_ < text_.size() && text_[at_] == ' ') {
      ++at_;
    }
  }

  // The operator that comes next, where it is one of these; 0 otherwise.
  char take_operator(std::string_view operators) {
    skip_spaces();
    if (at_ < text_.size() && operators.find(text_[at_]) != std::string_view::npos) {
      return text_[at_++];
    }
    return 0;
  }

  static Node operation(char symbol, Node left, Node right) {
    Node node;
    node.kind = Kind::operation;
    node.text = std::string(1, symbol);
    node.operands.push_back(std::move(left));
    node.operands.push_back(std::move(right));
    return node;
  }

  Result<Node> sum() {
    WAYBILL_TRY_ASSIGN(auto left, product());
    while (const char symbol = take_operator("+-")) {
      WAYBILL_TRY_ASSIGN(auto right, product());
      left = operation(symbol, std::move(left), std::move(right));
    }
    return left;
  }

  Result<Node> product() {
    WAYBILL_TRY_ASSIGN(auto left, operand());
    while (const char symbol = take_operator("*/")) {
      WAYBILL_TRY_ASSIGN(auto right, operand());
      left = operation(symbol, std::move(left), std::move(right));
    }
    return left;
  }

  Result<Node> operand() {
    if (take_operator("(") != 0) {
      if (++depth_ > depth_max) {
        return invalid("\"" + std::string(text_) + "\" has too many brackets");
      }
      WAYBILL_TRY_ASSIGN(auto node, sum());
      if (take_operator(")") == 0) {
        return invalid("\"" + std::string(text_) + "\" has a ( without a )");
      }
      --depth_;
      return node;
    }
    const bool negative = take_operator("-") != 0;
    const std::size_t begin = at_;
    while (at_ < text_.size() && is_word_character(text_[at_])) {
      ++at_;
    }
    const std::string_view word = text_.substr(begin, at_ - begin);
    if (word.empty()) {
      return invalid(
          "\"" + std::string(text_) + "\" lacks a field or a number" +
          (begin < text_.size() ? " before \"" + std::string(text_.substr(begin)) + "\"" : " at its end"));
    }
    Node node = leaf(word);
    if (!negative) {
      return node;
    }
    if (node.kind != Kind::number) {
      return invalid("\"" + std::string(text_) +
                     "\": a minus without something before it stands before a number");
    }
    node.text.insert(0, 1, '-');
    return node;
  }

  static Node leaf(std::string_view word) {
    Node node;
    node.text = std::string(word);
    if (is_number(word)) {
      node.kind = Kind::number;
    } else if (const auto seconds = parse_duration(word)) {
      node.kind = Kind::duration;
      node.seconds = *seconds;
    } else if (word == "true" || word == "false") {
      node.kind = Kind::boolean;
    } else {
      node.kind = Kind::field;
    }
    return node;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

void gather(const Node& node, std::vector<std::string>& names) {
  const auto add = [&](const std::string& name) {
    if (std::ranges::find(names, name) == names.end()) {
      names.push_back(name);
    }
  };
  if (node.kind == Kind::field) {
    add(node.text);
  }
  for (const auto& name : node.made.fields()) {
    add(name);
  }
  for (const auto& operand : node.operands) {
    gather(operand, names);
  }
}

}  // namespace

Result<Formula> Formula::parse(std::string_view text, Quoted quoted) {
  if (quoted == Quoted::yes || text.find_first_of("{}") != std::string_view::npos) {
    WAYBILL_TRY_ASSIGN(auto made, TextTemplate::parse(text));
    Node node;
    node.kind = Kind::text;
    node.made = std::move(made);
    return Formula(std::move(node));
  }
  WAYBILL_TRY_ASSIGN(auto node, Parser(text).parse());
  return Formula(std::move(node));
}

std::vector<std::string> Formula::fields() const {
  std::vector<std::string> names;
  gather(root_, names);
  return names;
}

}  // namespace waybill::contract
