#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "text/encoding.h"

namespace waybill::text {

// Turns the bytes of one encoding into UTF-8, piece by piece. Refuses what is not text in that encoding, and
// zeros, which are in no text: Error invalid, with the offset of the first byte that is wrong.
//
// Thread safety: one thread at a time. Nothing can be done after an error.
class Decoder {
 public:
  virtual ~Decoder() = default;

  // Appends the text of the next bytes. Pieces may be cut anywhere.
  virtual Status decode(std::string_view bytes, std::string& out) = 0;

  // Appends what is left. Refuses a text that ends within a character.
  virtual Status finish(std::string& out) = 0;
};

// A decoder of bytes that begin at `offset` of the whole. Error invalid where the encoding is known by name
// alone.
Result<std::unique_ptr<Decoder>> open_decoder(const Encoding& encoding, uint64_t offset);

std::unique_ptr<Decoder> make_utf8_decoder(uint64_t offset);
std::unique_ptr<Decoder> make_utf16_decoder(ByteOrder order, uint64_t offset);
std::unique_ptr<Decoder> make_utf32_decoder(ByteOrder order, uint64_t offset);
// By ICU's converter of that name. Controls that are in no text are refused as well: any bytes at all are
// text in some of these encodings.
Result<std::unique_ptr<Decoder>> open_legacy_decoder(const std::string& name, uint64_t offset);

}  // namespace waybill::text
