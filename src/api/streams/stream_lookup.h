#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "api/dynamodb/call.h"
#include "api/dynamodb/constraints.h"
#include "table/stream.h"

// Finding the stream that a request is about.
namespace waybill::api::streams {

inline constexpr std::size_t arn_length_min = 37;
inline constexpr std::size_t arn_length_max = 1024;

void check_stream_arn(dynamodb::Constraints& constraints, std::string_view path,
                      const std::optional<std::string_view>& arn);

// What an ARN of a stream names: arn:aws:dynamodb:<region>:<account>:table/<table>/stream/<label>.
struct StreamName {
  std::string_view table;
  std::string_view label;
};
std::optional<StreamName> stream_name_in(std::string_view arn);

// Error not_found where there is no such stream.
Result<table::StreamPtr> find_stream(const store::Store& store, std::string_view arn);

// The moment up to which changes are trimmed: a day ago.
int64_t trimmed_until_ms(const dynamodb::Services& services);

// Whether a shard has all the changes that it will ever have.
bool is_closed(const dynamodb::Call& call, const table::Stream& stream, const table::Shard& shard);

}  // namespace waybill::api::streams
