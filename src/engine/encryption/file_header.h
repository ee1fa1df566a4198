#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/entropy.h"
#include "base/result.h"
#include "engine/encryption/key_ring.h"

// What stands in front of the contents of every encrypted file. Format version 1.
//
//   file   := header contents           contents: AES-256-CTR under the file's own key, counted from 0
//   header := slot slot                 at least one of them holds the file's key
//   slot   := magic id nonce key tag, zeros up to 4096 bytes
//           | 4096 zeros
//   magic  := "WAYBILL sealed 1"        16 bytes
//   id     := of the master key, 8 bytes
//   nonce key tag := the file's key under the master key, AES-256-GCM, with magic and id authenticated
//
// Another master key is put in place by writing the free slot and then emptying the other one, so the key
// can be read at every moment, whatever a crash leaves of the write: slots lie in different pages.
//
// All here is pure: bytes in, bytes out.
namespace waybill::engine::encryption {

inline constexpr std::size_t slot_bytes = 4096;
inline constexpr std::size_t header_bytes = 2 * slot_bytes;

enum class Content : unsigned char {
  empty,   // nothing, or a header that a crash cut short: no contents were ever synced behind it
  plain,   // not encrypted
  sealed,  // encrypted
};

// What a file is, by its first header_bytes bytes, or by all of them where there are fewer.
Content content_of(std::string_view start);

// The ids in the slots of a sealed file: one, or two where a change of keys was cut short.
std::vector<KeyId> key_ids_of(std::string_view header);

struct NewHeader {
  std::string bytes;
  Secret file_key;
};

// For a new file, under the current key.
NewHeader make_header(const KeyRing& keys, Entropy& entropy);

// The file's key. Errors, both without the file's name:
//   invalid     no slot is under a key of the ring
//   corruption  a slot says that it is, but does not open: it was damaged
Result<Secret> open_header(std::string_view header, const KeyRing& keys);

struct SlotWrite {
  std::size_t offset;
  std::string bytes;
};

// The writes that bring a sealed file under the current key alone, in this order, each on disk before the
// next. None where that is so already. Errors as of open_header().
Result<std::vector<SlotWrite>> rewrap(std::string_view header, const KeyRing& keys, Entropy& entropy);

}  // namespace waybill::engine::encryption
