#pragma once

#include <cstdint>
#include <string>
#include <unordered_set>
#include <vector>

#include "load/request.h"
#include "load/workload.h"

namespace waybill::load {

// What became of messages.
struct MessageCounts {
  uint64_t sent = 0;
  uint64_t received = 0;
  uint64_t deleted = 0;
  uint64_t received_twice = 0;
  uint64_t empty_receives = 0;

  // Whether as many were received and deleted as were sent, and none twice.
  bool balanced() const { return sent == received && received == deleted && received_twice == 0; }
};

// The messages of one invocation, which may be made of several runs.
struct MessageLedger {
  MessageCounts counts;
  std::unordered_set<uint64_t> received;  // by number
  std::vector<std::string> receipts;      // of what was received to be deleted by a later run
};

struct MessageWorkloadOptions {
  Operation operation = Operation::send;  // load, send, receive, remove or round_trip
  uint64_t first = 0;                     // the number of the first message that is sent
  uint64_t count = 0;                     // how many are loaded, sent or received at most
};

// Messages sent, received and deleted: each by itself, or one after the other on each connection.
class MessageWorkload final : public Workload {
 public:
  MessageWorkload(const MessageWorkloadOptions& options, MessageLedger& ledger)
      : options_(options), ledger_(ledger) {}

  bool next(Request& request) override;
  void finished(const Request& request, Outcome outcome) override;

 private:
  bool next_send(Request& request, uint64_t count_max);
  bool next_receive(Request& request);
  bool next_deletion(Request& request);
  bool next_step(Request& request);
  void take_received(const Request& request);

  // How many of the messages sent are left to be received.
  int64_t waiting() const;

  MessageWorkloadOptions options_;
  MessageLedger& ledger_;
  uint64_t given_ = 0;      // how many messages were named
  uint64_t receiving_ = 0;  // how many receives are in flight
};

}  // namespace waybill::load
