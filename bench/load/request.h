#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "load/job.h"

namespace waybill::load {

enum class Operation : unsigned char {
  create,
  load,
  get,
  put,
  put_new,
  update,
  remove,
  query,
  transact_write,
  batch_write,
  batch_get,
  scan,
  raw,
  // On queues, where `remove` deletes a message. The last three are made of requests of the others.
  send,
  receive,
  round_trip,
  steps,
  wake,
  // On jobs, where `ask` reads any path. The last three, and `load`, are made of requests of the others.
  create_job,
  claim,
  step,
  finish,
  ask,
  lifecycle,
  load_finished,
  claim_latency,
};

// By the name on the command line; `remove` is called "delete" there.
std::string_view name_of(Operation operation);
std::optional<Operation> operation_named(std::string_view name);

// Whether it changes items.
bool writes(Operation operation);

inline constexpr std::size_t batch_items = 25;
inline constexpr std::size_t transaction_items = 4;
inline constexpr std::size_t query_items = 20;
inline constexpr std::size_t scan_items = 100;
inline constexpr std::size_t batch_messages = 10;

struct ItemRef {
  uint64_t id = 0;
  JobStatus status = JobStatus::unknown;  // the one to write, or the one that must be found
};

// What is asked of a server, whatever protocol it speaks.
struct Request {
  Operation operation = Operation::get;
  uint32_t count = 0;  // of items
  // The items asked for or written. Of a load only the first counts: the rest follows it.
  std::array<ItemRef, batch_items> items;
  JobStatus expected_status = JobStatus::unknown;  // of an update: its condition
  int64_t now_ms = 0;                              // of writes: the new updatedAt
  uint64_t user = 0;                               // of a query
  bool scan_begun = false;
  std::optional<JobId> after;  // of a scan: the item before the page; none: from the start
  // The receipt of the message, or the lease of the job, that this connection has and has not let go.
  std::string receipt;
  uint32_t wait_seconds = 0;  // of a receive or a claim
  std::string job;            // the id of the job that this connection has claimed; of an ask: the path
  uint32_t steps_done = 0;    // of that job
  bool has_next = false;      // a step of a round trip, which is counted with its last
  int64_t steps_ns = 0;       // what the steps so far have taken
};

enum class Outcome : unsigned char {
  done,
  refused,      // the condition of an update did not hold
  unprocessed,  // a batch of which some was left undone
  failed,
};

}  // namespace waybill::load
