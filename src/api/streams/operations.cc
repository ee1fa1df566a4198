#include "api/streams/operations.h"

#include <algorithm>

namespace waybill::api::streams {
namespace {

constexpr dynamodb::NamedOperation named[] = {
    {"DescribeStream", describe_stream},
    {"GetRecords", get_records},
    {"GetShardIterator", get_shard_iterator},
    {"ListStreams", list_streams},
};

static_assert(std::ranges::is_sorted(named, {}, &dynamodb::NamedOperation::name));

}  // namespace

dynamodb::OperationList operations() {
  return {"DynamoDBStreams_20120810.", named};
}

}  // namespace waybill::api::streams
