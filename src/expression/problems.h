#pragma once

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

namespace waybill::expression {

// What can be wrong with an expression that is well formed. An expression may have several of them; which
// one the service reports depends on their kinds first and on their places second.
enum class Problem : unsigned char {
  parentheses,
  function_name,
  function_use,
  reserved_word,
  section,
  undefined_name,
  undefined_value,
  operand_count,
  distinct,
  overlap,
  conflict,
  action_operand,
  operand_type,
  condition,  // the first of a single condition's own
};

// Keeps the first problem of each kind.
class Problems {
 public:
  void note(Problem problem, std::string text) {
    if (find(problem) == nullptr) {
      found_.emplace_back(problem, std::move(text));
    }
  }

  bool empty() const { return found_.empty(); }
  void clear() { found_.clear(); }

  // The text of the first kind in `order` that was noted; nullptr where none was.
  const std::string* first_of(std::initializer_list<Problem> order) const {
    for (const Problem problem : order) {
      if (const auto* text = find(problem)) {
        return text;
      }
    }
    return nullptr;
  }

 private:
  const std::string* find(Problem problem) const {
    for (const auto& [noted, text] : found_) {
      if (noted == problem) {
        return &text;
      }
    }
    return nullptr;
  }

  std::vector<std::pair<Problem, std::string>> found_;
};

}  // namespace waybill::expression
