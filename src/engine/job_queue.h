#pragma once

#include <atomic>
#include <memory>
#include <thread>

#include "base/burst.h"

namespace waybill::engine {

class Batch;

// A piece of work for the writer thread.
class Job {
 public:
  virtual ~Job() = default;

  // Decides against the store and what this batch has changed already, and adds its own changes.
  virtual void decide(Batch& batch) = 0;

  // Whether it must see all changes before it on disk, and so takes a batch for itself.
  virtual bool alone() const { return false; }

  // Asked once it has decided. Whether what it says may only be told when the batch is written; otherwise it
  // is told at once.
  virtual bool needs_write() const { return true; }
  // Whether it may only be told when the batch is synced; otherwise it is told as soon as the batch is
  // written, where all jobs of the batch are about queues alone.
  virtual bool needs_sync() const { return true; }
  virtual bool is_about_queues() const { return false; }

  // The batch is on disk: tell whoever waits.
  virtual void finish() = 0;

 private:
  friend class JobQueue;
  Job* next_ = nullptr;
};

// Jobs on their way to the writer: many threads push, one takes all. No lock.
class JobQueue final : private Burst::Sleeper {
 public:
  JobQueue() = default;
  ~JobQueue() { delete_all(head_.load()); }
  JobQueue(const JobQueue&) = delete;
  JobQueue& operator=(const JobQueue&) = delete;

  void push(std::unique_ptr<Job> job) {
    Job* const pushed = job.release();
    Job* head = head_.load(std::memory_order_relaxed);
    do {
      pushed->next_ = head;
    } while (
        !head_.compare_exchange_weak(head, pushed, std::memory_order_release, std::memory_order_relaxed));
    if (head == nullptr) {
      Burst::wake(*this);
    }
  }

  // Waits until there is at least one job; calls take(job) for each, in the order they came. Looks `looks`
  // times before it falls asleep: being woken takes longer than a few of them.
  template <typename Take>
  void take_all(int looks, Take take) {
    for (; looks > 0 && head_.load(std::memory_order_relaxed) == nullptr; --looks) {
      std::this_thread::yield();
    }
    Job* list = head_.exchange(nullptr, std::memory_order_acquire);
    while (list == nullptr) {
      head_.wait(nullptr, std::memory_order_acquire);
      list = head_.exchange(nullptr, std::memory_order_acquire);
    }
    for (Job* job = reverse(list); job != nullptr;) {
      Job* const next = job->next_;
      take(std::unique_ptr<Job>(job));
      job = next;
    }
  }

 private:
  void wake() override { head_.notify_one(); }

  static Job* reverse(Job* list) {
    Job* reversed = nullptr;
    while (list != nullptr) {
      Job* const next = list->next_;
      list->next_ = reversed;
      reversed = list;
      list = next;
    }
    return reversed;
  }

  static void delete_all(Job* list) {
    while (list != nullptr) {
      Job* const next = list->next_;
      delete list;
      list = next;
    }
  }

  std::atomic<Job*> head_{nullptr};
};

}  // namespace waybill::engine
