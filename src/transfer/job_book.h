#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "transfer/job.h"

namespace waybill::transfer {

// The jobs of one kind that there are, as everybody sees them.
//
// Thread safety: every method may be called from any thread.
template <typename TheJob>
class JobBook {
 public:
  using Ptr = std::shared_ptr<const TheJob>;

  void put(TheJob job) {
    auto next = std::make_shared<const TheJob>(std::move(job));
    const std::lock_guard lock(mutex_);
    jobs_.insert_or_assign(next->id, next);
  }

  void forget(const std::string& id) {
    const std::lock_guard lock(mutex_);
    jobs_.erase(id);
  }

  Ptr find(std::string_view id) const {
    const std::lock_guard lock(mutex_);
    const auto found = jobs_.find(id);
    return found == jobs_.end() ? nullptr : found->second;
  }

  // By id, which is by the time when they began.
  std::vector<Ptr> all() const {
    const std::lock_guard lock(mutex_);
    std::vector<Ptr> listed;
    listed.reserve(jobs_.size());
    for (const auto& [id, job] : jobs_) {
      listed.push_back(job);
    }
    return listed;
  }

  std::vector<Ptr> in_progress() const {
    auto listed = all();
    std::erase_if(listed, [](const Ptr& job) { return job->state != JobState::in_progress; });
    return listed;
  }

 private:
  mutable std::mutex mutex_;  // guards jobs_
  std::map<std::string, Ptr, std::less<>> jobs_;
};

}  // namespace waybill::transfer
