#pragma once

#include <future>
#include <map>
#include <mutex>
#include <vector>

#include "alarm/record.h"
#include "base/result.h"
#include "store/store.h"

namespace waybill::alarm {

// The records of all alarms, here and in the store.
//
// Thread safety: every method may be called from any thread but the store's own: those that change something
// return when that is on disk.
class Ledger {
 public:
  // The store outlives it.
  explicit Ledger(store::Store& store) : store_(store) {}

  // Reads what the store has.
  Status load();

  // Alarms that are raised, as decide() takes them.
  State raised() const;
  // Notices that are still to be told, the oldest first.
  std::vector<Notice> untold() const;

  // Alarms that have turned. Where `to_be_told`, their notices stay until told() is called for each.
  Status turn(const std::vector<Notice>& notices, bool to_be_told);
  Status told(const Notice& notice);

 private:
  using Saved = std::vector<std::future<Status>>;
  void save(const Subject& subject, Saved& saved);

  store::Store& store_;
  mutable std::mutex mutex_;  // guards what follows, and the order in which it is written
  std::map<Subject, Record> records_;
};

}  // namespace waybill::alarm
