#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace waybill::load {

enum class Protocol : unsigned char { dynamodb, postgres, sqs, jobs };

// The server under load.
struct Target {
  Protocol protocol = Protocol::dynamodb;
  std::string url;
  std::string host;
  uint16_t port = 0;
  std::string database;  // of PostgreSQL, as the next
  std::string user = "postgres";
};

// "http://127.0.0.1:8000", "sqs://127.0.0.1:8000", "jobs://127.0.0.1:8000" or
// "postgres://127.0.0.1:5433/bench?user=postgres".
Result<Target> parse_target(std::string_view url);

}  // namespace waybill::load
