#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/job/description.h"
#include "cli/job/json_parts.h"
#include "cli/job/screen.h"
#include "cli/job/table.h"

// Records and their histories as people see them.
namespace waybill::cli::job {

// Records in a table. `columns` are the fields to show; where there are none: the id, the status, the times
// that are set on create and on change, then all other fields that are no maps or lists, in the order of the
// contract. Times are shown as ages.
Table table_of(const Description& description, const std::vector<Members>& records,
               const std::vector<std::string>& columns, int64_t now_ms);

// One record, a line for each field, values whole; times with their ages.
std::string details_of(const Description& description, const Members& record, const Screen& screen);

// What happened to a record, a row for each happening.
Table history_table(const Description& description, const std::vector<Members>& happenings, int64_t now_ms);

// "queued -> running"; the state alone where it was not left or not reached.
std::string move_words(const Members& happening);

// Why, or which rule stood against it.
std::string reason_words(const Members& happening);

}  // namespace waybill::cli::job
