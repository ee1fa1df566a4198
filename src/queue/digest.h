#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "queue/message.h"

// The checksums by which clients see that a message came through as it was sent.
//
// Thread safety: every function may be called from any thread.
namespace waybill::queue {

// MD5 in lower-case hex: a checksum against damage, not against people.
std::string md5_hex(std::string_view bytes);

// Over names, types and values, as SQS has it:
//
//   digest    := md5(attribute*)             by name
//   attribute := sized(name) sized(type) transport sized(value)
//   sized     := length, four bytes, big-endian; bytes
//   transport := 1 for a text, 2 for bytes
std::string md5_of_attributes(const std::vector<MessageAttribute>& attributes);

// The same of AWSTraceHeader, the one system attribute that a client can send.
std::string md5_of_trace_header(std::string_view trace_header);

}  // namespace waybill::queue
