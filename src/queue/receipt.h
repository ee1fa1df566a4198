#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "queue/queue.h"

namespace waybill::queue {

// Names one receive of one message: what a client settles a message by.
struct Receipt {
  SpaceId space = 0;      // of the queue
  uint64_t sequence = 0;  // of the message in it
  uint64_t token = 0;     // of the receive: greater than that of every earlier receive of any message
  std::string group;
};

// Letters, digits, '+', '/', '='.
std::string encode(const Receipt& receipt);
std::optional<Receipt> decode_receipt(std::string_view handle);

}  // namespace waybill::queue
