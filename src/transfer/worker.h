#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace waybill::transfer {

// A thread that does what there is to do whenever it is woken, and tries again after a while where that did
// not succeed.
class Worker {
 public:
  // `work` gives false where it is to be tried again. The destructor waits for it: whoever ends the worker
  // sees to it that long work ends early.
  Worker(std::string name, std::function<bool()> work);
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  void wake();

 private:
  void run();

  const std::string name_;
  const std::function<bool()> work_;
  std::mutex mutex_;  // guards what follows
  std::condition_variable woken_condition_;
  bool woken_ = true;
  bool ending_ = false;
  std::thread thread_;
};

}  // namespace waybill::transfer
