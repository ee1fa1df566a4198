#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "contract/model.h"

// What a contract's states mean to those who work on its records. Pure.
namespace waybill::job {

// Whether the move may begin in that state, by its own words.
bool begins_at(const contract::Move& move, const std::string& state);

bool is_end(const contract::Record& record, const std::string& state);

// Whether a worker has a record that is in this state: it was claimed and is neither given back, nor failed,
// nor at an end, nor waiting for a decision.
bool is_working(const contract::Record& record, const std::string& state);

// Whether a record that has failed may be claimed again.
bool may_retry(const contract::Record& record);

// The states to go through from one to the other, the last one included, in as few moves as can be; empty
// where there is no way. Ends are not passed through.
std::vector<std::string> way(const contract::StatusMachine& machine, const std::string& from,
                             const std::string& to);

// Where the system puts a new record: behind `enqueue` where there is that move. "" where it has no states.
std::string first_state(const contract::Record& record);

}  // namespace waybill::job
