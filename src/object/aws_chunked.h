#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "object/hash.h"

namespace waybill::object {

// How the body is framed, by the value of x-amz-content-sha256.
enum class ChunkFraming : unsigned char {
  unsigned_trailer,  // STREAMING-UNSIGNED-PAYLOAD-TRAILER
  signed_chunks,     // STREAMING-AWS4-HMAC-SHA256-PAYLOAD
  signed_trailer,    // STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER
};

// Nothing where the value is none of the three: the body is not framed.
std::optional<ChunkFraming> framing_of(std::string_view content_sha256);

struct Trailer {
  std::string name;  // lower case
  std::string value;

  bool operator==(const Trailer&) const = default;
};

// What a signature in the body is of. Views live as long as the call.
struct SignedPiece {
  enum class Kind : unsigned char { chunk, trailers };
  Kind kind = Kind::chunk;
  std::string_view signature;   // 64 hexadecimal digits, lower case
  std::string_view sha256_hex;  // of the chunk's data, or of the trailers in canonical form
};

// Takes S3's own chunked coding off a body that comes in pieces of any length:
//
//   body    := *chunk last [trailers] CRLF
//   chunk   := size [";chunk-signature=" signature] CRLF data CRLF
//   last    := "0" [";chunk-signature=" signature] CRLF
//   trailer := name ":" value [LF] CRLF
//   trailers := *trailer ["x-amz-trailer-signature:" signature CRLF]
//
// Signatures are there where the framing has them, and nowhere else. The line feed before a trailer's end is
// what the service's documentation and some clients write. Content is handed out before its chunk's signature
// is known: keep it only once finish() has succeeded.
//
// Errors: malformed where the framing is broken or breaks a limit; incomplete_body where the content is
// shorter or longer than was announced; what the two callbacks give. After an error every call gives it
// again.
//
// Thread safety: one thread at a time.
class AwsChunkedDecoder {
 public:
  struct Options {
    ChunkFraming framing = ChunkFraming::unsigned_trailer;
    uint64_t content_bytes = 0;              // of x-amz-decoded-content-length
    std::vector<std::string> trailer_names;  // of x-amz-trailer, lower case: each has to come, and no other
  };
  using Sink = std::function<Status(std::string_view)>;
  using Verify = std::function<Status(const SignedPiece&)>;

  static constexpr std::size_t line_bytes_max = 1024;
  static constexpr std::size_t trailer_count_max = 16;

  // `verify` is called once for each signature, in their order; framings without signatures need none.
  AwsChunkedDecoder(Options options, Sink sink, Verify verify);

  Status feed(std::string_view bytes);

  // Says that the body is over: an error where it was not whole.
  Status finish();

  bool is_done() const { return state_ == State::done; }
  const std::vector<Trailer>& trailers() const { return trailers_; }

 private:
  enum class State : unsigned char { chunk_line, data, data_end, trailer_line, line_feed_end, done };

  bool is_signed() const { return options_.framing != ChunkFraming::unsigned_trailer; }
  bool has_trailers() const { return options_.framing != ChunkFraming::signed_chunks; }

  Status feed_some(std::string_view& bytes);
  Status take_data(std::string_view& bytes);
  Result<bool> gather_line(std::string_view& bytes);
  Status end_of_line();
  Status take_chunk_line(std::string_view line);
  Result<uint64_t> read_chunk_size(std::string_view digits) const;
  Status begin_chunk(uint64_t size);
  Status end_of_chunk_data();
  Status take_trailer_line(std::string_view line);
  Status take_trailer(std::string_view name, std::string_view value);
  Status end_of_trailers();
  Status verify_trailers();

  Options options_;
  Sink sink_;
  Verify verify_;
  State state_ = State::chunk_line;
  std::string line_;  // what has come of the line so far
  uint64_t content_bytes_left_;
  uint64_t chunk_bytes_left_ = 0;
  bool is_last_chunk_ = false;
  Hash chunk_hash_{HashKind::sha256};
  std::string chunk_signature_;
  std::optional<std::string> trailer_signature_;
  std::vector<Trailer> trailers_;
  std::optional<Error> failure_;
};

}  // namespace waybill::object
