#pragma once

#include <string>

#include "rules/effects.h"
#include "store/rules.h"

// Messages about records.
namespace waybill::rules {

// What the message about a record says: the fields that the contract names, as JSON.
std::string envelope(const Happening& happening);

struct OutgoingMessage {
  std::string queue;
  std::string body;
  std::string group;  // the tenant; "": none
  std::string sender;
};

// The effect that sends it.
store::Effect make_message(const OutgoingMessage& outgoing, store::Ground& ground);

}  // namespace waybill::rules
