#include "load/workload.h"

#include <algorithm>
#include <ctime>
#include <numeric>

namespace waybill::load {
namespace {

constexpr std::size_t written_max = 256;

// Rounds of put_new are so many ids apart.
constexpr uint64_t round_ids = 100'000'000;

int64_t wall_ms() {
  timespec now{};
  clock_gettime(CLOCK_REALTIME_COARSE, &now);
  return now.tv_sec * 1000 + now.tv_nsec / 1'000'000;
}

// A step that visits every one of `count` places once before it returns to the first.
uint64_t full_cycle_step(uint64_t count) {
  uint64_t step = 2'654'435'761;
  while (std::gcd(step, count) != 1) {
    ++step;
  }
  return step;
}

}  // namespace

OperationWorkload::OperationWorkload(const WorkloadOptions& options, ItemStates& states)
    : options_(options),
      states_(states),
      random_(mix(options.seed) + options.round),
      step_(full_cycle_step(options.region.count)) {
  written_.reserve(written_max);
}

bool OperationWorkload::next(Request& request) {
  request.operation = options_.operation;
  request.count = 0;
  switch (options_.operation) {
    case Operation::load:
      return next_load(request);
    case Operation::put:
      return next_writes(request, 1);
    case Operation::put_new:
      return next_new(request);
    case Operation::update:
      return next_update(request);
    case Operation::remove:
      return next_removal(request);
    case Operation::query:
      return next_query(request);
    case Operation::transact_write:
      return next_writes(request, transaction_items);
    case Operation::batch_write:
      return next_writes(request, batch_items);
    case Operation::batch_get:
      return next_reads(request, batch_items);
    case Operation::scan:
      return next_page(request);
    default:
      return next_reads(request, 1);
  }
}

// Adds a random item that is there and not taken, and takes it; the next one where it can't be had.
bool OperationWorkload::add_random(Request& request) {
  const auto& region = options_.region;
  auto at = random_.below(region.count);
  for (uint64_t tries = 0; tries < region.count; ++tries) {
    const auto id = region.first + at;
    if (states_.take(id)) {
      request.items[request.count++] = {id, states_.status(id)};
      return true;
    }
    at = at + 1 == region.count ? 0 : at + 1;
  }
  return false;
}

bool OperationWorkload::next_writes(Request& request, uint32_t count) {
  request.now_ms = wall_ms();
  for (uint32_t i = 0; i < count; ++i) {
    if (!add_random(request)) {
      release(request);
      return false;
    }
    auto& item = request.items[i];
    item.status = after(item.status);
  }
  return true;
}

bool OperationWorkload::next_update(Request& request) {
  if (!next_writes(request, 1)) {
    return false;
  }
  request.expected_status = states_.status(request.items[0].id);
  return true;
}

bool OperationWorkload::next_reads(Request& request, uint32_t count) {
  bool found = true;
  while (found && request.count < count) {
    found = add_random(request);
  }
  // Reads disturb nobody: an item is taken only to keep it from being asked for twice in one request.
  release(request);
  for (uint32_t i = 0; !states_.known() && i < request.count; ++i) {
    request.items[i].status = JobStatus::unknown;
  }
  return found;
}

bool OperationWorkload::next_query(Request& request) {
  request.user = random_.below(states_.population().users);
  return true;
}

// Connections begin at different places, and go on from the top once they have reached the end.
bool OperationWorkload::next_page(Request& request) {
  if (!request.scan_begun) {
    request.scan_begun = true;
    request.after = job_id_of(options_.region.first + random_.below(options_.region.count));
  }
  return true;
}

bool OperationWorkload::next_load(Request& request) {
  const auto left = options_.region.count - given_;
  request.count = static_cast<uint32_t>(std::min<uint64_t>(left, options_.load_items));
  const auto id = options_.region.first + given_;
  request.items[0] = {id, first_status(id)};
  given_ += request.count;
  return request.count > 0;
}

bool OperationWorkload::next_new(Request& request) {
  const auto id = states_.population().items + options_.round * round_ids + given_++;
  request.count = 1;
  request.items[0] = {id, first_status(id)};
  request.now_ms = wall_ms();
  return true;
}

bool OperationWorkload::next_removal(Request& request) {
  const auto& region = options_.region;
  while (given_ < region.count) {
    const auto id = region.first + (given_++ * step_) % region.count;
    if (states_.take(id)) {
      request.count = 1;
      request.items[0] = {id, JobStatus::absent};
      return true;
    }
  }
  return false;
}

void OperationWorkload::release(const Request& request) {
  for (uint32_t i = 0; i < request.count; ++i) {
    states_.release(request.items[i].id);
  }
}

void OperationWorkload::remember(uint64_t id) {
  if (written_.size() < written_max) {
    written_.push_back(id);
  } else {
    written_[write_at_++ % written_max] = id;
  }
}

void OperationWorkload::finished(const Request& request, Outcome outcome) {
  if (!writes(options_.operation)) {
    return;
  }
  const bool is_load = options_.operation == Operation::load;
  for (uint32_t i = 0; i < request.count; ++i) {
    const auto id = is_load ? request.items[0].id + i : request.items[i].id;
    const auto status = is_load ? first_status(id) : request.items[i].status;
    states_.release(id);
    if (outcome == Outcome::done) {
      states_.set(id, status);
      remember(id);
    } else {
      states_.set(id, JobStatus::unknown);
    }
  }
}

bool ReadBack::next(Request& request) {
  if (at_ == ids_.size()) {
    return false;
  }
  const auto id = ids_[at_++];
  request.operation = Operation::get;
  request.count = 1;
  const auto status = states_.status(id);
  request.items[0] = {id, corrupt_ ? after(status) : status};
  return true;
}

}  // namespace waybill::load
