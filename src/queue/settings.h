#pragma once

#include <map>
#include <string>
#include <string_view>

#include "base/result.h"
#include "queue/queue.h"

// The attributes of queues: which there are, what values they may have, and what they mean.
namespace waybill::queue {

using Attributes = std::map<std::string, std::string>;

// Where an attribute of ours asks for it, messages may be delayed and hidden for this long.
inline constexpr int64_t long_delay_seconds_max = 31'536'000;
inline constexpr int64_t delay_seconds_max = 900;
inline constexpr int64_t visibility_seconds_max = 43'200;

// What the attributes of a queue mean; those that are absent have their usual value. Errors in the words of
// SQS: an attribute that does not exist, or a value that it cannot have.
Result<Settings> read_settings(const Attributes& attributes);

// `attributes` after a client has set those in `given`: some are taken away by an empty value, and the two
// kinds of encryption exclude each other. The values are not checked.
Attributes with_changes(Attributes attributes, const Attributes& given);

// All that a client is shown of a queue but what its store knows: the attributes that were set, and the usual
// values of those that were not.
Attributes shown_attributes(const Queue& queue);

// Whether a client may ask for an attribute of that name.
bool is_attribute(std::string_view name);

Error unknown_attribute(std::string_view name);

// "Value 901 for parameter DelaySeconds is invalid. Reason: …", as SQS puts most of its refusals.
Error invalid_value(std::string_view value, std::string_view parameter, std::string_view reason);

// The name of the queue in arn:aws:sqs:<region>:<account>:<name>; empty where it is no such ARN.
std::string_view name_in_arn(std::string_view arn);

// Whether `source` may have `target` for its dead letters, in the words of SQS where not. `target` may be
// null.
Status check_redrive_target(const Queue& source, const Queue* target);

}  // namespace waybill::queue
