#pragma once

#include <cstdint>

// What a part costs, counted on the thread that does the work: calls of operator new, by whichever library,
// and under callgrind the instructions outside the kernel. Memory that C libraries take by malloc is not
// counted as allocations.
namespace waybill::micro {

void begin_counting();

// Ends what begin_counting() began on this thread; returns the allocations in between.
int64_t end_counting();

// Has callgrind write the instructions counted since the last call to a file of their own, under `name`.
void write_counts(const char* name);

bool under_valgrind();

}  // namespace waybill::micro
