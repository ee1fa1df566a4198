#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.h"

namespace waybill::load {

// The frame of an HTTP/1.1 response.
struct HttpFrame {
  std::size_t bytes = 0;  // of the head and the body as sent; 0: they are not all there yet
  int status = 0;
  std::string_view body;
};

// Frames the response at the front of `received`, by Content-Length or by chunks. `chunks` is where the body
// of a chunked response is put together; the body points there or into `received`.
Result<HttpFrame> read_http_frame(std::string_view received, std::string& chunks);

}  // namespace waybill::load
