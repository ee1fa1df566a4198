#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

// What a queue is and what a message is, without where they are kept.
namespace waybill::queue {

// Names the rows of one queue in the store. 0: not given yet.
using SpaceId = uint32_t;

// Where messages go that were received too often.
struct Redrive {
  std::string target;         // a queue's name
  uint32_t receives_max = 0;  // a message that was received so often goes there in place of one more time
};

// Which queues may have this one as their target.
struct RedriveAllow {
  enum class Kind : unsigned char { all, none, named };
  Kind kind = Kind::all;
  std::vector<std::string> sources;  // names, of kind named
};

// The attributes of a queue, as far as the store goes by them.
struct Settings {
  bool is_fifo = false;
  bool deduplicates_by_content = false;
  bool deduplicates_by_group = false;  // the same id in two groups is not the same message
  bool allows_long_delays = false;     // delays and timeouts may go beyond what SQS has
  int64_t delay_ms = 0;
  int64_t visibility_ms = 30'000;
  int64_t retention_ms = 4LL * 24 * 60 * 60 * 1000;
  int64_t wait_ms = 0;
  uint32_t message_bytes_max = 1'048'576;
  std::optional<Redrive> redrive;
  RedriveAllow redrive_allow;
  std::optional<int64_t> alarm_depth;  // more messages than this are worth an alarm
  std::optional<int64_t> alarm_age_ms;
};

struct Queue {
  std::string name;
  SpaceId space = 0;  // given by the store; another one after a purge
  int64_t created_ms = 0;
  int64_t changed_ms = 0;
  int64_t purged_ms = 0;
  std::map<std::string, std::string> attributes;  // as they were set; those that were not are not there
  std::map<std::string, std::string> tags;
  Settings settings;  // what `attributes` mean
};

using QueuePtr = std::shared_ptr<const Queue>;

// JSON. The settings are made again from the attributes.
std::string serialize(const Queue& queue);
Result<Queue> deserialize_queue(std::string_view name, std::string_view text);

}  // namespace waybill::queue
