#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "load/job.h"

namespace waybill::load {

// What the generator knows of each loaded item: the status last written, one byte each, and whether a request
// for it is in flight. It lets conditions hold and answers be checked although nobody asks the server first.
//
// A run starts from the state of a fresh load, or from the file in which the last run left its knowledge.
class ItemStates {
 public:
  explicit ItemStates(const Population& population);

  const Population& population() const { return population_; }

  // Takes over what `path` holds. A missing file is no error: everything is as loaded. From now on an item's
  // status is not only assumed but known.
  Status read(const std::string& path);
  Status write(const std::string& path) const;
  bool known() const { return known_; }

  // Of an item beyond the loaded ones: the status it is created with.
  JobStatus status(uint64_t id) const;
  void set(uint64_t id, JobStatus status);

  // Takes a loaded item for one request: false where it is taken already, or not there to be changed.
  bool take(uint64_t id);
  void release(uint64_t id);

  // The newest items of a loaded user, newest first, at most `count_max`.
  std::vector<uint64_t> newest_of(uint64_t user, std::size_t count_max) const;

 private:
  Population population_;
  std::vector<uint8_t> bytes_;  // a JobStatus, and the mark of one that is taken
  bool known_ = false;
};

}  // namespace waybill::load
