#include "server/own_objects.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "base/log.h"
#include "bucket/errors.h"
#include "object/block_format.h"

namespace waybill::server {
namespace {

// Small enough to be in the processor's cache still when it is looked at.
constexpr uint64_t piece_bytes = 4 * object::block_bytes;

Error too_large(const client::ObjectName& name, int64_t bytes_max) {
  return Error{ErrorKind::too_large,
               client::text_of(name) + " has more than " + std::to_string(bytes_max) + " bytes",
               {}};
}

Error missing(const client::ObjectName& name, const Error& why) {
  return Error{why.kind, client::text_of(name) + ": " + why.detail + ": " + why.message, {}};
}

Error unreadable(const client::ObjectName& name, const Error& why) {
  log_error(client::text_of(name) + " could not be read: " + bucket::for_log(why));
  return Error{ErrorKind::unavailable, client::text_of(name) + ": " + why.message, {}};
}

Status hand_over(const client::ObjectName& name, const object::ContentReader& content,
                 client::ByteTaker& taker, const std::stop_token& stop) {
  std::string piece(std::min(content.bytes(), piece_bytes), '\0');
  for (uint64_t offset = 0; offset < content.bytes();) {
    if (stop.stop_requested()) {
      return Error{ErrorKind::unavailable, "the request was stopped", {}};
    }
    const auto got = content.read(offset, piece);
    if (!got) {
      return unreadable(name, got.error());
    }
    WAYBILL_TRY(taker.take(std::string_view(piece).substr(0, *got)));
    offset += *got;
  }
  return {};
}

}  // namespace

Result<client::ObjectInfo> OwnObjects::read(const client::ObjectName& name, client::ByteTaker& taker,
                                            const client::GetOptions& options, const std::stop_token& stop) {
  WAYBILL_TRY(taker.begin());
  const auto opened = buckets_.open_object(name.bucket, name.key);
  if (!opened) {
    return opened.error().kind == ErrorKind::not_found ? missing(name, opened.error())
                                                       : unreadable(name, opened.error());
  }
  const auto bytes = static_cast<int64_t>(opened->row.bytes);
  if (bytes > options.bytes_max) {
    return too_large(name, options.bytes_max);
  }
  WAYBILL_TRY(hand_over(name, opened->content, taker, stop));
  return client::ObjectInfo{bytes, opened->row.etag, opened->row.description.content_type()};
}

}  // namespace waybill::server
