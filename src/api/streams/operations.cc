#include "api/streams/operations.h"

#include <algorithm>

namespace waybill::api::streams {
namespace {

constexpr access::Requires read{access::Need::read};

constexpr dynamodb::NamedOperation named[] = {
    {"DescribeStream", describe_stream, read},
    {"GetRecords", get_records, read},
    {"GetShardIterator", get_shard_iterator, read},
    {"ListStreams", list_streams, read},
};

static_assert(std::ranges::is_sorted(named, {}, &dynamodb::NamedOperation::name));

}  // namespace

dynamodb::OperationList operations() {
  return {"DynamoDBStreams_20120810.", named};
}

}  // namespace waybill::api::streams
