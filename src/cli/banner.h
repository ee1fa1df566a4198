#pragma once

#include <cstdint>
#include <string>

#include "server/config.h"

namespace waybill::cli {

// What a server prints once it answers: where it is, how to point a client at it, what to try first.
std::string banner(const server::Config& config, uint16_t port);

}  // namespace waybill::cli
