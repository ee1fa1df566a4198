#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "expression/problems.h"
#include "expression/small_vector.h"
#include "expression/terms.h"
#include "item/value.h"

namespace waybill::expression {

// The paths that a projection reads or an update writes. Sorted, they form a tree without building one:
// paths with a common beginning stand together, so each node of the tree is a range.
class PathSet {
 public:
  struct Entry {
    PathId path;
    uint32_t origin;  // its place in the expression
  };
  struct Range {
    uint32_t first = 0;
    uint32_t last = 0;

    bool empty() const { return first == last; }
  };

  void add(PathId path) { entries_.push_back({path, static_cast<uint32_t>(entries_.size())}); }

  // Call once, when all are there. The queries below want it.
  void sort(const Terms& terms);

  // Notes two paths of which one holds the other, and two that want the same value to be a map and a list.
  void note_overlaps(const Terms& terms, Problems& problems) const;

  std::size_t size() const { return entries_.size(); }
  const Entry& operator[](uint32_t i) const { return entries_[i]; }
  Range all() const { return {0, static_cast<uint32_t>(entries_.size())}; }

  // Those of `range` that have `name` at `depth`. All of `range` agree above that.
  Range named(const Terms& terms, Range range, uint32_t depth, std::string_view name) const;

  // The first ones of `range` that agree at `depth` too.
  Range first_branch(const Terms& terms, Range range, uint32_t depth) const;

  // Whether a range of paths that agree up to `depth` is one path that ends there.
  bool ends_at(Range range, uint32_t depth) const { return entries_[range.first].path.count == depth + 1; }

  const PathPart& part(const Terms& terms, uint32_t i, uint32_t depth) const {
    return terms.part(entries_[i].path, depth);
  }

  bool mentions(const Terms& terms, std::string_view top_level_name) const {
    return !named(terms, all(), 0, top_level_name).empty();
  }

 private:
  Range named_among_few(const Terms& terms, Range range, uint32_t depth, std::string_view name) const;

  SmallVector<Entry, 4> entries_;
};

// Appends the attributes of `item` that lie on the paths, cut down to what the paths name.
void append_selected(std::string& out, item::ItemView item, const PathSet& paths, const Terms& terms);

}  // namespace waybill::expression
