#include "load/message_workload.h"

#include <algorithm>
#include <utility>

namespace waybill::load {

bool MessageWorkload::next(Request& request) {
  switch (options_.operation) {
    case Operation::load:
      return next_send(request, batch_messages);
    case Operation::receive:
      return waiting() > 0 && next_receive(request);
    case Operation::remove:
      return next_deletion(request);
    case Operation::round_trip:
      return next_step(request);
    default:
      return next_send(request, 1);
  }
}

int64_t MessageWorkload::waiting() const {
  return static_cast<int64_t>(ledger_.counts.sent) -
         static_cast<int64_t>(ledger_.counts.received + receiving_);
}

bool MessageWorkload::next_send(Request& request, uint64_t count_max) {
  request.operation = options_.operation == Operation::load ? Operation::load : Operation::send;
  request.count = static_cast<uint32_t>(std::min(options_.count - given_, count_max));
  request.items[0].id = options_.first + given_;
  request.receipt.clear();
  given_ += request.count;
  return request.count > 0;
}

bool MessageWorkload::next_receive(Request& request) {
  request.operation = Operation::receive;
  request.receipt.clear();
  request.count = 0;
  ++receiving_;
  return true;
}

bool MessageWorkload::next_deletion(Request& request) {
  request.operation = Operation::remove;
  request.count = 1;
  if (ledger_.receipts.empty()) {
    return false;
  }
  request.receipt = std::move(ledger_.receipts.back());
  ledger_.receipts.pop_back();
  return true;
}

// Whose send has failed sends again, rather than to wait for a message that is not there.
bool MessageWorkload::next_step(Request& request) {
  const bool begun = std::exchange(request.has_next, true);
  if (begun && !request.receipt.empty()) {
    request.operation = Operation::remove;
    request.has_next = false;
    return true;
  }
  if (begun && waiting() > 0) {
    return next_receive(request);
  }
  return next_send(request, 1);
}

void MessageWorkload::take_received(const Request& request) {
  auto& counts = ledger_.counts;
  if (request.count == 0) {
    ++counts.empty_receives;
    return;
  }
  ++counts.received;
  counts.received_twice += ledger_.received.insert(request.items[0].id).second ? 0 : 1;
  if (options_.operation == Operation::receive) {
    ledger_.receipts.push_back(request.receipt);
  }
}

void MessageWorkload::finished(const Request& request, Outcome outcome) {
  const bool done = outcome == Outcome::done;
  switch (request.operation) {
    case Operation::receive:
      --receiving_;
      if (done) {
        take_received(request);
      }
      return;
    case Operation::remove:
      ledger_.counts.deleted += done ? 1 : 0;
      return;
    default:
      ledger_.counts.sent += done ? request.count : 0;
  }
}

}  // namespace waybill::load
