#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "alarm/ledger.h"
#include "alarm/notice.h"
#include "alarm/poster.h"
#include "base/clock.h"

namespace waybill::alarm {

// Tells notices one after the other, in their order, until each is taken, refused, or a day old.
//
// Thread safety: every method may be called from any thread.
class Sender {
 public:
  // Begins with what the ledger has. Ledger and clock outlive it.
  Sender(Ledger& ledger, const Clock& clock, std::unique_ptr<Poster> poster);
  // What was not told yet stays in the ledger.
  ~Sender();
  Sender(const Sender&) = delete;
  Sender& operator=(const Sender&) = delete;

  // Notices that are in the ledger, on disk.
  void tell(const std::vector<Notice>& notices);

  std::size_t waiting() const;

 private:
  void run();
  bool is_over(const Notice& notice);

  Ledger& ledger_;
  const Clock& clock_;
  const std::unique_ptr<Poster> poster_;
  int failures_ = 0;  // in a row; of the thread alone

  mutable std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  bool stopping_ = false;
  std::deque<Notice> waiting_;

  std::thread thread_;
};

}  // namespace waybill::alarm
