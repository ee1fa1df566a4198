#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "queue/message.h"
#include "queue/queue.h"

namespace waybill::queue {

// A message as a client gives it to be sent, before anything of it is checked. The views are of the request.
struct Draft {
  std::string_view body;
  std::optional<int64_t> delay_seconds;
  std::optional<std::string_view> group;
  std::optional<std::string_view> deduplication_id;
  std::optional<std::string_view> trace_header;
  std::vector<MessageAttribute> attributes;  // by name
};

// Whether a queue takes it, in the words of SQS where not.
Status check(const Queue& queue, const Draft& draft);

// What counts towards the largest size of a message: its body, and names, types and values of attributes.
std::size_t size_bytes(const Draft& draft);

// Whether all characters of a text may be in a message; the text is UTF-8.
bool has_only_message_characters(std::string_view text);

}  // namespace waybill::queue
