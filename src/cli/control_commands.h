#pragma once

#include <string>
#include <vector>

// Commands about contracts, and what comes of them, that a running server on this machine carries out.
namespace waybill::cli {

struct ControlOptions {
  std::string data_dir = "data";
  std::vector<std::string> files;       // of apply
  std::vector<std::string> parameters;  // of apply: "env=prod"
  std::string contract;                 // of withdraw and retry; of verify and parked: empty for all
  std::string number;                   // of retry: an event's
  bool all = false;                     // of retry: all events
  bool as_json = false;
};

// waybill contract apply: puts contracts in force.
int run_contract_apply(const ControlOptions& options);
// waybill contract withdraw: takes one out of force.
int run_contract_withdraw(const ControlOptions& options);
// waybill contract list: those in force, and how many records there are in each state.
int run_contract_list(const ControlOptions& options);
// waybill audit verify. 1 where a trail is not as it was written.
int run_audit_verify(const ControlOptions& options);
// waybill event parked: events that somebody will not be told, and why.
int run_event_parked(const ControlOptions& options);
// waybill event retry: lets one of them, or all, be told again.
int run_event_retry(const ControlOptions& options);

}  // namespace waybill::cli
