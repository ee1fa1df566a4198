#include "api/s3/download.h"

#include <algorithm>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "base/log.h"
#include "bucket/errors.h"
#include "object/block_format.h"

namespace waybill::api::s3 {
namespace {

// Each piece is handed from a worker's thread to the connection's: with 256 KiB these turns were a fifth of
// what a download takes of the processor, and pieces beyond 512 KiB gain nothing more.
constexpr std::size_t piece_bytes = 8 * object::block_bytes;

// A body on its way. It is kept by the stream, which tells it that more is wanted, until the stream has ended
// or the client has gone.
class Download : public std::enable_shared_from_this<Download> {
 public:
  Download(Workers& workers, object::ContentReader content, object::ByteRange range)
      : workers_(workers), content_(std::move(content)), offset_(range.first), left_(range.length) {}

  // From any thread: the next piece may be sent.
  void go_on() {
    workers_.post([self = shared_from_this()] { self->send_piece(); });
  }

  void begin(http::Stream stream) {
    {
      const std::lock_guard lock(mutex_);
      stream_ = std::move(stream);
    }
    send_piece();
  }

 private:
  void send_piece() {
    const std::lock_guard lock(mutex_);
    if (!stream_) {
      return;
    }
    std::string piece = stream_.spare();
    piece.resize(static_cast<std::size_t>(std::min<uint64_t>(left_, piece_up_to_block())));
    const auto read = content_.read(offset_, piece);
    if (!read || *read != piece.size()) {
      log_error("the content " + content_.id().text() +
                " could not be read: " + (read ? "it ends too early" : bucket::for_log(read.error())));
      stream_ = {};  // shorter than its Content-Length
      return;
    }
    offset_ += piece.size();
    left_ -= piece.size();
    if (!stream_.give(std::move(piece))) {
      stream_ = {};
    } else if (left_ == 0) {
      stream_.end();
    }
  }

  // Pieces end where blocks do, so that none is read twice.
  uint64_t piece_up_to_block() const { return piece_bytes - offset_ % object::block_bytes; }

  Workers& workers_;
  const object::ContentReader content_;

  std::mutex mutex_;  // guards what follows: the next piece may be asked for while the last is handed over
  uint64_t offset_;
  uint64_t left_;
  http::Stream stream_;
};

}  // namespace

void send_content(Call call, Outgoing outgoing) {
  Workers& workers = call.services().workers;
  const uint64_t length = outgoing.range.length;
  auto download = std::make_shared<Download>(workers, std::move(outgoing.content), outgoing.range);
  http::StreamOptions options;
  options.unsent_bytes_max = 3 * piece_bytes;  // one that is read, one that waits, and the first
  options.content_length = length;
  options.on_drained = [download] { download->go_on(); };
  download->begin(call.answer_stream(std::move(outgoing.head), std::move(options)));
}

}  // namespace waybill::api::s3
