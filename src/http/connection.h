#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/unique_function.h"
#include "http/asio.h"
#include "http/chunked.h"
#include "http/content_coding.h"
#include "http/head_parser.h"
#include "http/io_thread.h"
#include "http/message.h"
#include "http/receive_buffer.h"
#include "http/stream_buffer.h"
#include "http/task.h"
#include "http/upload.h"

namespace waybill::http {

// One client: receives its requests one after the other, has each handled, and sends the answers in order.
//
// While a request is handled, or the client does not take its answers, nothing is read: what waits is bounded
// by one request and a few answers, and the client is slowed down by TCP.
//
// Thread safety: everything on the thread of the connection, but for answer(), pump(), go_on_with_upload()
// and thread().
class Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(std::shared_ptr<IoThread> thread, Socket socket, std::string peer);
  ~Connection();

  void start();

  // The answer to the request being handled: the whole of it, or its head where `stream` is given. Any
  // thread.
  void answer(Response response, std::shared_ptr<StreamBuffer> stream = nullptr);
  // There is more in the stream's buffer, or it has ended. Any thread.
  void pump();
  // See UploadGate. Any thread.
  void go_on_with_upload();
  IoThread& thread() { return *thread_; }

  // See Responder::watch.
  void watch(UniqueFunction<void()> on_gone);
  // Tells whoever watches the request that is being handled, once, in a task of its own.
  void tell_watcher();

  // Ends what has taken too long.
  void check_time(int64_t now_ms);
  void close_if_idle();
  void close();

  std::size_t list_index = 0;  // place in the thread's list

 private:
  enum class State : unsigned char {
    idle,       // nothing of the next request is here
    head,       // a part of its head is here
    body,       // its head is whole, its body is not
    uploading,  // the same, and what comes of the body is handed over at once
    handling,   // the handler, or whoever took the Responder, owes the answer
    streaming,  // the head of the answer is sent, and its body comes bit by bit
    ending,     // the last answer is being sent
    lingering,  // the last answer is sent; what the client still sends is thrown away
    closed,
  };

  // What step() could not go on without.
  enum class Next : unsigned char { again, bytes, answer, end };

  // What a client does while its request is handled.
  enum class Sign : unsigned char { none, more_bytes, gone };

  // The answer to the current request on its way to the connection's thread.
  class Answer final : public Task {
   public:
    void run() override;
    void drop() override;

    std::shared_ptr<Connection> owner;  // set while in the thread's list
    Response response;
    std::shared_ptr<StreamBuffer> stream;
  };

  // connection.cc: the course of things
  void advance();
  void work();
  Next step();
  void on_answer();
  void start_read();
  void on_read(const ErrorCode& error, std::size_t count);
  void on_readable(const ErrorCode& error);
  void start_linger();
  void release_idle_memory();
  bool body_is_too_slow(int64_t now_ms) const;

  // connection_watch.cc: a client that goes away before it is answered
  void start_watch();
  void on_watch(const ErrorCode& error);
  Sign look_at_client();

  // connection_request.cc: from bytes to a handled request
  Next step_head();
  Next wait_for_head();
  Next begin_body();
  Next step_body();
  Next step_sized_body();
  Next step_chunked_body();
  Next finish_body(std::size_t body_bytes, std::size_t request_bytes);
  Next handle();
  Next refuse(Refusal refusal);
  bool grow(std::size_t capacity);
  bool charge(std::size_t bytes);

  // connection_upload.cc: bodies that are handed over as they come
  std::optional<Next> open_upload();
  Next begin_upload();
  Next step_upload();
  Next step_chunked_upload();
  Next step_sized_upload();
  Next hand_over(std::string_view content, std::size_t taken_end, bool is_last);
  Next finish_upload();
  void on_gate_open();

  // connection_stream.cc: answers that have no end yet
  Next begin_stream(const Response& response);
  Next step_stream();
  void send_piece(std::string piece);
  void release_body();
  void append_to_stream(std::string_view bytes);
  void check_stream_time(int64_t now_ms);
  void end_stream();
  void tell_drained();
  void on_pump();

  // connection_answer.cc: from an answer to bytes on the wire
  Next write_answer(Response response);
  void finish_request();
  bool flush();
  bool send_some(std::string_view head, std::string_view body, std::size_t& sent);
  void wait_for_room(std::string_view unsent_head, std::size_t sent_of_body);
  void on_writable(const ErrorCode& error);

  const std::shared_ptr<IoThread> thread_;
  Socket socket_;
  const std::string peer_;

  State state_ = State::idle;
  bool reading_ = false;             // a read or a wait for one is under way
  bool watching_ = false;            // a wait for a sign of the client is under way
  bool writing_ = false;             // the client does not take what pending_ holds
  bool in_handler_ = false;          // inside the call of the handler
  bool answered_ = false;            // answer_ holds the answer
  bool releasing_ = false;           // the read was cancelled to give memory back
  bool skipped_empty_line_ = false;  // before the request line
  bool head_only_ = false;           // HEAD: the answer has no body

  int64_t since_ms_ = 0;  // when the state began, as far as it has a time limit
  ReceiveBuffer buffer_;
  std::size_t charged_bytes_ = 0;  // counted in ServerState::bodies_bytes

  // The request that starts at the front of buffer_. Lengths count from there.
  std::size_t head_bytes_ = 0;     // found so far, or all of the head
  std::size_t request_bytes_ = 0;  // head and body, as received
  Framing framing_;
  Request request_;
  ChunkedDecoder chunked_;
  ChunkedDecoder::Cursor chunked_cursor_;
  std::size_t chunked_bytes_left_ = 0;
  std::size_t body_bytes_received_ = 0;  // for the least rate
  DecodedBody decoded_;
  std::unique_ptr<Upload> upload_;  // of state uploading
  uint64_t upload_bytes_left_ = 0;  // where the body has a length
  bool upload_paused_ = false;
  UniqueFunction<void()> on_gone_;  // of the request that is being handled
  Answer answer_;
  std::shared_ptr<StreamBuffer> stream_;  // of state streaming
  uint64_t stream_bytes_left_ = 0;        // where its length is known
  bool stream_is_drained_ = false;        // and its writer was told

  std::string pending_;       // what the client did not take yet of the answers
  std::string pending_body_;  // a large body that goes out behind it
  std::size_t pending_body_sent_ = 0;
  int64_t write_since_ms_ = 0;          // start of the current window of time
  std::size_t write_window_bytes_ = 0;  // taken by the client in it
};

}  // namespace waybill::http
