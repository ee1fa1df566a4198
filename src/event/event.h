#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "item/value.h"

namespace waybill::event {

// Something that happened to a record and is to be told.
struct Event {
  std::string id;       // the row's number in the journal: rises, and is the same whenever it is told again
  std::string source;   // "/v1/orchestrator/job"
  std::string subject;  // the record's id
  std::string type;
  int64_t time_ms = 0;
  std::string data;  // JSON; "": none
};

// The event of a row of the journal. Error invalid where the row has none.
Result<Event> read_event(item::ItemView row);

// The event as CloudEvents 1.0 has it, in the structured mode of its JSON format.
std::string cloud_event(const Event& event);
inline constexpr char cloud_event_content_type[] = "application/cloudevents+json; charset=utf-8";

}  // namespace waybill::event
