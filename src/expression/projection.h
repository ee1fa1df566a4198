#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "expression/path_set.h"
#include "expression/placeholders.h"
#include "expression/terms.h"
#include "item/value.h"

namespace waybill::expression {

// The parts of an item that a reader asked for.
//
// Thread safety: const methods may be called from any thread.
class Projection {
 public:
  // Errors are of kind invalid and carry the service's texts; overlapping paths are among them.
  static Result<Projection> parse(std::string_view text, Placeholders& placeholders);

  // Whole top-level attributes, as AttributesToGet and index projections name them. A name that comes
  // twice counts once.
  static Projection from_names(const std::vector<std::string>& names);

  // Values by document paths, each as an attribute of its own: `a.b[1]` under the name "b[1]".
  struct Column {
    PathId path;  // in `terms`
    std::string name;
  };
  static Projection from_columns(std::vector<Column> columns, Terms terms);

  // Appends the projected attributes of `item`, encoded. What is not there is left out; list elements
  // close up; a container of which nothing is left does not appear.
  void append_projected(std::string& out, item::ItemView item) const {
    if (columns_.empty()) {
      append_selected(out, item, paths_, terms_);
    } else {
      append_columns(out, item);
    }
  }

  bool mentions(std::string_view top_level_name) const { return paths_.mentions(terms_, top_level_name); }

  // The first part of every path; a name may appear more than once. Of columns in their order. Valid as long
  // as the projection is.
  std::vector<std::string_view> top_level_names() const;

 private:
  friend class ProjectionParser;

  void append_columns(std::string& out, item::ItemView item) const;

  PathSet paths_;
  std::vector<Column> columns_;  // as given; empty where items keep their shape
  Terms terms_;
};

}  // namespace waybill::expression
