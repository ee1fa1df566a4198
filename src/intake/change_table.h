#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "intake/mapping.h"

// The table in the source's database that notes which rows change while they are moved: its names, and the
// statements about it. Pure.
//
// A trigger of the source's table writes a line for each row that is inserted, updated or deleted, within the
// transaction that does it: the identity of the row before (`was`) and after (`became`). Lines say which rows
// to look at, not what is in them. TRUNCATE, which tells of no rows, is refused as long as the trigger is
// there.
namespace waybill::intake {

class ChangeTable {
 public:
  // `schema` is that of the source's table.
  ChangeTable(const Mapping& mapping, std::string schema);

  const std::string& channel() const { return name_; }  // of NOTIFY
  std::string name() const;                             // as SQL has it

  // One transaction: afterwards no change goes unnoted. `columns` are those of the identity.
  std::vector<std::string> install(const std::vector<std::string>& columns) const;
  std::vector<std::string> remove() const;

  // One column: whether it is there.
  std::string exists_statement() const;
  // seq, was, became; the oldest first.
  std::string lines_statement(std::size_t lines_max) const;
  // The parameter is an array of numbers of lines that are done.
  std::string forget_statement() const;
  // How many lines wait, and for how many milliseconds the oldest does.
  std::string lag_statement() const;

 private:
  std::string function_text(const std::vector<std::string>& columns) const;

  std::string schema_;
  std::string table_;
  std::string name_;
};

}  // namespace waybill::intake
