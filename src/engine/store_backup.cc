#include "engine/store_backup.h"

#include <fcntl.h>
#include <rocksdb/utilities/backup_engine.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <future>
#include <memory>
#include <system_error>

#include "base/entropy.h"
#include "engine/database.h"
#include "engine/encryption/encrypted_file_system.h"
#include "engine/encryption/file_header.h"
#include "engine/layout.h"
#include "engine/watermark.h"

namespace waybill::engine {

namespace {

namespace fs = std::filesystem;

Error failed(const std::string& what, const rocksdb::Status& status) {
  return Error{ErrorKind::unavailable, what + ": " + status.ToString(), {}};
}

rocksdb::BackupEngineOptions options_for(const std::string& folder, rocksdb::Env* env) {
  rocksdb::BackupEngineOptions options(folder, env);
  options.share_table_files = true;
  options.share_files_with_checksum = true;
  options.sync = true;
  options.max_background_operations = 1;  // clients come first
  options.callback_trigger_interval_size = 1 << 20;
  return options;
}

uint64_t bytes_under(const std::string& folder) {
  uint64_t bytes = 0;
  std::error_code failure;
  for (fs::recursive_directory_iterator at(folder, failure), end; !failure && at != end;
       at.increment(failure)) {
    std::error_code gone;
    const auto size = at->is_regular_file(gone) ? at->file_size(gone) : 0;
    bytes += gone ? 0 : size;
  }
  return bytes;
}

bool is_empty(const std::string& folder) {
  std::error_code failure;
  return !fs::exists(folder, failure) || fs::is_empty(folder, failure);
}

Status check_folder(const std::string& folder) {
  if (is_empty(folder) || fs::is_directory(folder + "/meta")) {
    return {};
  }
  return invalid(folder +
                 " holds other things than backups; name an empty folder, or one with earlier backups");
}

// What a backup must have at least: nothing that was acknowledged before it began may be missing.
std::string metadata_of(uint64_t commit) {
  return "commit " + std::to_string(commit);
}

uint64_t commit_in(const std::string& metadata) {
  constexpr std::string_view before = "commit ";
  uint64_t commit = 0;
  if (metadata.starts_with(before)) {
    std::from_chars(metadata.data() + before.size(), metadata.data() + metadata.size(), commit);
  }
  return commit;
}

store::StoreBackup described(const rocksdb::BackupInfo& info) {
  return {info.backup_id, info.timestamp * 1000, info.size, 0, info.number_files};
}

// The file system on which backups are read, and a store is made of one.
class ReadingEnv {
 public:
  explicit ReadingEnv(const encryption::KeyRingPtr& keys) {
    if (keys) {
      using encryption::EncryptedFileSystem;
      files_ = std::make_shared<EncryptedFileSystem>(rocksdb::FileSystem::Default(), keys, entropy_,
                                                     EncryptedFileSystem::PlainFiles::accepted);
      env_ = rocksdb::NewCompositeEnv(files_);
    }
  }
  rocksdb::Env* get() const { return env_ ? env_.get() : rocksdb::Env::Default(); }

 private:
  SystemEntropy entropy_;
  std::shared_ptr<encryption::EncryptedFileSystem> files_;
  std::unique_ptr<rocksdb::Env> env_;
};

// Whether the descriptions of the backups in a folder can be read with these keys.
Status check_keys(const std::string& folder, const encryption::KeyRing* keys) {
  for (const auto& entry : fs::directory_iterator(folder + "/meta")) {
    std::ifstream file(entry.path(), std::ios::binary);
    std::string start(encryption::header_bytes, '\0');
    file.read(start.data(), static_cast<std::streamsize>(start.size()));
    start.resize(static_cast<std::size_t>(file.gcount()));
    if (encryption::content_of(start) != encryption::Content::sealed) {
      continue;
    }
    const auto ids = encryption::key_ids_of(start);
    if (keys == nullptr) {
      return invalid("the backups in " + folder + " are encrypted with key " + ids.front().text() +
                     ": give it with --encryption-key-file FILE");
    }
    if (std::ranges::none_of(ids, [&](const auto& id) { return keys->find(id) != nullptr; })) {
      return invalid("the backups in " + folder + " are encrypted with key " + ids.front().text() +
                     ", which is not among the given keys (" + keys->ids() + ")");
    }
  }
  return {};
}

Result<std::unique_ptr<rocksdb::BackupEngineReadOnly>> open_for_reading(const std::string& folder,
                                                                        const encryption::KeyRingPtr& keys,
                                                                        rocksdb::Env* env) {
  if (!fs::is_directory(folder + "/meta")) {
    return invalid(folder + " holds no backups");
  }
  WAYBILL_TRY(check_keys(folder, keys.get()));
  rocksdb::BackupEngineReadOnly* opened = nullptr;
  if (const auto status = rocksdb::BackupEngineReadOnly::Open(options_for(folder, env), env, &opened);
      !status.ok()) {
    return failed("the backups in " + folder + " can't be read", status);
  }
  return std::unique_ptr<rocksdb::BackupEngineReadOnly>(opened);
}

Result<std::unique_ptr<rocksdb::BackupEngine>> open_for_writing(const std::string& folder,
                                                                rocksdb::Env* env) {
  WAYBILL_TRY(check_folder(folder));
  std::error_code failure;
  fs::create_directories(folder, failure);
  if (failure) {
    return Error{ErrorKind::unavailable, "cannot make the folder " + folder + ": " + failure.message(), {}};
  }
  rocksdb::BackupEngine* opened = nullptr;
  if (const auto status = rocksdb::BackupEngine::Open(options_for(folder, env), env, &opened); !status.ok()) {
    return failed(
        "the backups in " + folder +
            " can't be opened; where they were made with other keys, or without any, name another folder",
        status);
  }
  return std::unique_ptr<rocksdb::BackupEngine>(opened);
}

void sync_directory(const std::string& path) {
  const int directory = ::open(path.c_str(), O_DIRECTORY | O_RDONLY | O_CLOEXEC);
  if (directory >= 0) {
    ::fsync(directory);
    ::close(directory);
  }
}

// Calls `progress` while `work` runs elsewhere.
template <typename Work>
rocksdb::Status watched(const std::string& growing, uint64_t total, const store::Progress& progress,
                        Work work) {
  auto running = std::async(std::launch::async, work);
  while (running.wait_for(std::chrono::milliseconds(100)) != std::future_status::ready) {
    progress(std::min(bytes_under(growing), total), total);
  }
  return running.get();
}

}  // namespace

Result<store::StoreBackup> back_up(const Database& database, const std::string& folder, uint32_t keep,
                                   const store::Progress& progress) {
  WAYBILL_TRY_ASSIGN(const auto engine, open_for_writing(folder, database.db().GetEnv()));
  rocksdb::PinnableSlice commit;
  WAYBILL_TRY_ASSIGN(const bool has_commit, database.get(database.meta(), layout::commit_key, commit));
  const auto metadata = metadata_of(has_commit ? load_u64_be(commit.data()) : 0);

  uint64_t total = 0;
  database.db().GetAggregatedIntProperty(rocksdb::DB::Properties::kLiveSstFilesSize, &total);
  total += database.unflushed_bytes();
  const uint64_t before = bytes_under(folder);
  std::atomic<uint64_t> copied{0};
  std::atomic<bool> stopped{false};
  rocksdb::CreateBackupOptions options;
  options.progress_callback = [&] {
    copied += 1 << 20;
    if (!progress(std::min(copied.load(), total), total) && !stopped.exchange(true)) {
      engine->StopBackup();
    }
  };
  rocksdb::BackupID number = 0;
  const auto status = engine->CreateNewBackupWithMetadata(options, &database.db(), metadata, &number);
  if (!status.ok()) {
    return stopped ? Error{ErrorKind::unavailable,
                           "the backup was stopped; what it has copied stays for the next",
                           {}}
                   : failed("the backup in " + folder + " did not succeed", status);
  }
  rocksdb::BackupInfo info;
  if (const auto found = engine->GetBackupInfo(number, &info); !found.ok()) {
    return failed("the new backup in " + folder + " can't be read", found);
  }
  auto made = described(info);
  made.new_bytes = bytes_under(folder) - std::min(before, bytes_under(folder));
  if (const auto purged = keep > 0 ? engine->PurgeOldBackups(keep) : rocksdb::IOStatus::OK(); !purged.ok()) {
    return failed("the backup is made, but older ones in " + folder + " can't be deleted", purged);
  }
  progress(total, total);
  return made;
}

Result<std::vector<store::StoreBackup>> list_store_backups(const std::string& folder,
                                                           const encryption::KeyRingPtr& keys) {
  const ReadingEnv env(keys);
  WAYBILL_TRY_ASSIGN(const auto engine, open_for_reading(folder, keys, env.get()));
  std::vector<rocksdb::BackupInfo> infos;
  engine->GetBackupInfo(&infos);
  std::vector<store::StoreBackup> backups;
  backups.reserve(infos.size());
  for (const auto& info : infos) {
    backups.push_back(described(info));
  }
  return backups;
}

Result<store::StoreBackup> restore_store(const std::string& folder, const RestoreTarget& target,
                                         const encryption::KeyRingPtr& keys,
                                         const store::Progress& progress) {
  const auto& data_dir = target.data_dir;
  const std::string restoring = data_dir + "/restoring";
  fs::remove_all(restoring);
  if (!is_empty(data_dir)) {
    return invalid(data_dir + " is not empty; name a directory that is, or move this one away first");
  }
  const ReadingEnv env(keys);
  WAYBILL_TRY_ASSIGN(const auto engine, open_for_reading(folder, keys, env.get()));
  rocksdb::BackupInfo info;
  const auto found = target.number == 0 ? engine->GetLatestBackupInfo(&info)
                                        : engine->GetBackupInfo(rocksdb::BackupID{target.number}, &info);
  if (!found.ok()) {
    return failed("there is no such backup in " + folder, found);
  }
  if (const auto whole = engine->VerifyBackup(info.backup_id, true); !whole.ok()) {
    return failed("backup " + std::to_string(info.backup_id) + " in " + folder +
                      " is damaged and was not restored; try an earlier one (--backup N)",
                  whole);
  }
  fs::create_directories(restoring);
  const auto status = watched(restoring, info.size, progress, [&] {
    return rocksdb::Status(engine->RestoreDBFromBackup(info.backup_id, restoring, restoring));
  });
  if (!status.ok()) {
    return failed("restoring to " + data_dir + " did not succeed", status);
  }
  // A start checks the log against this: what was acknowledged before the backup must be in it.
  WAYBILL_TRY_ASSIGN(auto watermark, Watermark::open(data_dir + "/acknowledged"));
  WAYBILL_TRY(watermark.note(commit_in(info.app_metadata)));
  WAYBILL_TRY(watermark.sync());
  sync_directory(restoring);
  fs::rename(restoring, data_dir + "/engine");
  sync_directory(data_dir);
  progress(info.size, info.size);
  return described(info);
}

}  // namespace waybill::engine
