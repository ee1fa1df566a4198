#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "load/http_frame.h"
#include "load/out_buffer.h"
#include "load/socket.h"
#include "load/target.h"

namespace waybill::load {

// The service that requests are for.
struct AwsService {
  std::string_view name;           // in the signature's scope
  std::string_view target_prefix;  // what stands before the operation in X-Amz-Target
};

// Requests of AWS's JSON 1.0 protocol over HTTP/1.1, with the headers that the JavaScript SDK sends.
class AwsRequests {
 public:
  struct Reply {
    int status = 0;
    std::string body;
  };

  AwsRequests(const Target& target, const AwsService& service);

  // Where the body of the next request is to be written; finish() puts the head of `operation` before it. The
  // bytes live until the next begin().
  OutBuffer& begin();
  std::string_view finish(std::string_view operation);

  // Frames the response at the front of `received`; its body lives until that changes or the next is read.
  Result<HttpFrame> read(std::string_view received) { return read_http_frame(received, chunks_); }

  // One request and its answer. Blocks.
  Result<Reply> call(const Socket& socket, std::string_view operation, std::string_view body);

 private:
  std::string head_start_;  // up to the name of the operation
  std::string head_middle_;
  OutBuffer out_;
  std::string chunks_;
};

}  // namespace waybill::load
