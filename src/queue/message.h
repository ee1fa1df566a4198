#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace waybill::queue {

struct MessageAttribute {
  std::string name;
  std::string type;   // "String", "Number.int", "Binary.png" …
  std::string value;  // text, or bytes where the type begins with Binary
  bool is_binary() const { return type.starts_with("Binary"); }
};

// What a message is from the moment it was sent; nothing of it changes while it is in a queue.
struct Message {
  std::string id;      // a UUID
  std::string sender;  // who sent it
  std::string body;
  std::string body_md5;  // lower-case hex
  std::string group;     // MessageGroupId; "": none
  std::string deduplication_id;
  std::string trace_header;                  // the system attribute AWSTraceHeader
  std::vector<MessageAttribute> attributes;  // by name
  std::string dead_letter_source;            // the queue that gave it up; "": none did
  uint32_t earlier_receives = 0;             // in that queue
};

std::string encode(const Message& message);
// Error corruption where the bytes are none that encode() makes.
Result<Message> decode_message(std::string_view bytes);

}  // namespace waybill::queue
