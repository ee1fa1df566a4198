#pragma once

#include <functional>
#include <mutex>
#include <utility>

#include "base/result.h"
#include "engine/encryption/key_ring.h"

namespace waybill::engine::encryption {

// Through which a store is given its keys when it is opened, and others while it is open.
//
// Thread safety: every method may be called from any thread.
class KeyDoor {
 public:
  explicit KeyDoor(KeyRing keys) : keys_(std::make_shared<const KeyRing>(std::move(keys))) {}

  // Those the store was opened with.
  KeyRingPtr keys() const { return keys_; }

  // Gives the open store other keys. The error says why it goes on with those it has.
  Status change(KeyRing keys) {
    const std::lock_guard lock(mutex_);
    return take_ ? take_(std::move(keys)) : Status(invalid("the store is not open"));
  }

  // For the store: what takes the keys, from when it is open until it closes.
  void connect(std::function<Status(KeyRing)> take) {
    const std::lock_guard lock(mutex_);
    take_ = std::move(take);
  }
  void disconnect() { connect(nullptr); }

 private:
  const KeyRingPtr keys_;
  std::mutex mutex_;  // guards take_
  std::function<Status(KeyRing)> take_;
};

}  // namespace waybill::engine::encryption
