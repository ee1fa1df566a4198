#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "item/value.h"
#include "migration/migration.h"

// What a migration of a field does to each record that is written. No I/O.
namespace waybill::migration {

struct FieldRule {
  enum class Mode : unsigned char {
    none,
    agree,      // `counts` and `other` have one value: that of the one the writer changed
    move,       // `other` is there no more, and what is still written to it goes to `counts`
    fill,       // `counts` has the initial value where nobody says
    unfill,     // the initial value is taken away again, by the walk alone
    keep_out,   // nothing is written to `other`; what records have stays
    take_away,  // `other` is there no more
  };
  Mode mode = Mode::none;
  bool heeds_removal =
      false;  // of agree: a writer who takes `counts` away means both. Otherwise a writer who
              // puts a record with `other` alone, not knowing the new name, loses nothing
  std::string counts;
  std::string other;
  std::string initial;  // encoded
  std::string having;
};

FieldRule rule_of(const Migration& migration);

// The record that is written in place of `after`; nothing where that is as it should be. With before and
// after the same: what the walk makes of a record.
std::optional<item::Item> rewrite(const FieldRule& rule, std::optional<item::ItemView> before,
                                  item::ItemView after);

// The item with another value under that name, or with none.
item::Item with_attribute(item::ItemView item, std::string_view name, std::optional<item::ValueView> value);

// Whether a record is as the end of the backfill leaves it.
bool is_filled(const Migration& migration, item::ItemView item);

}  // namespace waybill::migration
