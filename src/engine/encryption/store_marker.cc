#include "engine/encryption/store_marker.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>

#include "engine/encryption/file_descriptor.h"
#include "engine/encryption/hex.h"

namespace waybill::engine::encryption {
namespace {

constexpr std::string_view first_line = "waybill encryption 1\n";
constexpr std::size_t marker_bytes_max = 4096;

std::string path_of(const std::string& data_dir) {
  return data_dir + "/encryption";
}

// The lines that the check is of.
std::string body(bool converting, const KeyId& key) {
  return std::string(first_line) + "state " + (converting ? "converting" : "encrypted") + "\nkey " +
         key.text() + "\n";
}

// Takes "name value\n" from the front of `text`; the value.
std::optional<std::string_view> take_line(std::string_view& text, std::string_view name) {
  const auto end = text.find('\n');
  if (end == std::string_view::npos || !text.starts_with(name)) {
    return std::nullopt;
  }
  const auto value = text.substr(name.size(), end - name.size());
  text.remove_prefix(end + 1);
  return value;
}

}  // namespace

bool Marker::is_of(const MasterKey& master) const {
  return mac_of(master.secret, body(converting, key)) == check;
}

std::string marker_text(bool converting, const MasterKey& master) {
  const std::string lines = body(converting, master.id);
  const Mac check = mac_of(master.secret, lines);
  return lines + "check " + to_hex(check.data(), check.size()) + "\n";
}

std::optional<Marker> parse_marker(std::string_view text) {
  if (!text.starts_with(first_line)) {
    return std::nullopt;
  }
  text.remove_prefix(first_line.size());
  const auto state = take_line(text, "state ");
  const auto key = take_line(text, "key ");
  const auto check = take_line(text, "check ");
  Marker marker;
  if (!state || (*state != "encrypted" && *state != "converting") || !key ||
      !from_hex(*key, marker.key.bytes.data(), marker.key.bytes.size()) || !check ||
      !from_hex(*check, marker.check.data(), marker.check.size())) {
    return std::nullopt;
  }
  marker.converting = *state == "converting";
  return marker;
}

Result<std::optional<Marker>> read_marker(const std::string& data_dir) {
  const std::string path = path_of(data_dir);
  const FileDescriptor file(path, O_RDONLY);
  if (!file.is_open()) {
    if (errno == ENOENT) {
      return std::optional<Marker>();
    }
    return io_error("open", path);
  }
  WAYBILL_TRY_ASSIGN(const std::string text, read_up_to(file.number(), marker_bytes_max, 0, path));
  auto marker = parse_marker(text);
  if (!marker) {
    return Error{ErrorKind::corruption,
                 path +
                     " is damaged. It is made anew from the store's files where it is missing: move it away "
                     "and start again",
                 {}};
  }
  return marker;
}

Status write_marker(const std::string& data_dir, bool converting, const MasterKey& master) {
  const std::string path = path_of(data_dir);
  const std::string unfinished = path + ".new";
  {
    const FileDescriptor file(unfinished, O_WRONLY | O_CREAT | O_TRUNC);
    if (!file.is_open()) {
      return io_error("open", unfinished);
    }
    WAYBILL_TRY(write_all(file.number(), marker_text(converting, master), 0, unfinished));
    WAYBILL_TRY(sync_file(file.number(), unfinished));
  }
  if (std::rename(unfinished.c_str(), path.c_str()) != 0) {
    return io_error("replace", path);
  }
  return sync_directory(data_dir);
}

}  // namespace waybill::engine::encryption
