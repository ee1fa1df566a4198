#pragma once

#include <memory>
#include <string>

#include "base/clock.h"
#include "base/result.h"
#include "base/ulid.h"
#include "object/content_id.h"
#include "object/files.h"

namespace waybill::object {

// The folder of a store and the two under it: "incoming", where contents are made, and "contents" with
// 32 folders, where a file is whole and on disk as soon as it has its name.
//
// Thread safety: every method may be called from any thread.
class Folders {
 public:
  // Makes what is not there yet and takes away what an earlier process left in "incoming". The folder is this
  // process's until the last owner is gone. Error in_use where another one has it, invalid where it cannot be
  // made or opened.
  static Result<std::shared_ptr<Folders>> open(const std::string& path, const Clock& clock, Entropy& entropy,
                                               Disk& disk);

  Folders(const Folders&) = delete;
  Folders& operator=(const Folders&) = delete;

  Disk& disk() const { return disk_; }
  const Descriptor& contents() const { return contents_; }

  // A new file in "incoming".
  struct Incoming {
    Descriptor file;
    std::string name;
  };
  Result<Incoming> create_incoming();
  void discard_incoming(const std::string& name);

  // Syncs the file, gives it an id and its place, and syncs that. On failure nothing is in its place; the
  // file in "incoming" may still be there.
  Result<ContentId> publish(const Incoming& incoming);

  Result<Descriptor> open_content(const ContentId& id) const;

  // Whether there was one.
  Result<bool> remove_content(const ContentId& id) const;

 private:
  Folders(const Clock& clock, Entropy& entropy, Disk& disk) : clock_(clock), disk_(disk), ids_(entropy) {}

  Status open_folders(const std::string& path);
  Status make_content_folders() const;
  Status clear_incoming() const;
  Status sync(const Descriptor& file) const;
  Result<Descriptor> folder_of(const ContentId& id) const;

  const Clock& clock_;
  Disk& disk_;
  UlidMaker ids_;
  Descriptor root_;
  Descriptor incoming_;
  Descriptor contents_;
};

}  // namespace waybill::object
