#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace waybill::server {

// How a server is to be run. Plain data; every default is here.
struct Config {
  std::string host = "127.0.0.1";
  uint16_t port = 8000;
  std::string data_dir = "data";
  std::string buckets_dir;       // folders that stand for S3's buckets; empty: "buckets" in data_dir
  std::string objects;           // "s3://bucket/prefix": where contents of objects lie; empty: in data_dir
  std::string objects_endpoint;  // of that S3, a URL; empty: AWS's
  std::string keys_file;         // empty: any credentials pass, on loopback only
  std::string region = "us-east-1";
  int threads = 0;  // 0: one for each processor, where it stays while it is busy
  bool relaxed_durability = false;
  uint64_t memory_mb = 0;           // for caches and write buffers; 0: three fifths of the machine's memory
  bool accept_loss = false;         // start although acknowledged commits are missing from the log
  std::string encryption_key_file;  // empty: the key in the environment, or no encryption
  bool encrypt_existing = false;    // encrypt a store that is not encrypted yet
  std::string version;              // of the program
  bool metrics_open = false;        // anybody may read /metrics, although keys are asked for elsewhere
  std::string metrics_token_file;   // holds the word that readers of /metrics must know; empty: none

  std::vector<std::string> contracts;   // files, or folders of files
  std::vector<std::string> parameters;  // of contracts: "env=prod"

  // The built-in workers to run, of those that contracts in force name; absent: all of them.
  std::optional<std::vector<std::string>> workers;
  std::string workflows;  // the folder with those that the worker `steps` runs; "": it does not run

  // Of queues that do not say it themselves; absent: no alarm.
  std::optional<int64_t> alarm_depth;
  std::optional<int64_t> alarm_age_seconds;
  std::optional<int64_t> dead_letter_alarm_depth;
  std::string alarm_webhook;              // a URL; empty: the log alone tells of alarms
  std::string alarm_webhook_secret_file;  // what posts to it are signed with; empty: they are not
};

struct Address {
  std::string host;
  uint16_t port = 0;
};

// "127.0.0.1:8000", "localhost:8000", "[::1]:8000". The error says what is expected.
Result<Address> parse_address(std::string_view text);

// True for addresses that only this machine can reach.
bool is_loopback(std::string_view host);

// Whether a server may be started so; the error says what to do.
Status check(const Config& config);

}  // namespace waybill::server
