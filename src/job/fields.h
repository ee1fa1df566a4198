#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "contract/model.h"
#include "job/draft.h"

// How operations write the fields that a contract names. Pure.
namespace waybill::job {

// The field at the end of a path; null where the contract does not know it.
const contract::Field* field_at(const contract::Record& record, const Path& path);

// "" where it has none.
std::string status_of(const contract::Record& record, Draft& draft);

// Moves the record. Fields that are not allowed in that state go.
void move_to(const contract::Record& record, Draft& draft, const std::string& state);

// The same to where nothing more is done on it: nothing is reserved any more, and no attempt is due.
void end_at(const contract::Record& record, Draft& draft, const std::string& state);

// A time as the field's type has it.
void set_time(const contract::Record& record, Draft& draft, const Path& path, int64_t ms);

// What went wrong, where the contract keeps it and the record's state allows it: texts are cut to what the
// fields take. `stack` goes beside the code, where the contract has a field of that name there.
struct Trouble {
  std::string code;
  std::string message;
  std::string stack;
};
void set_trouble(const contract::Record& record, Draft& draft, const Trouble& trouble);

// Attempts that have failed so far; nothing where the contract does not count them.
std::optional<int64_t> attempts_of(const contract::Record& record, Draft& draft);

// What is estimated becomes reserved, where nothing is yet.
void reserve(const contract::Record& record, Draft& draft);
// Nothing is reserved any more. What was spent stays.
void release(const contract::Record& record, Draft& draft);
// Adds to what is spent. Error invalid where the contract has no such counter, or it is no number from 0 on.
Status spend(const contract::Record& record, Draft& draft, const std::string& counter,
             std::string_view amount);

}  // namespace waybill::job
