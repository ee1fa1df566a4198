#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "base/entropy.h"
#include "base/result.h"
#include "engine/encryption/encrypted_file_system.h"
#include "engine/encryption/opening.h"

namespace waybill::engine::encryption {

// The thread that brings every file of an open store under the current key: those under older keys, and
// plain ones where the store is being converted. It says so in the log when the older keys are of no more
// use, and notes it beside the store. What a stop or a crash cuts short goes on at the next start.
//
// Thread safety: use() from any thread.
class Caretaker {
 public:
  // `files` and `entropy` outlive this. The store is open.
  Caretaker(EncryptedFileSystem& files, std::string data_dir, Entropy& entropy, Mode mode);
  ~Caretaker();

  // Takes new keys into use: from here on all that is written is under the first of them. Refused, with
  // nothing changed, where one is missing that a file still needs.
  Status use(KeyRing keys);

 private:
  void run();
  Status bring_all_under_current_key();
  Status bring_under_current_key(const std::string& name);
  Result<bool> conclude();
  // Waits; false where the thread is to end, or has other keys to look after.
  bool pause(int milliseconds);

  EncryptedFileSystem& files_;
  const std::string data_dir_;
  Entropy& entropy_;
  bool converting_;  // of the thread alone

  std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  bool stopping_ = false;
  bool keys_are_new_ = true;

  std::thread thread_;
};

}  // namespace waybill::engine::encryption
