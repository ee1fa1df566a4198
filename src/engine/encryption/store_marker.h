#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "engine/encryption/key_ring.h"

namespace waybill::engine::encryption {

// The note beside a store that says how it is encrypted. It is plain: it must be readable to whoever lost
// the key. Format version 1, and a MAC under the key, so that a wrong key and a changed note are noticed.
//
//   waybill encryption 1
//   state encrypted                  or: converting, while plain files are left
//   key 1f2e3d4c5b6a7988
//   check <64 hexadecimal digits>    of the lines above
struct Marker {
  bool converting = false;
  KeyId key;
  Mac check{};

  // Whether it was written with `master`, and so.
  bool is_of(const MasterKey& master) const;
};

// The note as it is written, and read again; nothing where `text` is no such note. Pure.
std::string marker_text(bool converting, const MasterKey& master);
std::optional<Marker> parse_marker(std::string_view text);

// The note of the store in `data_dir`, or nothing where there is none.
Result<std::optional<Marker>> read_marker(const std::string& data_dir);

// Writes it anew; after a crash the old one or the new one is there, whole.
Status write_marker(const std::string& data_dir, bool converting, const MasterKey& master);

}  // namespace waybill::engine::encryption
