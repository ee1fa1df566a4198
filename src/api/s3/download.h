#pragma once

#include "api/s3/call.h"
#include "bucket/object_row.h"
#include "http/message.h"
#include "object/byte_range.h"
#include "object/content_reader.h"

namespace waybill::api::s3 {

// What a body is sent from.
struct Outgoing {
  http::Response head;
  object::ContentReader content;
  object::ByteRange range;
};

// Answers with a range of a content, piece by piece as the client takes it: a worker reads the next piece
// when the last one is on its way. A block that is damaged ends the body before its end, which the client
// notices.
void send_content(Call call, Outgoing outgoing);

}  // namespace waybill::api::s3
