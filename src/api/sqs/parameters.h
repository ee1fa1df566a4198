#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "api/dynamodb/fields.h"
#include "api/sqs/call.h"
#include "base/result.h"
#include "queue/queue.h"

// Reading what many operations have among their parameters.
namespace waybill::api::sqs {

using dynamodb::Fields;
using dynamodb::Reading;

Error missing_parameter(std::string_view name);

// The text of a parameter that has to be there, and not be empty.
Result<std::string_view> required(const std::optional<std::string_view>& value, std::string_view name);

// "Value 11 for parameter MaxNumberOfMessages is invalid. Reason: …" where a value is out of bounds. Absent
// ones pass.
struct Bounds {
  int64_t least = 0;
  int64_t most = 0;
};
Status check_bounds(std::string_view name, const std::optional<int64_t>& value, const Bounds& bounds,
                    std::string_view reason);

// The queue that a request is about: by its QueueUrl, or by the path that it was sent to. Errors:
// parameter_missing, queue_not_found.
Result<queue::QueuePtr> find_queue(const Call& call, const std::optional<std::string_view>& url);

// For operations that have no other parameters.
Result<queue::QueuePtr> find_queue(const Call& call, const json::Value& body);

using TextMap = std::map<std::string, std::string>;

// A map of texts; empty where it is absent.
TextMap read_text_map(const Fields& fields, std::string_view name);

inline constexpr std::size_t tags_max = 50;

// `tags` with those given added. Error invalid where one of them cannot be, or there are too many.
Result<TextMap> with_tags(TextMap tags, const TextMap& given);

// What goes on behind `after`, in a token of its own form. The empty token is the beginning. Error invalid.
std::string page_token(std::string_view after);
Result<std::string> read_page_token(const std::optional<std::string_view>& token);

}  // namespace waybill::api::sqs
