// links: engine
// Key files, the note beside a store and headers of files, from any bytes: a header that was changed gives
// its file's key or an error, never another key.
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "base/check.h"
#include "base/entropy.h"
#include "engine/encryption/file_header.h"
#include "engine/encryption/key_ring.h"
#include "engine/encryption/store_marker.h"

using namespace waybill;
using namespace waybill::engine::encryption;

namespace {

void look_at_start(std::string_view start, const KeyRing& keys) {
  if (content_of(start) != Content::sealed) {
    return;
  }
  WAYBILL_CHECK(!key_ids_of(start).empty());
  static_cast<void>(open_header(start, keys));
}

// The bytes are laid over a header, from a place that the first two of them name.
void change_header(std::string_view bytes, const KeyRing& keys) {
  static SystemEntropy entropy;
  static const NewHeader made = make_header(keys, entropy);
  std::string header = made.bytes;
  const std::size_t at =
      (static_cast<unsigned char>(bytes[0]) << 8 | static_cast<unsigned char>(bytes[1])) % header_bytes;
  bytes = bytes.substr(2, header_bytes - at);
  std::memcpy(header.data() + at, bytes.data(), bytes.size());
  if (content_of(header) != Content::sealed) {
    return;
  }
  if (const auto opened = open_header(header, keys)) {
    WAYBILL_CHECK(std::memcmp(opened->data(), made.file_key.data(), key_bytes) == 0);
    WAYBILL_CHECK(rewrap(header, keys, entropy).has_value());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  static const KeyRing keys = *KeyRing::parse(std::string(64, 'a'));
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (const auto ring = KeyRing::parse(bytes)) {
    WAYBILL_CHECK(ring->find(ring->current().id) == &ring->current());
  }
  if (const auto marker = parse_marker(bytes)) {
    static_cast<void>(marker->is_of(keys.current()));
  }
  look_at_start(bytes, keys);
  if (size > 2) {
    change_header(bytes, keys);
  }
  return 0;
}
