#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "alarm/decide.h"
#include "base/json.h"

namespace waybill::alarm {

// What somebody is to be told.
struct Notice {
  std::string id;  // rises with time; the same whenever this notice is told again
  Change change;
  int64_t time_ms = 0;
};

// "2026-11-16T08:00:00.123Z".
std::string iso_time(int64_t wall_ms);

// {"id":…,"alarm":"depth","state":"raised","queue":…,"value":…,"threshold":…,"time":…,"server":…}. Ages are
// in seconds.
std::string body_of(const Notice& notice, std::string_view server);

// The notice in one line, for the log.
std::string describe(const Notice& notice);

}  // namespace waybill::alarm
