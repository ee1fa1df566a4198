#include "transfer/import_source.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "base/bytes.h"
#include "base/json.h"
#include "transfer/compression.h"
#include "transfer/digest.h"
#include "transfer/files.h"
#include "transfer/manifest.h"

namespace waybill::transfer {

namespace fs = std::filesystem;

namespace {

constexpr uint64_t manifest_bytes_max = uint64_t{1} << 30;

Error with_code(std::string message, std::string code) {
  return Error{ErrorKind::invalid, std::move(message), std::move(code)};
}

bool is_export(const fs::path& folder) {
  std::error_code ignored;
  return fs::is_regular_file(folder / "manifest-files.json", ignored);
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r' || text.back() == ' ')) {
    text.remove_suffix(1);
  }
  return text;
}

// A manifest's text, after its checksum where there is one.
Result<std::string> read_checked(const fs::path& folder, const std::string& name) {
  WAYBILL_TRY_ASSIGN(auto text, read_file((folder / (name + ".json")).string(), manifest_bytes_max));
  for (const auto* end : {".md5", ".checksum"}) {
    const auto file = folder / (name + end);
    std::error_code ignored;
    if (!fs::is_regular_file(file, ignored)) {
      continue;
    }
    WAYBILL_TRY_ASSIGN(const auto noted, read_file(file.string(), 1024));
    const auto sum = md5(text);
    if (trimmed(noted) != base64(sum) && trimmed(noted) != hex_lower(sum)) {
      return with_code((folder / name).string() + ".json is damaged: it is not what its checksum says",
                       "ChecksumMismatch");
    }
  }
  return text;
}

Status check_readable(const fs::path& folder) {
  std::error_code ignored;
  if (!fs::is_regular_file(folder / "manifest-summary.json", ignored)) {
    return {};
  }
  WAYBILL_TRY_ASSIGN(const auto text, read_checked(folder, "manifest-summary"));
  json::Parser parser;
  const auto summary = parser.parse_copy(text);
  if (!summary || !summary->is_object()) {
    return with_code((folder / "manifest-summary.json").string() + " can't be read", "InvalidManifest");
  }
  const auto is = [&](std::string_view member, std::string_view word) {
    const auto value = summary->find(member);
    return value && value->is_string() && value->string() == word;
  };
  if (is("exportType", "INCREMENTAL_EXPORT") || is("outputFormat", "ION")) {
    return with_code("only full exports in DYNAMODB_JSON can be imported: " + folder.string(),
                     "UnsupportedExport");
  }
  return {};
}

Result<std::vector<SourceFile>> list_export(const fs::path& folder, const std::string& root) {
  WAYBILL_TRY(check_readable(folder));
  WAYBILL_TRY_ASSIGN(const auto text, read_checked(folder, "manifest-files"));
  WAYBILL_TRY_ASSIGN(const auto listed, read_manifest(text));
  std::vector<SourceFile> files;
  for (const auto& file : listed) {
    // An export may have been moved: its files stand where they stood to the manifest.
    const auto path = folder / "data" / fs::path(file.key).filename();
    std::error_code failure;
    const bool is_file = fs::symlink_status(path, failure).type() == fs::file_type::regular;
    const auto bytes = fs::file_size(path, failure);
    if (failure || !is_file) {
      return with_code(path.string() + " is missing", "S3NoSuchKey");
    }
    files.push_back({path.string(), fs::path(path).lexically_relative(root).string(), bytes, file.md5});
  }
  return files;
}

Result<std::vector<SourceFile>> walk(const std::string& folder, std::string_view prefix) {
  std::vector<SourceFile> files;
  std::error_code failure;
  const auto slash = prefix.rfind('/');
  const auto begin =
      slash == std::string_view::npos ? fs::path(folder) : fs::path(folder) / prefix.substr(0, slash);
  auto at = fs::recursive_directory_iterator(begin, failure);
  for (; !failure && at != fs::recursive_directory_iterator(); at.increment(failure)) {
    if (at->is_directory(failure) && at->path().filename() == import_errors_folder) {
      at.disable_recursion_pending();
      continue;
    }
    auto key = at->path().lexically_relative(folder).string();
    if (!failure && at->symlink_status(failure).type() == fs::file_type::regular && key.starts_with(prefix)) {
      files.push_back({at->path().string(), std::move(key), at->file_size(failure), {}});
    }
  }
  if (failure && failure != std::errc::no_such_file_or_directory) {
    return invalid("cannot read the folder " + folder + ": " + failure.message());
  }
  return files;
}

Status verify_file(const SourceFile& file, const std::function<bool()>& go_on) {
  WAYBILL_TRY_ASSIGN(const auto source, open_source(file.path, Compression::none));
  Md5 sum;
  std::string piece;
  for (;;) {
    piece.clear();
    WAYBILL_TRY_ASSIGN(const bool more, source->read(piece));
    if (!more) {
      break;
    }
    if (!go_on()) {
      return {};
    }
    sum.add(piece);
  }
  return sum.finish() == file.md5
             ? Status()
             : Status(with_code(file.path + " is damaged: it is not what the manifest says",
                                "ChecksumMismatch"));
}

}  // namespace

Result<std::vector<SourceFile>> list_source(const std::string& folder, std::string_view prefix) {
  std::error_code ignored;
  if (!fs::is_directory(folder, ignored)) {
    return with_code("there is no folder " + folder, "S3NoSuchBucket");
  }
  const auto named = fs::path(folder) / prefix;
  WAYBILL_TRY_ASSIGN(auto files, is_export(named) ? list_export(named, folder) : walk(folder, prefix));
  if (files.empty()) {
    return with_code("there are no files to import in " + named.string(), "S3NoSuchKey");
  }
  std::ranges::sort(files, {}, &SourceFile::key);
  return files;
}

Status verify(const std::vector<SourceFile>& files, const std::function<bool()>& go_on) {
  for (const auto& file : files) {
    if (!file.md5.empty()) {
      WAYBILL_TRY(verify_file(file, go_on));
    }
  }
  return {};
}

Result<std::optional<std::string>> find_export_folder(const std::string& folder) {
  if (is_export(folder)) {
    return std::optional(folder);
  }
  std::vector<std::string> found;
  for (const auto& parent : {fs::path(folder), fs::path(folder) / "AWSDynamoDB"}) {
    std::error_code failure;
    for (auto at = fs::directory_iterator(parent, failure); !failure && at != fs::directory_iterator();
         at.increment(failure)) {
      if (is_export(at->path())) {
        found.push_back(at->path().string());
      }
    }
  }
  if (found.size() > 1) {
    std::ranges::sort(found);
    return invalid("there are " + std::to_string(found.size()) + " exports in " + folder +
                   "; name one of them: " + found.front() + ", …");
  }
  return found.empty() ? std::optional<std::string>() : std::optional(found.front());
}

}  // namespace waybill::transfer
