#pragma once

#include <memory>
#include <string>

#include "engine/bulk/row_sorter.h"
#include "engine/bulk/row_source.h"
#include "store/store.h"
#include "table/change_place.h"
#include "table/table.h"

namespace waybill::engine {

// The items of a table as they were before the changes from some place of its log on: those of a moment, with
// the changes between that place and the moment undone. An item that had expired then is left out.
class PastRows final : public RowSource {
 public:
  struct Past {
    table::ChangePlace until;  // changes from here on are undone …
    int64_t time_ms = 0;       // … which makes it the table as of this time
    std::string after = {};    // rows up to this key are left out
  };

  // Reads the log. The table's changes from `past.until` on must all be in it, with what was before.
  static Result<std::unique_ptr<PastRows>> open(const Database& database, const std::string& scratch_prefix,
                                                const table::Table& table, const Past& past,
                                                const MomentPtr& moment);

  Result<bool> next() override;
  std::string_view key() const override { return at_undo_ ? undo_->key() : present_.key(); }
  std::string_view record() const override { return at_undo_ ? undo_->record() : present_.record(); }

 private:
  PastRows(const Database& database, const std::string& scratch_prefix, const table::Table& table,
           const Past& past, const MomentPtr& moment);

  Status read_log(const Database& database, const Moment& moment, const Past& past);
  Result<bool> step();
  bool is_gone() const;

  const table::Table table_;
  const int64_t time_ms_;
  SpaceRows present_;
  RowSorter undone_;  // what was before, by key; an empty record where there was nothing
  std::unique_ptr<RowSource> undo_;
  bool has_present_ = false;
  bool has_undo_ = false;
  bool at_present_ = false;  // which of the two the current row has used up
  bool at_undo_ = false;
  bool begun_ = false;
};

// Shows all of them to `visitor`, or as many as it wants.
Status read_past(PastRows& rows, store::Visitor& visitor);

}  // namespace waybill::engine
