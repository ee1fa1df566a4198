#pragma once

#include <cstdint>
#include <vector>

#include "load/item_states.h"
#include "load/random.h"
#include "load/request.h"

namespace waybill::load {

// Decides what is asked next. The engine calls next() for a connection that is free, and finished() once for
// each request that next() gave.
class Workload {
 public:
  virtual ~Workload() = default;

  // Fills in `request`, which holds this connection's last one. False: there is nothing (more) to ask.
  virtual bool next(Request& request) = 0;
  virtual void finished(const Request& request, Outcome outcome) = 0;
};

// The part of the table that a run works on.
struct Region {
  uint64_t first = 0;
  uint64_t count = 0;
};

struct WorkloadOptions {
  Operation operation = Operation::get;
  Region region;  // of a load: what to load
  uint64_t round = 0;
  uint64_t seed = 1;
  uint32_t load_items = batch_items;  // how many items one request of a load carries
};

// One operation over and over, on items chosen at random from a region. No two writes of one item are ever
// in flight at once: the outcome of each is known, and no server can fall into a deadlock over them.
class OperationWorkload final : public Workload {
 public:
  OperationWorkload(const WorkloadOptions& options, ItemStates& states);

  bool next(Request& request) override;
  void finished(const Request& request, Outcome outcome) override;

  // The items written last, a few hundred at most.
  const std::vector<uint64_t>& written() const { return written_; }

 private:
  bool next_load(Request& request);
  bool next_new(Request& request);
  bool next_removal(Request& request);
  bool next_writes(Request& request, uint32_t count);
  bool next_update(Request& request);
  bool next_reads(Request& request, uint32_t count);
  bool next_query(Request& request);
  bool next_page(Request& request);

  bool add_random(Request& request);
  void release(const Request& request);
  void remember(uint64_t id);

  WorkloadOptions options_;
  ItemStates& states_;
  Random random_;
  uint64_t step_;       // of the walk through the region that deletes take
  uint64_t given_ = 0;  // how many items a load, put_new or delete has named
  std::vector<uint64_t> written_;
  std::size_t write_at_ = 0;
};

// Gets each of some items once, to see that what was written is there; `corrupt`: that something else is.
class ReadBack final : public Workload {
 public:
  ReadBack(std::vector<uint64_t> ids, const ItemStates& states, bool corrupt)
      : ids_(std::move(ids)), states_(states), corrupt_(corrupt) {}

  bool next(Request& request) override;
  void finished(const Request&, Outcome) override {}

 private:
  std::vector<uint64_t> ids_;
  const ItemStates& states_;
  bool corrupt_;
  std::size_t at_ = 0;
};

}  // namespace waybill::load
