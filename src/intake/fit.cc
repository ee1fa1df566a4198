#include "intake/fit.h"

#include <algorithm>
#include <string>

namespace waybill::intake {
namespace {

using contract::Field;
using contract::Problem;
using contract::Record;

std::string quoted(const std::string& text) {
  return "\"" + text + "\"";
}

bool may_be_absent(const Attribute& attribute, const std::vector<Column>& columns) {
  const auto column = std::ranges::find(columns, attribute.column, &Column::name);
  return !attribute.column.empty() && !attribute.if_null && column != columns.end() && column->may_be_null;
}

// Whether the server puts something there where a writer does not.
bool is_filled_in(const Field& field) {
  return field.initial.has_value() || field.set.has_value();
}

class Fit {
 public:
  Fit(const Mapping& mapping, const Record& record, const std::vector<Column>& columns,
      contract::Problems& problems)
      : mapping_(mapping), record_(record), columns_(columns), problems_(problems) {}

  void check() {
    for (const auto& attribute : mapping_.attributes) {
      check_attribute(attribute);
    }
    for (const auto& field : record_.fields) {
      check_required(field);
    }
  }

 private:
  void report(contract::Place place, std::string what, std::string remedy) {
    problems_.push_back({Problem::Weight::error, place, std::move(what), std::move(remedy)});
  }

  bool is_known(const std::string& name) const {
    const bool is_status = record_.status && record_.status->field.text == name;
    const bool is_version = record_.version && record_.version->text == name;
    const bool is_id = record_.id && record_.id->field.text == name;
    return record_.find(name) != nullptr || is_status || is_version || is_id;
  }

  void check_attribute(const Attribute& attribute) {
    const Field* const field = record_.find(attribute.name);
    const std::string what = "the attribute " + quoted(attribute.name);
    if (record_.key.contains(attribute.name)) {
      report(attribute.place, what + " is part of the key, which the contract makes", "leave it out");
    }
    if (field != nullptr && field->computed) {
      report(attribute.place, what + " is computed by the contract", "leave it out");
    }
    if (!is_known(attribute.name) && record_.other_fields == contract::OtherFields::refuse) {
      report(attribute.place, what + " is no field of the record " + quoted(record_.name), "leave it out");
    }
    if (!may_be_absent(attribute, columns_)) {
      return;
    }
    if (field != nullptr && is_filled_in(*field)) {
      report(attribute.place,
             what + " can be null, and the contract would then put something of its own there",
             "say with if_null what it is to be, so that it can be checked afterwards");
    } else if (field != nullptr && !field->optional) {
      report(attribute.place, what + " can be null, and the contract requires it",
             "say with if_null what it is to be then");
    }
  }

  void check_required(const Field& field) {
    const bool is_mapped =
        std::ranges::find(mapping_.attributes, field.name, &Attribute::name) != mapping_.attributes.end();
    if (!is_mapped && !field.optional && !field.computed && !is_filled_in(field)) {
      report(mapping_.target.place,
             "the record " + quoted(record_.name) + " requires " + quoted(field.name) +
                 ", and no attribute gives it",
             "add it to the attributes");
    }
  }

  const Mapping& mapping_;
  const Record& record_;
  const std::vector<Column>& columns_;
  contract::Problems& problems_;
};

}  // namespace

void check_fit(const Mapping& mapping, const Record& record, const std::vector<Column>& columns,
               contract::Problems& problems) {
  Fit(mapping, record, columns, problems).check();
}

}  // namespace waybill::intake
