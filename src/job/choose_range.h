#pragma once

#include <map>
#include <set>
#include <string>

#include "job/services.h"
#include "table/range.h"

// Which entries of a table or an index hold the records that somebody asks for. Pure.
namespace waybill::job {

struct ChosenRange {
  const table::Index* index = nullptr;       // of the table; null: the table itself
  const contract::Mirror* mirror = nullptr;  // the items are this one's
  table::KeyRange keys;
  std::map<std::string, std::string> others;  // what the keys do not tell: to be looked at in each item
};

// `fields` as in ListRequest; `index` "": whichever fits best. Error invalid where none fits; the message
// tells which fields would.
Result<ChosenRange> choose_range(const Subject& subject, const table::Table& table,
                                 const std::map<std::string, std::string>& fields, const std::string& index);

// Whether an item that was found in a range is what was asked for.
bool is_wanted(const Subject& subject, const ChosenRange& range, item::ItemView item);

// Whether fields of a record have these values.
bool has_values(item::ItemView item, const std::map<std::string, std::string>& fields);

// Error invalid, with the field's name, where the contract knows no such field.
Status check_fields(const Subject& subject, const table::Table& table,
                    const std::map<std::string, std::string>& fields);

}  // namespace waybill::job
