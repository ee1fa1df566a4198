#include "object/aws_chunked.h"

#include <algorithm>

#include "base/bytes.h"
#include "base/check.h"

namespace waybill::object {
namespace {

constexpr std::string_view signature_mark = "chunk-signature=";
constexpr std::string_view trailer_signature_name = "x-amz-trailer-signature";
constexpr std::size_t signature_digits = 64;
constexpr std::size_t size_digits_max = 16;

Error malformed(std::string_view why) {
  return {ErrorKind::malformed, "The aws-chunked body is not well formed: " + std::string(why) + ".", {}};
}

Error wrong_length() {
  return {ErrorKind::incomplete_body,
          "The chunks of the body do not add up to the x-amz-decoded-content-length header.",
          {}};
}

int hex_value(char c) {
  if (c >= '0' && c <= '9') {
    return c - '0';
  }
  if (c >= 'a' && c <= 'f') {
    return c - 'a' + 10;
  }
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

bool is_signature(std::string_view text) {
  return text.size() == signature_digits && std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
         });
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return lower;
}

bool is_header_value(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte >= 0x20 && byte != 0x7f) || byte == '\t';
  });
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t";
  const auto first = text.find_first_not_of(blanks);
  return first == std::string_view::npos ? std::string_view()
                                         : text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

}  // namespace

std::optional<ChunkFraming> framing_of(std::string_view content_sha256) {
  if (content_sha256 == "STREAMING-UNSIGNED-PAYLOAD-TRAILER") {
    return ChunkFraming::unsigned_trailer;
  }
  if (content_sha256 == "STREAMING-AWS4-HMAC-SHA256-PAYLOAD") {
    return ChunkFraming::signed_chunks;
  }
  if (content_sha256 == "STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER") {
    return ChunkFraming::signed_trailer;
  }
  return std::nullopt;
}

AwsChunkedDecoder::AwsChunkedDecoder(Options options, Sink sink, Verify verify)
    : options_(std::move(options)),
      sink_(std::move(sink)),
      verify_(std::move(verify)),
      content_bytes_left_(options_.content_bytes) {
  WAYBILL_CHECK(sink_ != nullptr && (verify_ != nullptr || !is_signed()));
}

Status AwsChunkedDecoder::feed(std::string_view bytes) {
  while (!bytes.empty() && !failure_) {
    if (auto fed = feed_some(bytes); !fed) {
      failure_ = std::move(fed).error();
    }
  }
  return failure_ ? Status(*failure_) : Status();
}

Status AwsChunkedDecoder::finish() {
  if (!failure_ && !is_done()) {
    failure_ =
        Error{ErrorKind::incomplete_body, "The aws-chunked body ends before its last chunk is whole.", {}};
  }
  return failure_ ? Status(*failure_) : Status();
}

Status AwsChunkedDecoder::feed_some(std::string_view& bytes) {
  if (state_ == State::data) {
    return take_data(bytes);
  }
  if (state_ == State::done) {
    return malformed("something stands behind its end");
  }
  WAYBILL_TRY_ASSIGN(const bool is_whole, gather_line(bytes));
  return is_whole ? end_of_line() : Status();
}

Status AwsChunkedDecoder::take_data(std::string_view& bytes) {
  const auto piece = bytes.substr(0, std::min<uint64_t>(bytes.size(), chunk_bytes_left_));
  bytes.remove_prefix(piece.size());
  chunk_bytes_left_ -= piece.size();
  if (is_signed()) {
    chunk_hash_.add(piece);
  }
  if (chunk_bytes_left_ == 0) {
    state_ = State::data_end;
  }
  return sink_(piece);
}

// Whether the line is whole, its line feed with it.
Result<bool> AwsChunkedDecoder::gather_line(std::string_view& bytes) {
  const auto line_feed = bytes.find('\n');
  const bool is_whole = line_feed != std::string_view::npos;
  const auto piece = bytes.substr(0, is_whole ? line_feed + 1 : bytes.size());
  if (line_.size() + piece.size() > line_bytes_max) {
    return malformed("a line has more than 1024 bytes");
  }
  line_.append(piece);
  bytes.remove_prefix(piece.size());
  return is_whole;
}

Status AwsChunkedDecoder::end_of_line() {
  const std::string whole = std::exchange(line_, {});
  std::string_view line = whole;
  line.remove_suffix(1);
  if (line.ends_with('\r')) {
    line.remove_suffix(1);
  } else if (state_ == State::trailer_line && !line.empty()) {
    state_ = State::line_feed_end;
    return take_trailer_line(line);
  } else {
    return malformed("a line does not end with a carriage return and a line feed");
  }
  switch (state_) {
    case State::chunk_line:
      return take_chunk_line(line);
    case State::data_end:
      return line.empty() ? end_of_chunk_data() : Status(malformed("a chunk is longer than its size says"));
    case State::trailer_line:
      return line.empty() ? end_of_trailers() : take_trailer_line(line);
    case State::line_feed_end:
      state_ = State::trailer_line;
      return line.empty() ? Status() : Status(malformed("a line ends with a line feed alone"));
    default:
      return malformed("it is over already");
  }
}

Status AwsChunkedDecoder::take_chunk_line(std::string_view line) {
  const auto semicolon = std::min(line.find(';'), line.size());
  WAYBILL_TRY_ASSIGN(const uint64_t size, read_chunk_size(line.substr(0, semicolon)));
  line.remove_prefix(std::min(semicolon + 1, line.size()));
  if (is_signed()) {
    if (!line.starts_with(signature_mark) || !is_signature(line.substr(signature_mark.size()))) {
      return malformed("a chunk has no signature of 64 lower-case hexadecimal digits");
    }
    chunk_signature_ = line.substr(signature_mark.size());
  } else if (!line.empty()) {
    return malformed("a chunk of an unsigned body has an extension");
  }
  return begin_chunk(size);
}

Result<uint64_t> AwsChunkedDecoder::read_chunk_size(std::string_view digits) const {
  if (digits.empty() || digits.size() > size_digits_max) {
    return malformed("a chunk's size does not have 1 to 16 hexadecimal digits");
  }
  uint64_t size = 0;
  for (const char c : digits) {
    if (hex_value(c) < 0) {
      return malformed("a chunk's size is not a hexadecimal number");
    }
    size = size << 4 | static_cast<uint64_t>(hex_value(c));
  }
  return size;
}

Status AwsChunkedDecoder::begin_chunk(uint64_t size) {
  is_last_chunk_ = size == 0;
  if (size > content_bytes_left_ || (is_last_chunk_ && content_bytes_left_ > 0)) {
    return wrong_length();
  }
  content_bytes_left_ -= size;
  chunk_bytes_left_ = size;
  state_ = State::data;
  return is_last_chunk_ ? end_of_chunk_data() : Status();
}

Status AwsChunkedDecoder::end_of_chunk_data() {
  state_ = is_last_chunk_ ? State::trailer_line : State::chunk_line;
  if (!is_signed()) {
    return {};
  }
  const std::string sha256_hex = hex_lower(chunk_hash_.take());
  return verify_({SignedPiece::Kind::chunk, chunk_signature_, sha256_hex});
}

Status AwsChunkedDecoder::take_trailer_line(std::string_view line) {
  const auto colon = line.find(':');
  if (!has_trailers()) {
    return malformed("it has trailers, which its x-amz-content-sha256 does not announce");
  }
  if (trailer_signature_) {
    return malformed("something stands behind the signature of the trailers");
  }
  if (colon == std::string_view::npos || !is_header_value(line)) {
    return malformed("a trailer is not a name, a colon and a value");
  }
  return take_trailer(lower_case(line.substr(0, colon)), trimmed(line.substr(colon + 1)));
}

Status AwsChunkedDecoder::take_trailer(std::string_view name, std::string_view value) {
  if (name == trailer_signature_name && is_signed()) {
    if (!is_signature(value)) {
      return malformed("the signature of the trailers does not have 64 lower-case hexadecimal digits");
    }
    trailer_signature_ = value;
    return {};
  }
  const auto& names = options_.trailer_names;
  if (std::find(names.begin(), names.end(), name) == names.end()) {
    return malformed("a trailer is not named in the x-amz-trailer header");
  }
  const bool is_repeated = std::any_of(trailers_.begin(), trailers_.end(),
                                       [&](const Trailer& trailer) { return trailer.name == name; });
  if (is_repeated || trailers_.size() == trailer_count_max) {
    return malformed("a trailer comes twice, or there are more than 16");
  }
  trailers_.push_back({std::string(name), std::string(value)});
  return {};
}

Status AwsChunkedDecoder::end_of_trailers() {
  if (has_trailers() && trailers_.size() != options_.trailer_names.size()) {
    return malformed("a trailer that the x-amz-trailer header names is missing");
  }
  if (options_.framing == ChunkFraming::signed_trailer) {
    WAYBILL_TRY(verify_trailers());
  }
  state_ = State::done;
  return {};
}

// Canonical: by name, "name:value" and a line feed each.
Status AwsChunkedDecoder::verify_trailers() {
  if (!trailer_signature_) {
    return malformed("its trailers are not signed");
  }
  auto sorted = trailers_;
  std::sort(sorted.begin(), sorted.end(), [](const Trailer& a, const Trailer& b) { return a.name < b.name; });
  Hash hash(HashKind::sha256);
  for (const auto& trailer : sorted) {
    hash.add(trailer.name + ':' + trailer.value + '\n');
  }
  return verify_({SignedPiece::Kind::trailers, *trailer_signature_, hex_lower(hash.take())});
}

}  // namespace waybill::object
