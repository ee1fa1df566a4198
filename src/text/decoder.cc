#include "text/decoder.h"

namespace waybill::text {

Result<std::unique_ptr<Decoder>> open_decoder(const Encoding& encoding, uint64_t offset) {
  switch (encoding.family) {
    case Encoding::Family::utf16:
      return make_utf16_decoder(encoding.order, offset);
    case Encoding::Family::utf32:
      return make_utf32_decoder(encoding.order, offset);
    case Encoding::Family::legacy:
      return open_legacy_decoder(encoding.name, offset);
    case Encoding::Family::utf8:
      break;
  }
  return make_utf8_decoder(offset);
}

}  // namespace waybill::text
