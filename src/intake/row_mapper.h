#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "intake/convert.h"
#include "intake/mapping.h"
#include "intake/shape.h"
#include "item/value.h"

namespace waybill::intake {

// A column as the database has it.
struct Column {
  std::string name;
  uint32_t type = 0;  // OID
  bool may_be_null = true;
};

// The values of one row, in the order of the columns that the mapper was made for; nothing: NULL.
using Row = std::span<const std::optional<std::string_view>>;

// Makes items of rows. Pure: the same row always gives the same item.
//
// Thread safety: const methods may be called from any thread.
class RowMapper {
 public:
  // `problems` has what is wrong: columns that are not there, and attributes that do not fit the record of
  // the contract. The mapper is of no use then.
  static RowMapper compile(const Mapping& mapping, const Shape& shape, const std::vector<Column>& columns,
                           contract::Problems& problems);

  // Error invalid says what is wrong with the row.
  Result<item::Item> item_of(Row row) const;
  // Its key attributes alone, for which the columns that key_columns() names are enough.
  Result<item::Item> key_of(Row row) const;

  // Whether an item's key could be that of a row.
  bool has_its_key(item::ItemView item) const;

  // Names of the attributes that rows decide about: with the key's, sorted.
  const std::vector<std::string>& attributes() const { return compared_; }

 private:
  struct Part {
    const Attribute* attribute = nullptr;
    std::size_t column = 0;
    std::size_t time_column = 0;
    Conversion conversion;
    bool in_key = false;  // the key is made of it
  };

  void add_part(const Attribute& attribute, const std::vector<Column>& columns, contract::Problems& problems);
  Status append_part(item::Item& item, const Part& part, Row row) const;
  Status append_key(item::Item& item) const;

  std::vector<Part> parts_;
  std::vector<KeyPart> key_;
  std::vector<std::string> compared_;
};

// The columns that a mapping reads, each once: those of the key first.
std::vector<std::string> columns_of(const Mapping& mapping);

// Those of them by which the key of an item is known: of the source's key, then those that the key is made
// of.
std::vector<std::string> identity_columns(const Mapping& mapping, const Shape& shape);

}  // namespace waybill::intake
