#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "contract/text_template.h"

namespace waybill::contract {

// How a value is made of others: a text with fields in it ("USER#{userId}"), a number ("attempts + 1",
// "width / height"), a time ("createdAt + 90d"), or a value as it stands.
//
// Numbers are sums, differences, products and quotients of fields and numbers, products before sums, from
// left to right, with brackets. A time is a field and a duration.
class Formula {
 public:
  struct Node {
    enum class Kind : unsigned char {
      number,
      text,
      boolean,
      empty_list,
      empty_map,
      field,
      duration,
      operation
    };
    Kind kind = Kind::number;
    std::string text;            // of number, field, boolean and duration, as written; of operation: + - * /
    TextTemplate made;           // of text
    int64_t seconds = 0;         // of duration
    std::vector<Node> operands;  // two, of operation

    bool operator==(const Node&) const = default;
  };

  // A plain word of a YAML file: a number, a sum, a field; anything with braces or in quotes is a text.
  // Errors say what is wrong with it.
  enum class Quoted : bool { no, yes };
  static Result<Formula> parse(std::string_view text, Quoted quoted);
  static Formula of(Node node) { return Formula(std::move(node)); }

  const Node& root() const { return root_; }
  // The fields it needs.
  std::vector<std::string> fields() const;

  bool operator==(const Formula&) const = default;

 private:
  explicit Formula(Node root) : root_(std::move(root)) {}
  Node root_;
};

}  // namespace waybill::contract
