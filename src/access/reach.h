#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "access/pattern.h"
#include "item/value.h"
#include "table/table.h"

namespace waybill::access {

// Which items of a table a grant is about: those whose partition key fits one of the patterns, where there
// are any, and in which each of the attributes has one of its values. Texts are held against strings; those
// that are no beginnings also against numbers, in their normal form.
struct Limits {
  std::vector<Pattern> partition_keys;
  std::map<std::string, std::vector<std::string>, std::less<>> attributes;

  bool fits_key(item::Type type, std::string_view bytes) const;
  bool fits_attributes(item::ItemView item) const;
};

using LimitsPtr = std::shared_ptr<const Limits>;

// What is known of an item by its partition key alone.
enum class ByKey : unsigned char {
  inside,   // it is in reach, whatever else is in it
  outside,  // it is not, whatever else is in it
  open,     // that depends on its attributes
};

// What somebody may reach of the items of one table, by one verb.
//
// Thread safety: const. It needs nothing of the policy that it came from to live on.
class Reach {
 public:
  static Reach nothing() { return Reach(); }
  static Reach everything();

  bool is_nothing() const { return !everything_ && limits_.empty(); }
  bool is_everything() const { return everything_; }

  // `bytes`: of the value of a string, number or binary.
  ByKey by_key(item::Type type, std::string_view bytes) const;
  // `item` has its key attributes.
  ByKey by_key(const table::KeySchema& key, item::ItemView item) const;

  // `item` has its key attributes, and those that the reach asks about as far as there are any.
  bool covers(const table::KeySchema& key, item::ItemView item) const;
  bool covers(const table::Table& table, item::ItemView item) const { return covers(table.key, item); }

  // What it may ask about besides the partition key.
  std::vector<std::string_view> attributes() const;

  // As well: what one more grant allows. Null: everything.
  void add(const LimitsPtr& limits);

 private:
  bool everything_ = false;
  std::vector<LimitsPtr> limits_;
};

using ReachPtr = std::shared_ptr<const Reach>;

}  // namespace waybill::access
