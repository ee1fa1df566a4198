#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "expression/condition.h"
#include "item/value.h"
#include "store/store.h"

namespace waybill::bucket {

// Rows of system tables, for those who may wait.
//
// Thread safety: every method may be called from any thread but the store's own.
class Rows {
 public:
  // The store outlives it, and has the system's tables.
  explicit Rows(store::Store& store) : store_(store) {}

  store::Store& store() const { return store_; }
  table::TablePtr table(std::string_view name) const { return store_.find_table(name); }

  // `key` has the key attributes. Does not wait.
  Result<std::optional<item::Item>> get(std::string_view table, const item::Item& key) const;

  // Rows of one partition from the sort key `from` on, as long as `visit` wants more. "": from the first.
  using Visit = std::function<bool(item::ItemView row)>;
  Status read(std::string_view table, std::string_view partition, std::string_view from,
              const Visit& visit) const;

  // Whether the index of contents has an entry for this one.
  Result<bool> has_content(std::string_view table, std::string_view content) const;

  // Refused ones are an Outcome, failed ones an Error.
  Result<store::Outcome> commit(store::Transaction transaction) const;

  // Several that have nothing to do with each other. One that has failed is an Outcome as well.
  std::vector<store::Outcome> commit_each(std::vector<store::Transaction> transactions) const;

 private:
  store::Store& store_;
};

// What must be so of the row that an action is about.
expression::Condition is_there(std::string_view attribute);
expression::Condition is_absent(std::string_view attribute);
expression::Condition has_text(std::string_view attribute, std::string_view text);

store::Action put_row(const table::TablePtr& table, item::Item row);
store::Action remove_row(const table::TablePtr& table, item::Item key);
// Nothing is done, but the row must be there.
store::Action need_row(const table::TablePtr& table, item::Item key);

}  // namespace waybill::bucket
