#include "intake/progress.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/descriptor.h"
#include "base/json.h"

namespace waybill::intake {
namespace {

constexpr int64_t format_version = 1;

Error no_progress() {
  return Error{ErrorKind::corruption, "it is no file of an import's progress", {}};
}

uint64_t count_in(const json::Value& object, std::string_view name) {
  const auto value = object.find(name);
  return value ? static_cast<uint64_t>(value->integer().value_or(0)) : 0;
}

bool truth_in(const json::Value& object, std::string_view name) {
  const auto value = object.find(name);
  return value && value->type() == json::Type::boolean && value->boolean();
}

Status cannot(const std::string& what, const std::string& path) {
  return Error{ErrorKind::unavailable, "cannot " + what + " " + path + ": " + std::strerror(errno), {}};
}

}  // namespace

std::string progress_text(const Progress& progress) {
  std::string text;
  json::Writer out(text);
  out.begin_object().key("version").integer(format_version);
  out.key("fingerprint").string(progress.fingerprint);
  out.key("was_prepared").boolean(progress.was_prepared);
  out.key("last_key").begin_array();
  for (const auto& part : progress.last_key) {
    out.string(part);
  }
  out.end_array();
  out.key("rows").integer(static_cast<int64_t>(progress.rows));
  out.key("written").integer(static_cast<int64_t>(progress.written));
  out.key("rejected").integer(static_cast<int64_t>(progress.rejected));
  out.key("expired").integer(static_cast<int64_t>(progress.expired));
  out.key("checksum").string(progress.checksum.hex());
  out.key("is_complete").boolean(progress.is_complete);
  out.key("is_finished").boolean(progress.is_finished).end_object();
  return text + "\n";
}

Result<Progress> parse_progress(std::string_view text) {
  json::Parser parser;
  const auto object = parser.parse_copy(text);
  if (!object || !object->is_object() || count_in(*object, "version") != format_version) {
    return no_progress();
  }
  const auto fingerprint = object->find("fingerprint");
  const auto last_key = object->find("last_key");
  const auto checksum = object->find("checksum");
  const auto digest = checksum && checksum->is_string() ? digest_of_hex(checksum->string()) : std::nullopt;
  if (!fingerprint || !fingerprint->is_string() || !last_key || !last_key->is_array() || !digest) {
    return no_progress();
  }
  Progress progress;
  progress.fingerprint = fingerprint->string();
  for (json::Elements parts(*last_key); parts.next();) {
    if (!parts.value().is_string()) {
      return no_progress();
    }
    progress.last_key.emplace_back(parts.value().string());
  }
  progress.checksum = *digest;
  progress.was_prepared = truth_in(*object, "was_prepared");
  progress.rows = count_in(*object, "rows");
  progress.written = count_in(*object, "written");
  progress.rejected = count_in(*object, "rejected");
  progress.expired = count_in(*object, "expired");
  progress.is_complete = truth_in(*object, "is_complete");
  progress.is_finished = truth_in(*object, "is_finished");
  return progress;
}

Result<std::optional<Progress>> load_progress(const std::string& path) {
  if (!std::filesystem::exists(path)) {
    return std::optional<Progress>();
  }
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  auto progress = file ? parse_progress(text) : no_progress();
  if (!progress) {
    return Error{
        progress.error().kind, path + ": " + progress.error().message + "; --restart begins anew", {}};
  }
  return std::optional(*std::move(progress));
}

Status save_progress(const std::string& path, const Progress& progress) {
  constexpr mode_t readable = 0644;
  const std::string beside = path + ".new";
  {
    const Descriptor file(::open(beside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, readable));
    if (!file.is_open() || !write_all(file, progress_text(progress)) || ::fsync(file.number()) != 0) {
      return cannot("write", beside);
    }
  }
  if (std::rename(beside.c_str(), path.c_str()) != 0 ||
      !sync_folder(std::filesystem::path(path).parent_path().string())) {
    return cannot("replace", path);
  }
  return {};
}

}  // namespace waybill::intake
