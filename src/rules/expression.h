#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "contract/formula.h"
#include "contract/model.h"
#include "item/value.h"
#include "rules/slots.h"

namespace waybill::rules {

// A formula of a contract, ready to be worked out on a record: fields are slots, parameters are their values.
class Expression {
 public:
  // Gives the slot of a field and the value of a parameter.
  struct Names {
    std::function<SlotPath(const std::string& field)> slot_of;
    std::function<std::optional<std::string>(const std::string& name)> parameter;
  };
  static Expression compile(const contract::Formula& formula, const Names& names);
  static Expression compile(const contract::TextTemplate& text, const Names& names);

  // Appends the encoded value, as a field of type `type` has it. False, and nothing is appended, where a
  // field that is needed is not there or does not fit.
  bool append(std::string& out, contract::FieldType type, const Slots& slots) const;

  // The same as text; nothing where it is none.
  std::optional<std::string> text(const Slots& slots) const;

  // Whether a field that it is made of differs between two versions of a record.
  bool differs(const Slots& a, const Slots& b) const;

 private:
  enum class Kind : unsigned char { value, field, text, time, sum, difference, product, quotient };

  struct Part {
    std::string literal;
    SlotPath field;  // of a part that is no literal
    bool is_field = false;
    std::size_t width = 0;
  };

  static Expression compile(const contract::Formula::Node& node, const Names& names);
  std::optional<int64_t> time_ms(const Slots& slots) const;
  std::optional<std::string> number(const Slots& slots) const;

  Kind kind_ = Kind::value;
  std::string value_;  // encoded
  SlotPath field_;
  std::vector<Part> parts_;
  int64_t seconds_ = 0;  // of time: what is added to the field
  std::vector<Expression> operands_;
};

// Milliseconds since 1970 of a time, whatever its type; nothing where it is none.
std::optional<int64_t> time_ms_of(item::ValueView value, contract::FieldType type);

// Appends a time as a field of that type has it.
void append_time(std::string& out, contract::FieldType type, int64_t ms);

}  // namespace waybill::rules
