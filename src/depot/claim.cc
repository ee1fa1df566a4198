#include "depot/claim.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>

#include "base/descriptor.h"
#include "base/ulid.h"

namespace waybill::depot {
namespace {

constexpr std::size_t mark_bytes_max = 1024;

struct Note {
  std::string owner;
  std::string place;
};

std::string line_of(const std::string& text, const std::string& name) {
  const auto begin = text.find(name + " ");
  if (begin == std::string::npos) {
    return "";
  }
  const auto from = begin + name.size() + 1;
  return text.substr(from, text.find('\n', from) - from);
}

std::optional<Note> read_note(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    return {};
  }
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  return Note{line_of(text, "owner"), line_of(text, "place")};
}

// Under a temporary name first, synced, then in its place.
Status write_note(const std::string& path, const Note& note) {
  const std::string temporary = path + ".new";
  const auto refused = [&] { return invalid("cannot write " + path + ": " + std::strerror(errno)); };
  {
    const Descriptor file(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
    if (!file.is_open() || !write_all(file, "owner " + note.owner + "\nplace " + note.place + "\n") ||
        ::fsync(file.number()) != 0) {
      return refused();
    }
  }
  if (::rename(temporary.c_str(), path.c_str()) != 0 ||
      !sync_folder(std::filesystem::path(path).parent_path().string())) {
    return refused();
  }
  return {};
}

bool has_files(const std::string& folder) {
  std::error_code failure;
  for (auto at = std::filesystem::recursive_directory_iterator(folder, failure);
       !failure && at != std::filesystem::recursive_directory_iterator(); at.increment(failure)) {
    if (at->is_regular_file(failure)) {
      return true;
    }
  }
  return false;
}

// "": there is none.
Result<std::string> read_mark(BucketClient& bucket) {
  const auto mark = bucket.read_tail(mark_key, mark_bytes_max);
  if (!mark && mark.error().kind == ErrorKind::not_found) {
    return std::string();
  }
  if (!mark) {
    return invalid("The contents of objects are to be in " + text_of(bucket.location()) + " at " +
                   bucket.connection().endpoint +
                   ", which cannot be used.\n"
                   "Check that the bucket is there, --objects-endpoint, the key (AWS_ACCESS_KEY_ID, "
                   "AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN) and AWS_REGION. The answer was:\n  " +
                   mark.error().detail);
  }
  return line_of(mark->bytes, "owner");
}

Status write_mark(BucketClient& bucket, const std::string& owner) {
  std::string mark = "owner " + owner + "\n";
  if (const auto put = bucket.put(mark_key, mark); !put) {
    return invalid("The contents of objects are to be in " + text_of(bucket.location()) +
                   ", where this server cannot write:\n  " + put.error().detail);
  }
  return {};
}

Error others(const BucketClient& bucket) {
  return invalid(
      "The contents in " + text_of(bucket.location()) +
      " are another server's: they would be taken away as contents that no object has.\n"
      "Give each server a prefix of its own. Where this data directory is that server's after all, "
      "from a backup: put its file objects-in-s3 back.");
}

Error elsewhere(const BucketClient& bucket, const Note& note) {
  return invalid("The contents of this server's objects are in " + note.place + ", and not in " +
                 text_of(bucket.location()) +
                 ".\nGive --objects as before; or copy all of it there first, with the object " +
                 std::string(mark_key) + " (aws s3 sync).");
}

Error in_folder(const BucketClient& bucket, const std::string& folder) {
  const auto place = text_of(bucket.location());
  return invalid("The contents of this server's objects are in " + folder +
                 ".\nTo have them in S3, copy them there with the server stopped, and move the folder away:\n"
                 "  for f in " +
                 folder + "/contents/*; do aws s3 cp --recursive $f " + place + "/; done");
}

}  // namespace

Status claim(BucketClient& bucket, const ClaimOptions& options) {
  WAYBILL_TRY_ASSIGN(const auto mark, read_mark(bucket));
  const auto place = text_of(bucket.location());
  auto note = read_note(options.file);
  if (!note) {
    if (!mark.empty()) {
      return others(bucket);
    }
    if (has_files(options.folder + "/contents")) {
      return in_folder(bucket, options.folder);
    }
    UlidMaker ids(options.entropy);
    note = Note{ids.make(options.clock.wall_ms()), place};
    WAYBILL_TRY(write_note(options.file, *note));
    return write_mark(bucket, note->owner);
  }
  if (mark.empty()) {
    return note->place == place ? write_mark(bucket, note->owner) : Status(elsewhere(bucket, *note));
  }
  if (mark != note->owner) {
    return others(bucket);
  }
  if (note->place != place) {
    note->place = place;
    return write_note(options.file, *note);
  }
  return {};
}

Status check_not_elsewhere(const std::string& file) {
  const auto note = read_note(file);
  if (!note) {
    return {};
  }
  return invalid("The contents of this server's objects are in S3: give --objects " + note->place +
                 ".\nWhere they have been copied into the data directory, delete " + file + ".");
}

}  // namespace waybill::depot
