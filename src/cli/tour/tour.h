#pragma once

#include <string>

namespace waybill::cli::tour {

struct TourOptions {
  std::string endpoint;  // "": WAYBILL_SERVER, else http://127.0.0.1:8000
};

// waybill tour: shows the five systems at work on a running server, and tells what happened.
int run_tour(const TourOptions& options);

}  // namespace waybill::cli::tour
