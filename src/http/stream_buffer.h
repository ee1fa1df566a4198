#pragma once

#include <functional>
#include <mutex>
#include <string>
#include <utility>

#include "http/stream.h"

namespace waybill::http {

// What of a streamed body was written and not put on the wire yet: between whoever writes it and the thread
// of the connection.
//
// Thread safety: every method may be called from any thread.
class StreamBuffer {
 public:
  explicit StreamBuffer(StreamOptions options)
      : on_drained_(std::move(options.on_drained)), options_(std::move(options)) {}

  const StreamOptions& options() const { return options_; }

  enum class Put : unsigned char {
    first,    // the connection's thread has to be told
    added,    // it was told and has not looked yet
    refused,  // nobody will take it
  };

  Put put(std::string bytes) {
    const std::lock_guard lock(mutex_);
    if (gone_ || ended_) {
      return Put::refused;
    }
    if (bytes_.size() + bytes.size() > options_.unsent_bytes_max) {
      overrun_ = true;
      gone_ = true;
      return Put::first;  // it may wait for the client, and not look by itself
    }
    if (bytes_.empty()) {
      bytes_ = std::move(bytes);
    } else {
      bytes_.append(bytes);
    }
    return noted();
  }

  Put end() {
    const std::lock_guard lock(mutex_);
    ended_ = true;
    return gone_ ? Put::refused : noted();
  }

  // Memory of a piece that is on its way, for one that is to come: it need not be asked for anew and cleared.
  void give_back(std::string bytes) {
    const std::lock_guard lock(mutex_);
    spare_ = std::move(bytes);
  }
  std::string take_spare() {
    const std::lock_guard lock(mutex_);
    return std::exchange(spare_, {});
  }

  // Nobody takes what is written from here on, and whoever writes is not told to. On the connection's thread.
  void give_up() {
    {
      const std::lock_guard lock(mutex_);
      gone_ = true;
      bytes_ = std::string();
      spare_ = std::string();
    }
    on_drained_ = {};
  }

  // See StreamOptions. On the connection's thread.
  void tell_drained() const {
    if (on_drained_) {
      on_drained_();
    }
  }

  bool is_gone() const {
    const std::lock_guard lock(mutex_);
    return gone_;
  }

  struct Taken {
    std::string bytes;
    bool ended = false;
    bool overrun = false;
  };

  Taken take() {
    const std::lock_guard lock(mutex_);
    told_ = false;
    return {std::exchange(bytes_, {}), ended_, overrun_};
  }

 private:
  Put noted() { return std::exchange(told_, true) ? Put::added : Put::first; }

  std::function<void()> on_drained_;  // of the connection's thread; what it holds goes with the client
  const StreamOptions options_;
  mutable std::mutex mutex_;  // guards what follows
  std::string bytes_;
  std::string spare_;
  bool told_ = false;     // the connection's thread will look
  bool ended_ = false;    // nothing will be added
  bool overrun_ = false;  // more came than may wait
  bool gone_ = false;
};

}  // namespace waybill::http
