#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "text/decoder.h"

namespace waybill::text {

// Turns a text in any encoding into UTF-8, piece by piece, and finds out which encoding it is.
//
// A text is in the encoding of its byte order mark; else in UTF-16, where its beginning is clearly that; else
// it is ASCII, up to the first byte that is not, and what is from there on decides (detect.h). What is looked
// at does not depend on how the text is cut into pieces.
//
// Thread safety: one thread at a time. Nothing can be done after an error.
class Intake {
 public:
  // Appends the text of the next bytes, as far as it is known. Error invalid where they are not text, or in
  // no encoding that is known here.
  Status feed(std::string_view bytes, std::string& out);

  // Appends the rest. Called once.
  Status finish(std::string& out);

 private:
  enum class State : unsigned char { beginning, ascii, sample, decoding };

  // Each takes some of the bytes, at least one, and leaves the rest.
  Status hold(std::string_view& bytes, std::string& out);
  Status pass_ascii(std::string_view& bytes, std::string& out);

  Status settle(std::string& out, bool is_whole);
  Status settle_beginning(std::string& out);
  Status settle_sample(std::string& out, bool is_whole);
  Status decode_held(const Encoding& encoding, std::size_t mark_bytes, std::string& out);

  State state_ = State::beginning;
  uint64_t offset_ = 0;  // of held_, or of what comes next
  std::string held_;     // what the encoding is to be found out from
  std::unique_ptr<Decoder> decoder_;
};

}  // namespace waybill::text
