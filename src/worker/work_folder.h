#pragma once

#include <memory>
#include <string>

#include "base/clock.h"
#include "base/descriptor.h"
#include "base/result.h"

namespace waybill::worker {

// The folder for files of jobs under way, alone for this process, and gone with it. What processes left that
// were killed is removed by the next one that opens a folder under the same parent.
class WorkFolder {
 public:
  // Makes "waybill-work-XXXXXX" in `parent`, which is made where it is not there.
  static Result<WorkFolder> open(const std::string& parent, const Clock& clock);

  WorkFolder(WorkFolder&&) noexcept = default;
  WorkFolder& operator=(WorkFolder&&) = delete;
  ~WorkFolder();

  const std::string& path() const { return path_; }

 private:
  WorkFolder(std::string path, Descriptor lock) : path_(std::move(path)), lock_(std::move(lock)) {}

  std::string path_;
  Descriptor lock_;  // of the folder, held as long as it is in use
};

}  // namespace waybill::worker
