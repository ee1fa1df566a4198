#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "expression/path_set.h"
#include "expression/placeholders.h"
#include "expression/small_vector.h"
#include "expression/terms.h"
#include "item/value.h"

namespace waybill::expression {

// Whether the item to be updated is there already. Where it is not, removing from within an attribute is
// no error.
enum class ItemPresence : unsigned char { existing, missing };

// What an update does to an item: a self-contained list of actions on document paths.
//
// Thread safety: const methods may be called from any thread; an update may be moved to another one.
class Update {
 public:
  // An update of nothing, as of an UpdateItem without expression: it leaves the item as it is.
  Update() = default;

  // Errors are of kind invalid and carry the service's texts.
  static Result<Update> parse(std::string_view text, Placeholders& placeholders);

  // The item after the update. `before` is the item as it is, or its key attributes alone where there is
  // none yet. All values are read from `before`. Errors, all of kind invalid: an operand of the wrong
  // type, a missing attribute, a path into something that is not there, a number out of range, a value
  // nested too deeply.
  Result<item::Item> apply(item::ItemView before, ItemPresence presence = ItemPresence::existing) const;

  // Whether an action's target begins with `top_level_name`. Key attributes must not be updated.
  bool mentions(std::string_view top_level_name) const { return targets_.mentions(terms_, top_level_name); }

  // ReturnValues UPDATED_OLD and UPDATED_NEW: appends, as encoded attributes, exactly those parts of
  // `item` that lie on the targets. As with the service, list elements are looked up by the index that
  // the update names, in the new item too.
  void append_updated(std::string& out, item::ItemView item) const {
    append_selected(out, item, targets_, terms_);
  }

  bool empty() const { return actions_.empty(); }

 private:
  friend class UpdateTree;
  friend class UpdateBuilder;
  friend class UpdateEvaluation;

  enum class Operation : unsigned char { set, remove, add, remove_members };

  // The right side of SET.
  struct Value {
    enum class Kind : unsigned char { path, literal, if_not_exists, list_append, plus, minus };

    Kind kind = Kind::path;
    PathId path = {};        // of path and if_not_exists
    LiteralId literal = {};  // of literal
    uint32_t left = 0;       // of list_append, plus and minus: in values_
    uint32_t right = 0;      // of these and if_not_exists
  };

  struct Action {
    Operation operation = Operation::set;
    bool legacy = false;  // of AttributeUpdates, where ADD also appends to lists
    PathId target = {};
    uint32_t value = 0;      // of set: in values_
    LiteralId literal = {};  // of add and remove_members
  };

  SmallVector<Action, 4> actions_;
  SmallVector<Value, 4> values_;
  PathSet targets_;  // the origin of each is the action's index
  Terms terms_;
};

}  // namespace waybill::expression
