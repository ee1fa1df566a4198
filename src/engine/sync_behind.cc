#include "engine/sync_behind.h"

#include <utility>

#include "base/check.h"
#include "engine/writer.h"

namespace waybill::engine {

constinit thread_local SyncBehind* SyncBehind::current_ = nullptr;

SyncBehind::SyncBehind(uint32_t entries) : entries_left_(entries) {
  WAYBILL_CHECK(current_ == nullptr);
  current_ = this;
}

SyncBehind::~SyncBehind() {
  wait();
  current_ = nullptr;
}

bool SyncBehind::puts_off(Log& log) {
  if (current_ == nullptr || current_->log_ != nullptr || current_->entries_left_ == 0) {
    return false;
  }
  current_->log_ = &log;
  return true;
}

void SyncBehind::wait() {
  Log* const log = std::exchange(log_, nullptr);
  if (log == nullptr) {
    return;
  }
  if (const auto status = log->sync_now(); !status.ok()) {
    end_process("a write to disk failed: " + status.ToString());
  }
}

}  // namespace waybill::engine
