// The part of the check that looks at single fields.
#include <algorithm>
#include <optional>

#include "contract/check_parts.h"

namespace waybill::contract {

namespace {

bool is_number(FieldType type) {
  return type == FieldType::integer || type == FieldType::number || type == FieldType::epoch_ms ||
         type == FieldType::epoch_s;
}

bool is_time(FieldType type) {
  return type == FieldType::timestamp || type == FieldType::epoch_ms || type == FieldType::epoch_s;
}

class FieldCheck {
 public:
  FieldCheck(const Contract& contract, const Record& record, Findings& findings)
      : contract_(contract), record_(record), findings_(findings) {}

  void check(const Field& field, const std::string& path) {
    const std::string what = "the field \"" + path + "\"";
    if ((field.minimum || field.maximum) && !is_number(field.type)) {
      findings_.error(field.place, what + " has a least or largest value, and is no number",
                      "take min and max away, or make it an int or a number");
    }
    if (field.length_max && field.type != FieldType::string) {
      findings_.error(field.place, what + " has a largest length, and is no string", "take max_length away");
    }
    if (field.set && !is_time(field.type)) {
      findings_.error(field.place, what + " is set by the system, and is no time",
                      "make it a timestamp, epoch_ms or epoch_s, or compute it");
    }
    if ((field.computed ? 1 : 0) + (field.set ? 1 : 0) + (field.initial ? 1 : 0) > 1) {
      findings_.error(field.place, what + " gets its value in two ways",
                      "keep one of set, computed and default");
    }
    check_initial(field, what);
    check_states(field, what);
    check_parameters(field, what);
    for (const auto& inner : field.fields) {
      check(inner, path.empty() ? inner.name : path + "." + inner.name);
    }
    if (field.element) {
      check(*field.element, path + "[]");
    }
  }

 private:
  void check_initial(const Field& field, const std::string& what) {
    if (!field.initial || field.one_of.empty()) {
      return;
    }
    const auto text = field.initial->root().made.render([](const std::string&) { return std::nullopt; });
    if (!text || std::ranges::find(field.one_of, *text) == field.one_of.end()) {
      findings_.error(field.place, what + " begins with what it cannot be",
                      "use one of its words as the default");
    }
  }

  void check_states(const Field& field, const std::string& what) {
    Names states = field.only_in;
    if (field.set) {
      states.insert(states.end(), field.set->states.begin(), field.set->states.end());
    }
    for (const auto& state : states) {
      if (!record_.status || record_.status->find(state.text) == nullptr) {
        findings_.error(state.place, what + " names the state \"" + state.text + "\", which there is not",
                        "use a state of the record's moves");
      }
    }
    if (!field.only_in.empty() && !field.optional) {
      findings_.error(field.place, what + " may be there in some states only, and is not optional",
                      "write its name with a ?");
    }
  }

  void check_parameters(const Field& field, const std::string& what) {
    for (const auto& [name, value] : field.dropped_where) {
      bool known = false;
      for (const auto& parameter : contract_.parameters) {
        known = known || parameter.name == name;
      }
      if (!known) {
        findings_.error(field.place,
                        joined({what, " is dropped by the parameter \"", name, "\", which there is not"}),
                        "add it to the parameters");
      } else if (!field.optional) {
        findings_.error(field.place, what + " is dropped in places, and is not optional",
                        "write its name with a ?");
      }
    }
  }

  const Contract& contract_;
  const Record& record_;
  Findings& findings_;
};

}  // namespace

void check_fields(const Contract& contract, const Record& record, Findings& findings) {
  FieldCheck check(contract, record, findings);
  for (const auto& field : record.fields) {
    check.check(field, field.name);
  }
}

}  // namespace waybill::contract
