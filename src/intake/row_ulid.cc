#include "intake/row_ulid.h"

#include <algorithm>

#include "base/ulid.h"
#include "http/sha256.h"
#include "intake/timestamp.h"

namespace waybill::intake {

std::string row_ulid(std::string_view old_id, int64_t us) {
  constexpr int64_t ms_max = (int64_t{1} << 48) - 1;
  const int64_t ms = std::clamp<int64_t>(ms_of(us), 0, ms_max);
  const auto within_ms = static_cast<unsigned>(us - ms_of(us) * 1000);
  const auto hash = http::sha256(old_id);
  UlidChance chance{};
  std::copy_n(hash.begin(), chance.size(), chance.begin());
  chance[0] = static_cast<unsigned char>(within_ms >> 2U);
  chance[1] = static_cast<unsigned char>((within_ms & 3U) << 6U | (chance[1] & 0x3FU));
  return ulid_text(ms, chance);
}

}  // namespace waybill::intake
