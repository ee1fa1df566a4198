#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "expression/condition.h"
#include "expression/update.h"
#include "item/number.h"
#include "item/value.h"
#include "job/patch.h"

namespace waybill::job {

// A change of a record in the making. It knows the record as it was read, and remembers what of it was looked
// at: the change is only right as long as that is so, and condition() says just that. What nobody looked at
// may change meanwhile.
class Draft {
 public:
  explicit Draft(item::Item seen) : seen_(std::move(seen)) {}

  // The record as it was read, for those who do not decide by it.
  const item::Item& seen() const { return seen_; }

  // What stands there, with the changes so far. The view lives until the next change.
  std::optional<item::ValueView> find(const Path& path);
  std::optional<std::string> text(const Path& path);      // of a string
  std::optional<item::Decimal> number(const Path& path);  // of a number
  std::optional<int64_t> integer(const Path& path);       // of a whole number

  // Maps on the way that are not there are made.
  void set(const Path& path, item::ValueView value);
  void set_text(const Path& path, std::string_view text);
  void set_number(const Path& path, const item::Decimal& number);
  void set_integer(const Path& path, int64_t number);
  void remove(const Path& path);
  void merge(const Patch& patch);

  // The record must be as it was read in all its parts.
  void depend_on_all();

  bool changes_anything() const { return !changes_.empty(); }
  // Whether the attribute is to be another than it was read, or to go.
  bool changes(const std::string& name) const;
  expression::Update update() const;
  // The record with the changes.
  item::Item result() const;
  // That the record is there, that it has `key_attribute`, and that what was looked at is as it was.
  expression::Condition condition(std::string_view key_attribute) const;

 private:
  // The encoded value of an attribute with the changes so far; nothing where there is none.
  std::optional<std::string> attribute(const std::string& name) const;
  void put(const std::string& name, std::optional<std::string> encoded);
  void merge_into(const Path& at, item::ItemView members);

  item::Item seen_;
  std::map<std::string, std::optional<std::string>> changes_;  // by attribute: encoded; nothing: it goes
  std::set<std::string> looked_at_;                            // attributes
};

// That there is no item yet: it has no such attribute.
expression::Condition absence_of(std::string_view key_attribute);

}  // namespace waybill::job
