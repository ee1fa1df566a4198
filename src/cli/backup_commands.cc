#include "cli/backup_commands.h"

#include <chrono>
#include <filesystem>
#include <iomanip>
#include <iostream>

#include "base/json.h"
#include "cli/progress_bar.h"
#include "control/client.h"
#include "engine/store_backup.h"
#include "server/encryption_keys.h"

namespace waybill::cli {

namespace {

int fail(const Error& error) {
  std::cerr << "waybill: " << error.message << "\n";
  return 1;
}

void show_bytes(ProgressBar& bar, std::string_view what, uint64_t done, uint64_t total) {
  bar.show(what, done, total, readable_bytes(done) + " of " + readable_bytes(total));
}

std::string when(int64_t ms) {
  namespace chrono = std::chrono;
  const chrono::sys_seconds moment{chrono::seconds(ms / 1000)};
  const auto day = chrono::floor<chrono::days>(moment);
  const chrono::year_month_day date(day);
  const chrono::hh_mm_ss time(moment - day);
  char text[32];
  std::snprintf(text, sizeof(text), "%04d-%02u-%02u %02ld:%02ld:%02ld UTC", static_cast<int>(date.year()),
                static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()), time.hours().count(),
                time.minutes().count(), time.seconds().count());
  return text;
}

Result<engine::encryption::KeyRingPtr> find_keys(const BackupOptions& options) {
  server::Config config;
  config.encryption_key_file = options.encryption_key_file;
  WAYBILL_TRY_ASSIGN(const auto door, server::find_encryption_keys(config));
  return door ? door->keys() : engine::encryption::KeyRingPtr();
}

int list(const BackupOptions& options) {
  const auto keys = find_keys(options);
  if (!keys) {
    return fail(keys.error());
  }
  const auto backups = engine::list_store_backups(options.folder, *keys);
  if (!backups) {
    return fail(backups.error());
  }
  std::cout << "number  made                     size\n";
  for (const auto& backup : *backups) {
    std::cout << std::setw(6) << backup.number << "  " << when(backup.created_ms) << "  "
              << readable_bytes(backup.bytes) << "\n";
  }
  return 0;
}

std::string request_for(const BackupOptions& options) {
  std::string text;
  json::Writer out(text);
  // The server may stand in another directory than this command.
  out.begin_object().key("command").string("backup");
  out.key("folder").string(std::filesystem::absolute(options.folder).string());
  out.key("keep").integer(options.keep).end_object();
  return text;
}

uint64_t number_in(const json::Value& object, std::string_view name) {
  const auto value = object.find(name);
  return value ? static_cast<uint64_t>(value->integer().value_or(0)) : 0;
}

}  // namespace

int run_backup(const BackupOptions& options) {
  if (options.list) {
    return list(options);
  }
  Result<std::string> answer = std::string();
  {
    ProgressBar bar;
    answer = control::call(options.data_dir, request_for(options), [&](const control::Step& step) {
      show_bytes(bar, step.what, step.done, step.total);
    });
  }
  if (!answer) {
    return fail(answer.error());
  }
  json::Parser parser;
  const auto made = parser.parse_copy(*answer);
  if (!made) {
    return fail(made.error());
  }
  std::cout << "backup " << number_in(*made, "number") << " in " << options.folder << ": "
            << readable_bytes(number_in(*made, "bytes")) << " in " << number_in(*made, "files") << " files, "
            << readable_bytes(number_in(*made, "new_bytes")) << " of it new\n";
  return 0;
}

int run_restore(const BackupOptions& options) {
  const auto keys = find_keys(options);
  if (!keys) {
    return fail(keys.error());
  }
  Result<store::StoreBackup> restored = store::StoreBackup();
  {
    ProgressBar bar;
    restored = engine::restore_store(options.folder, {options.number, options.data_dir}, *keys,
                                     [&](uint64_t done, uint64_t total) {
                                       show_bytes(bar, "restoring", done, total);
                                       return true;
                                     });
  }
  if (!restored) {
    return fail(restored.error());
  }
  std::cout << "backup " << restored->number << " of " << when(restored->created_ms) << " is in "
            << options.data_dir << "; start it with: waybill serve --data " << options.data_dir << "\n";
  return 0;
}

}  // namespace waybill::cli
