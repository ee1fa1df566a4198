#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "engine/encryption/secret.h"

namespace waybill::engine::encryption {

// The keys a store is opened with: the first one for all that is written, each for what it wrote before.
//
//   keys := 32 bytes                         one key as it is
//         | { line }                         one key a line (or between commas); "# …" is a comment
//   line := 64 hexadecimal digits | base64 of 32 bytes
class KeyRing {
 public:
  // The error says what is wrong, and never repeats any of the text.
  static Result<KeyRing> parse(std::string_view text);

  const MasterKey& current() const { return keys_.front(); }
  // Null where there is none of this id.
  const MasterKey* find(const KeyId& id) const;
  // For messages: "1f2e3d4c5b6a7988, 0011223344556677".
  std::string ids() const;

 private:
  std::vector<MasterKey> keys_;
};

using KeyRingPtr = std::shared_ptr<const KeyRing>;

}  // namespace waybill::engine::encryption
