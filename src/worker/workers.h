#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "worker/worker.h"

namespace waybill::worker {

// The names of all that there are, as contracts have them.
std::vector<std::string_view> worker_names();

// Null where there is none of that name.
std::unique_ptr<Worker> make_worker(std::string_view name);

}  // namespace waybill::worker
