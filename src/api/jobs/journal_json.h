#pragma once

#include <cstdint>
#include <string>

#include "item/value.h"

// Rows of the journal (rules/system_tables.h) as histories and feeds show them.
namespace waybill::api::jobs {

enum class WithId : bool { no, yes };

// {"seq":17,"at":"…","actor":"…","action":"moved","from":"queued","to":"running","why":"…",…}, and "id" where
// the row is not seen beside its record.
void append_journal_row(std::string& out, item::ItemView row, WithId with_id);

uint64_t seq_of(item::ItemView row);                 // 0 where it has none
std::string_view path_of_row(item::ItemView row);    // "orchestrator/job/ID"
std::string_view action_of_row(item::ItemView row);  // lives as long as the row

}  // namespace waybill::api::jobs
