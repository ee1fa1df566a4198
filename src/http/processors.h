#pragma once

#include <span>
#include <vector>

namespace waybill::http {

// The processors that this process may use; none where the system does not tell.
std::vector<int> usable_processors();

// Keeps the calling thread on these. Where the system refuses, it goes on wherever it is put.
void stay_on(std::span<const int> processors);

}  // namespace waybill::http
