#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "queue/queue.h"
#include "table/backup.h"
#include "table/note.h"
#include "table/stream.h"
#include "table/table.h"

namespace waybill::engine {

// The tables, streams, backups and queues that there are, as everyone but the writer sees them: whole states,
// replaced at once.
//
// Thread safety: every method may be called from any thread; publish() from one at a time.
class Catalog {
 public:
  using Tables = std::map<std::string, table::TablePtr, std::less<>>;
  using Streams = std::map<std::string, table::StreamPtr, std::less<>>;  // by layout::stream_id
  using Backups = std::map<std::string, table::BackupPtr, std::less<>>;  // by id
  using Queues = std::map<std::string, queue::QueuePtr, std::less<>>;
  using Held = std::map<std::string, table::HeldTable, std::less<>>;  // by the name of their note

  Catalog();

  table::TablePtr find(std::string_view name) const;
  std::vector<std::string> names(std::string_view after, std::size_t limit) const;
  std::shared_ptr<const Tables> tables() const;
  table::StreamPtr find_stream(std::string_view id) const;
  std::vector<table::StreamPtr> streams() const;

  table::BackupPtr find_backup(std::string_view id) const;
  std::vector<table::BackupPtr> backups() const;

  std::vector<table::HeldTable> held() const;

  queue::QueuePtr find_queue(std::string_view name) const;
  std::vector<std::string> queue_names(std::string_view prefix, std::string_view after,
                                       std::size_t limit) const;
  std::vector<queue::QueuePtr> queues() const;

  struct Contents {
    Tables tables;
    Streams streams;
    Backups backups;
    Held held;
    Queues queues;
  };
  void publish(Contents contents);

 private:
  // This thread's copy of the current state: taken anew under the lock only after a change.
  const std::shared_ptr<const Contents>& current() const;

  const uint64_t id_;  // tells this catalog from others a thread may have seen
  std::atomic<uint64_t> version_{1};

  mutable std::mutex mutex_;  // guards contents_
  std::shared_ptr<const Contents> contents_;
};

}  // namespace waybill::engine
