#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "expression/problems.h"
#include "expression/small_vector.h"
#include "expression/terms.h"
#include "expression/update.h"

namespace waybill::expression {

// The actions of an update while they are gathered, and what can be wrong with operands before there is an
// item. Whoever reads updates, in whatever notation, adds to one of these; paths and literals go into the
// same terms. Faults are noted and do not stop the gathering.
class UpdateTree {
 public:
  // The right side of SET, by its place, and what is known of it before there is an item.
  struct Operand {
    uint32_t value = 0;
    bool is_sum = false;
    bool is_path = false;
    bool is_list_append = false;
    std::optional<item::Type> type = {};  // of a literal
  };
  using Operands = SmallVector<Operand, 4>;

  UpdateTree(Terms& terms, Problems& problems) : terms_(terms), problems_(problems) {}

  Operand path(PathId path);
  Operand literal(LiteralId literal);
  // `symbol` is + or -.
  Operand sum(std::string_view symbol, const Operand& left, const Operand& right);
  // list_append and if_not_exists; any other is noted.
  Operand function(std::string_view name, const Operands& operands);

  void set(PathId target, const Operand& value);
  void remove(PathId target);
  // ADD and DELETE: numbers are added, members are added to or removed from sets.
  void add(PathId target, LiteralId literal);
  void remove_members(PathId target, LiteralId literal);

  // Notes targets that touch each other. To be called once, when all are there.
  void close_targets();

  // The update, which takes the terms with it; nothing may be added behind it.
  Update finish();

 private:
  using Kind = Update::Value::Kind;
  using Operation = Update::Operation;

  void check_function(std::string_view name, const Operands& operands);
  void check_use(const Operands& operands);
  void check_types(std::string_view name, const Operands& operands, item::Type wanted);
  void check_action_operand(Operation operation, LiteralId literal);
  uint32_t add_value(const Update::Value& value);
  void add_action(const Update::Action& action);

  Terms& terms_;
  Problems& problems_;
  Update update_;
};

}  // namespace waybill::expression
