#include "engine/encryption/caretaker.h"

#include <chrono>
#include <cstdio>
#include <utility>

#include "base/log.h"
#include "base/thread_name.h"
#include "engine/encryption/file_rewriter.h"

namespace waybill::engine::encryption {
namespace {

constexpr int step_pause_ms = 10;  // after each MiB of a file that is rewritten: at most 100 MiB a second
constexpr int file_pause_ms = 2;   // after each file, so that syncs of the log come between
constexpr int round_pause_ms = 200;
constexpr int failure_pause_ms = 10'000;

// RocksDB is cutting these down piece by piece, and then they are gone.
bool is_going(const std::string& name) {
  return name.ends_with(".trash");
}

}  // namespace

Caretaker::Caretaker(EncryptedFileSystem& files, std::string data_dir, Entropy& entropy, Mode mode)
    : files_(files),
      data_dir_(std::move(data_dir)),
      entropy_(entropy),
      converting_(mode == Mode::converting),
      thread_([this] { run(); }) {}

Caretaker::~Caretaker() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

Status Caretaker::use(KeyRing keys) {
  const KeyId in_use = files_.keys()->current().id;
  WAYBILL_TRY_ASSIGN(const Survey found, survey(data_dir_));
  WAYBILL_TRY(check_keys(found, keys));
  // Of a file that was made since then.
  if (keys.find(in_use) == nullptr) {
    return invalid("key " + in_use.text() + " is still needed, but not among the given keys (" + keys.ids() +
                   ")");
  }
  files_.use(std::make_shared<const KeyRing>(std::move(keys)));
  {
    const std::lock_guard lock(mutex_);
    keys_are_new_ = true;
  }
  changed_.notify_one();
  return {};
}

void Caretaker::run() {
  name_this_thread("encryption");
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return stopping_ || keys_are_new_; });
      if (stopping_) {
        return;
      }
      keys_are_new_ = false;
    }
    for (bool done = false; !done;) {
      auto worked = bring_all_under_current_key();
      auto concluded = worked ? conclude() : Result<bool>(worked.error());
      if (!concluded) {
        log_error("encryption: " + concluded.error().message + "; it will be tried again");
      }
      done = concluded && *concluded;
      if (!done && !pause(concluded ? round_pause_ms : failure_pause_ms)) {
        break;
      }
    }
  }
}

Status Caretaker::bring_all_under_current_key() {
  WAYBILL_TRY_ASSIGN(const auto names, file_names(data_dir_));
  for (const auto& name : names) {
    WAYBILL_TRY(bring_under_current_key(name));
    if (!pause(file_pause_ms)) {
      break;
    }
  }
  return {};
}

Status Caretaker::bring_under_current_key(const std::string& name) {
  const std::string path = files_dir(data_dir_) + "/" + name;
  if (name.ends_with(copy_suffix)) {
    std::remove(path.c_str());
    return {};
  }
  {
    const std::lock_guard lock(files_.names_mutex());
    WAYBILL_TRY(rewrap_file(path, *files_.keys(), entropy_));
  }
  if (!converting_ || is_going(name)) {
    return {};
  }
  return seal_file(path, *files_.keys(), entropy_, files_.names_mutex(),
                   [this] { return pause(step_pause_ms); });
}

// Looks whether all is done, and says so once; false where something is left.
Result<bool> Caretaker::conclude() {
  const auto keys = files_.keys();
  const auto& current = keys->current();
  WAYBILL_TRY_ASSIGN(const Survey found, survey(data_dir_));
  const bool one_key =
      found.sealed.empty() || (found.sealed.size() == 1 && found.sealed.contains({current.id}));
  if (!one_key || (converting_ && found.plain.files > 0)) {
    return false;
  }
  WAYBILL_TRY_ASSIGN(const auto noted, read_marker(data_dir_));
  if (noted && !noted->converting && noted->key == current.id) {
    return true;
  }
  WAYBILL_TRY(write_marker(data_dir_, false, current));
  if (std::exchange(converting_, false)) {
    files_.refuse_plain_files();
    log_info("encryption: every file is encrypted now");
  }
  if (noted && noted->key != current.id) {
    log_info("encryption: every file is under key " + current.id.text() +
             "; no older key is needed any more, except for older copies of the data");
  }
  return true;
}

bool Caretaker::pause(int milliseconds) {
  std::unique_lock lock(mutex_);
  return !changed_.wait_for(lock, std::chrono::milliseconds(milliseconds),
                            [this] { return stopping_ || keys_are_new_; });
}

}  // namespace waybill::engine::encryption
