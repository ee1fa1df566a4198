#pragma once

#include <string_view>
#include <vector>

#include "alarm/decide.h"
#include "alarm/notice.h"
#include "base/result.h"
#include "table/note.h"

namespace waybill::alarm {

// What is kept of an alarm while it is raised, and until everybody knows that it is not. One note for both,
// so that an alarm that turns and the word of it are one commit.
struct Record {
  Subject subject;
  bool raised = false;
  int64_t threshold = 0;
  std::vector<Notice> untold;  // the oldest first

  bool is_needed() const { return raised || !untold.empty(); }
};

inline constexpr std::string_view alarm_notes = "alarm/";

// "alarm/depth/QUEUE".
std::string note_name(const Subject& subject);

// {"raised":…,"threshold":…,"untold":[{"id":…,"raised":…,"value":…,"threshold":…,"time_ms":…},…]}
table::Note note_of(const Record& record);
Result<Record> read_record(const table::Note& note);

}  // namespace waybill::alarm
