#include "api/streams/stream_lookup.h"

namespace waybill::api::streams {

void check_stream_arn(dynamodb::Constraints& constraints, std::string_view path,
                      const std::optional<std::string_view>& arn) {
  constraints.not_null(path, arn);
  constraints.length_min(path, arn, arn_length_min);
  constraints.length_max(path, arn, arn_length_max);
}

std::optional<StreamName> stream_name_in(std::string_view arn) {
  constexpr std::string_view table_mark = ":table/";
  constexpr std::string_view stream_mark = "/stream/";
  const auto table_at = arn.find(table_mark);
  const auto stream_at = arn.find(stream_mark);
  if (!arn.starts_with("arn:") || table_at == std::string_view::npos || stream_at == std::string_view::npos ||
      stream_at < table_at) {
    return std::nullopt;
  }
  const auto name_at = table_at + table_mark.size();
  return StreamName{arn.substr(name_at, stream_at - name_at), arn.substr(stream_at + stream_mark.size())};
}

Result<table::StreamPtr> find_stream(const store::Store& store, std::string_view arn) {
  const auto name = stream_name_in(arn);
  if (!name) {
    return invalid("Invalid StreamArn");
  }
  WAYBILL_TRY(store.may_know(name->table));
  auto stream = store.find_stream(name->table, name->label);
  if (!stream) {
    return Error{
        ErrorKind::not_found, "Requested resource not found: Stream: " + std::string(arn) + " not found", {}};
  }
  return stream;
}

bool is_closed(const dynamodb::Call& call, const table::Stream& stream, const table::Shard& shard) {
  if (stream.end && shard.end == *stream.end) {
    return true;
  }
  return shard.end.time_ms <= call.services().clock.wall_ms() && call.store().is_past(shard.end.time_ms);
}

int64_t trimmed_until_ms(const dynamodb::Services& services) {
  return services.clock.wall_ms() - table::stream_retention_ms;
}

}  // namespace waybill::api::streams
