#include "engine/fill_together.h"

#include "base/check.h"

namespace waybill::engine {

constinit thread_local FillTogether* FillTogether::current_ = nullptr;

FillTogether::FillTogether(uint32_t entries) : entries_left_(entries) {
  WAYBILL_CHECK(current_ == nullptr);
  current_ = this;
}

FillTogether::~FillTogether() {
  WAYBILL_CHECK(tables_.empty());
  current_ = nullptr;
}

bool FillTogether::keeps_entry_of(Table& table, bool is_first_of_table) {
  if (current_ == nullptr || current_->entries_left_ == 0) {
    return false;
  }
  auto& tables = current_->tables_;
  if (is_first_of_table) {
    tables.push_back(&table);
  }
  if (--current_->entries_left_ == 0) {
    for (Table* const one : tables) {
      one->place_entries();
    }
    tables.clear();
  }
  return true;
}

}  // namespace waybill::engine
