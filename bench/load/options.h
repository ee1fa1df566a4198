#pragma once

#include <cstdint>
#include <string>

#include "load/request.h"
#include "load/target.h"

namespace waybill::load {

// The command line. Plain data; every default is here.
struct Options {
  Operation operation = Operation::get;
  Target target;
  std::string table = "jobs";
  std::size_t connections = 64;
  std::size_t batch = 0;  // of jobs: how many workers share a connection; 0: each has its own
  double seconds = 6;
  double warmup_seconds = 1;
  uint64_t requests = 0;  // not 0: so many instead of `seconds`
  uint64_t items = 1'000'000;
  uint64_t users = 0;  // 0: a twentieth of the items
  uint64_t first = 0;
  uint64_t count = 0;  // 0: all from `first` on
  uint64_t round = 0;
  double rate = 0;
  uint64_t seed = 1;
  uint64_t check_every = 64;
  std::size_t message_bytes = 1024;
  std::string state_file;
  std::string paths_file;   // of an ask: a path a line
  bool self_check = false;  // expect what is wrong: the run must fail
  bool self_test = false;   // no server: try the generator's own parts
};

enum class Start : unsigned char { run, end_well, end_badly };

// Reads the command line into `options`; prints help and errors by itself.
Start read_options(int count, char** values, Options& options);

}  // namespace waybill::load
