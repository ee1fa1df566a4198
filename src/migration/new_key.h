#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "contract/text_template.h"
#include "item/value.h"
#include "migration/migration.h"
#include "table/table.h"

// A record under another key: what a change of the primary key makes of it, and back. No I/O.
namespace waybill::migration {

class KeyChange {
 public:
  // Error invalid: a text is no template; or the old key's attributes are overwritten, and nothing says how
  // to make them again.
  static Result<KeyChange> make(const Migration& migration, const table::KeySchema& old_key);

  // The key of the new table, which is of strings: attributes in the order in which they were given.
  const table::KeySchema& new_key() const { return new_key_; }

  // The record as the new table has it. Nothing where it lacks a field that its key is made of, or has one
  // that no key can have.
  std::optional<item::Item> forward(item::ItemView item) const;
  // The record as the old table has it.
  std::optional<item::Item> backward(item::ItemView item) const;

 private:
  struct Part {
    table::KeyAttribute attribute;
    contract::TextTemplate text;
  };
  using Parts = std::vector<Part>;

  static Result<Parts> read(const KeyMaking& making, const table::KeySchema* types);
  static std::optional<item::Item> with_key(const Parts& parts, item::ItemView item);

  table::KeySchema new_key_;
  Parts make_;
  Parts back_;
  std::vector<std::string> added_;  // attributes that a record has for its new key alone
};

}  // namespace waybill::migration
