#include "transfer/worker.h"

#include <chrono>
#include <utility>

#include "base/thread_name.h"

namespace waybill::transfer {

namespace {

constexpr auto retry_interval = std::chrono::seconds(5);

}  // namespace

Worker::Worker(std::string name, std::function<bool()> work)
    : name_(std::move(name)), work_(std::move(work)), thread_([this] { run(); }) {}

Worker::~Worker() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  woken_condition_.notify_one();
  thread_.join();
}

void Worker::wake() {
  {
    const std::lock_guard lock(mutex_);
    woken_ = true;
  }
  woken_condition_.notify_one();
}

void Worker::run() {
  name_this_thread(name_.c_str());
  std::unique_lock lock(mutex_);
  const auto is_called = [this] { return woken_ || ending_; };
  while (!ending_) {
    woken_ = false;
    lock.unlock();
    const bool done = work_();
    lock.lock();
    if (done) {
      woken_condition_.wait(lock, is_called);
    } else {
      woken_condition_.wait_for(lock, retry_interval, is_called);
    }
  }
}

}  // namespace waybill::transfer
