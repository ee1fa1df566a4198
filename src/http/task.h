#pragma once

#include <memory>
#include <utility>

namespace waybill::http {

// A piece of work waiting for an I/O thread; a link of the thread's list of them.
class Task {
 public:
  virtual ~Task() = default;
  // Does the work, or only gives up what it holds where the thread has stopped. Ends the task's life.
  virtual void run() = 0;
  virtual void drop() = 0;

  Task* next = nullptr;
};

template <typename Work>
class FunctionTask final : public Task {
 public:
  explicit FunctionTask(Work work) : work_(std::move(work)) {}
  void run() override {
    std::unique_ptr<FunctionTask> self(this);
    work_();
  }
  void drop() override { delete this; }

 private:
  Work work_;
};

template <typename Work>
std::unique_ptr<Task> make_task(Work work) {
  return std::make_unique<FunctionTask<Work>>(std::move(work));
}

}  // namespace waybill::http
