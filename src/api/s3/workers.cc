#include "api/s3/workers.h"

#include <utility>

#include "base/thread_name.h"

namespace waybill::api::s3 {

Workers::Workers(int threads, const char* name) {
  for (int i = 0; i < threads; ++i) {
    threads_.emplace_back([this, name] {
      name_this_thread(name);
      run();
    });
  }
}

Workers::~Workers() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  for (auto& thread : threads_) {
    thread.join();
  }
}

void Workers::post(Work work) {
  {
    const std::lock_guard lock(mutex_);
    waiting_.push_back(std::move(work));
  }
  changed_.notify_one();
}

void Workers::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return stopping_ || !waiting_.empty(); });
    if (stopping_) {
      return;
    }
    Work work = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    work();
    work = {};
    lock.lock();
  }
}

}  // namespace waybill::api::s3
