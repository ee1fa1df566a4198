#pragma once

#include <atomic>

#include "http/task.h"

namespace waybill::http {

// Tasks for one thread, put in by any. A linked stack that the reader takes as a whole, so a burst of tasks
// wakes the reader once.
//
// Thread safety: push() from any thread; take_all() and close() from the one that runs the tasks.
class TaskQueue {
 public:
  enum class Pushed : unsigned char { first, behind_others, closed };

  ~TaskQueue() { close(); }

  // Where `first`, the caller has to wake the reader. Where `closed`, the task has been dropped.
  Pushed push(Task* task) {
    Task* head = head_.load(std::memory_order_relaxed);
    do {
      if (head == closed_mark()) {
        task->drop();
        return Pushed::closed;
      }
      task->next = head;
    } while (!head_.compare_exchange_weak(head, task, std::memory_order_seq_cst, std::memory_order_relaxed));
    return head == nullptr ? Pushed::first : Pushed::behind_others;
  }

  // Whether there is nothing to take.
  bool empty() const {
    const Task* const head = head_.load();
    return head == nullptr || head == &mark_;
  }

  // Takes every task that is in, as a list in the order they came; null where there is none.
  Task* take_all() {
    if (head_.load(std::memory_order_relaxed) == closed_mark()) {
      return nullptr;
    }
    return in_order(head_.exchange(nullptr, std::memory_order_acquire));
  }

  // Drops every task that is in or will come.
  void close() {
    Task* head = head_.exchange(closed_mark(), std::memory_order_acquire);
    for (Task* task = in_order(head == closed_mark() ? nullptr : head); task != nullptr;) {
      Task* const next = task->next;
      task->drop();
      task = next;
    }
  }

 private:
  class Mark final : public Task {
    void run() override {}
    void drop() override {}
  };

  Task* closed_mark() { return &mark_; }

  static Task* in_order(Task* newest) {
    Task* oldest = nullptr;
    while (newest != nullptr) {
      Task* const next = newest->next;
      newest->next = oldest;
      oldest = newest;
      newest = next;
    }
    return oldest;
  }

  Mark mark_;
  std::atomic<Task*> head_{nullptr};
};

}  // namespace waybill::http
