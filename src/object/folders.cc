#include "object/folders.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>

#include "base/check.h"

namespace waybill::object {
namespace {

constexpr mode_t folder_mode = S_IRWXU;

Error unusable(const std::string& path) {
  return invalid("cannot use the folder of the objects " + path + ": " + std::strerror(errno));
}

// The store's own folder. What leads there is the operator's: links in it are followed.
Result<Descriptor> open_root(const std::string& path, Disk& disk) {
  const bool is_new = ::mkdir(path.c_str(), folder_mode) == 0;
  if (!is_new && errno != EEXIST) {
    return unusable(path);
  }
  Descriptor root(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!root.is_open()) {
    return unusable(path);
  }
  if (::flock(root.number(), LOCK_EX | LOCK_NB) != 0) {
    return Error{ErrorKind::in_use,
                 "The folder of the objects is used by another process: " + path +
                     ". Stop that one, or give each a folder of its own.",
                 {}};
  }
  if (is_new) {
    const Descriptor above(::openat(root.number(), "..", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!above.is_open() || disk.sync(above.number()) != 0) {
      return unusable(path);
    }
  }
  return root;
}

}  // namespace

Result<std::shared_ptr<Folders>> Folders::open(const std::string& path, const Clock& clock, Entropy& entropy,
                                               Disk& disk) {
  std::shared_ptr<Folders> folders(new Folders(clock, entropy, disk));
  WAYBILL_TRY(folders->open_folders(path));
  WAYBILL_TRY(folders->clear_incoming());
  return folders;
}

Status Folders::open_folders(const std::string& path) {
  WAYBILL_TRY_ASSIGN(root_, open_root(path, disk_));
  WAYBILL_TRY_ASSIGN(incoming_, make_folder(root_, "incoming"));
  WAYBILL_TRY_ASSIGN(contents_, make_folder(root_, "contents"));
  WAYBILL_TRY(sync(root_));
  return make_content_folders();
}

// All at once and with one sync. Made as they are needed, each would cost the first content in it another
// one.
Status Folders::make_content_folders() const {
  for (const auto& name : content_folders()) {
    if (::mkdirat(contents_.number(), name.c_str(), folder_mode) != 0 && errno != EEXIST) {
      return disk_error("make the folder contents/" + name);
    }
  }
  return sync(contents_);
}

Status Folders::clear_incoming() const {
  return visit_names(incoming_, [this](const std::string& name) -> Status {
    if (ContentId::parse(name)) {
      WAYBILL_TRY(remove_file(incoming_, name));
    }
    return {};
  });
}

Status Folders::sync(const Descriptor& file) const {
  return disk_.sync(file.number()) == 0 ? Status() : Status(disk_error("sync"));
}

Result<Folders::Incoming> Folders::create_incoming() {
  std::string name = ids_.make(clock_.wall_ms());
  WAYBILL_TRY_ASSIGN(auto file, create_file(incoming_, name));
  return Incoming{std::move(file), std::move(name)};
}

void Folders::discard_incoming(const std::string& name) {
  // What cannot be removed now is removed at the next start.
  static_cast<void>(remove_file(incoming_, name).has_value());
}

Result<ContentId> Folders::publish(const Incoming& incoming) {
  WAYBILL_TRY(sync(incoming.file));
  const auto id = ContentId::parse(ids_.make(clock_.wall_ms()));
  WAYBILL_CHECK(id.has_value());
  WAYBILL_TRY_ASSIGN(const Descriptor folder, folder_of(*id));
  if (disk_.rename(incoming_.number(), incoming.name.c_str(), folder.number(), id->text().c_str()) != 0) {
    return disk_error("give a content its place");
  }
  if (auto synced = sync(folder); !synced) {
    static_cast<void>(remove_file(folder, id->text()).has_value());
    return std::move(synced).error();
  }
  return *id;
}

Result<Descriptor> Folders::folder_of(const ContentId& id) const {
  auto folder = open_folder(contents_, id.folder());
  if (!folder && folder.error().kind == ErrorKind::not_found) {
    return Error{ErrorKind::internal,
                 "A folder of the objects is missing. Restart the server, which makes it anew.",
                 "contents/" + id.folder() + " is not there"};
  }
  return folder;
}

Result<Descriptor> Folders::open_content(const ContentId& id) const {
  WAYBILL_TRY_ASSIGN(const Descriptor folder, open_folder(contents_, id.folder()));
  return open_file(folder, id.text());
}

Result<bool> Folders::remove_content(const ContentId& id) const {
  const auto folder = open_folder(contents_, id.folder());
  if (!folder) {
    return folder.error().kind == ErrorKind::not_found ? Result<bool>(false) : Result<bool>(folder.error());
  }
  return remove_file(*folder, id.text());
}

}  // namespace waybill::object
