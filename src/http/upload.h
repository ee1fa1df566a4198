#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>

#include "http/message.h"
#include "http/responder.h"

namespace waybill::http {

// Takes the body of one request as it comes, however long it is. Destroyed before finish(), the body was not
// whole: the client has gone, was too slow, or the server has stopped.
class Upload {
 public:
  virtual ~Upload() = default;

  enum class Next : unsigned char {
    more,    // the next bytes may come
    later,   // not before UploadGate::open() is called: the client is slowed down by TCP
    enough,  // no more is wanted: finish() follows, and the connection ends with the answer
  };

  // The next bytes, as received but for a chunked transfer coding. They are valid during the call. None where
  // it is only asked how to go on.
  virtual Next take(std::string_view bytes) = 0;

  // The body is whole, or enough of it is there. As Handler: it may answer at once or later.
  virtual void finish(Responder responder) = 0;
};

// Lets an upload that asked for a pause go on, and one that has had enough since its last bytes be finished.
//
// Thread safety: any thread, several at once. Harmless where neither is so, or the connection has gone.
class UploadGate {
 public:
  explicit UploadGate(const std::shared_ptr<Connection>& connection) : connection_(connection) {}

  void open() const;

 private:
  std::weak_ptr<Connection> connection_;
};

// What becomes of a request whose body is still to come.
struct Opening {
  std::unique_ptr<Upload> upload;   // takes the body
  std::optional<Response> refusal;  // or: the request is answered with this, and its body is not read
};  // neither: it is handled as others are, once its body is whole

// Asked when the head of a request with a body is there, on the connection's thread. `request` has no body;
// its views are valid until the answer is sent. `content_length` is absent where the body comes in chunks.
using UploadOpener = std::function<Opening(const Request& request, std::optional<uint64_t> content_length,
                                           const UploadGate& gate)>;

}  // namespace waybill::http
