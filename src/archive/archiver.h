#pragma once

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "item/value.h"
#include "store/store.h"

namespace waybill::archive {

// A record that waits to be archived.
struct Waiting {
  std::string contract;
  int64_t number = 0;  // rises
  int64_t time_ms = 0;
  std::string record;  // "orchestrator/job/ID"
  item::Item item;
};

// One line of an archive's file: {"Item":{…},"Record":"orchestrator/job/ID","ArchivedAt":"…"}
std::string line_of(const Waiting& waiting);

// Where a file goes whose first record is this one: "orchestrator/2027/01/15/00000000000123456789.json.gz".
std::string file_of(const Waiting& first);

// Writes what waits to files, and takes it out of the store then. A file is on disk before its records are
// taken out; after a kill in between it is written again, under the same name, with all that waits by then.
//
// Thread safety: every method may be called from any thread.
class Archiver {
 public:
  struct Options {
    const Clock* clock = nullptr;
    std::string folder;  // of the bucket
    int64_t interval_ms = 10'000;
  };

  // Store and clock outlive it.
  Archiver(store::Store& store, Options options);
  // What was not written yet is written after the next start.
  ~Archiver();
  Archiver(const Archiver&) = delete;
  Archiver& operator=(const Archiver&) = delete;

  // Writes all that waits now. Returns how many records that were. Blocks its caller.
  Result<std::size_t> run_once();

 private:
  Result<std::vector<Waiting>> next(const std::string& contract) const;
  Result<std::vector<std::string>> contracts() const;
  Status write(const std::vector<Waiting>& records) const;
  Status take_out(const std::vector<Waiting>& records);
  void run();

  store::Store& store_;
  const Options options_;
  std::mutex running_;  // one run at a time

  std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  bool stopping_ = false;

  std::thread thread_;
};

}  // namespace waybill::archive
