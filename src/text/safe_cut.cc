#include "text/safe_cut.h"

#include "base/check.h"
#include "text/character_kind.h"
#include "text/utf8_walk.h"

namespace waybill::text {

std::size_t last_safe_cut(std::string_view text) {
  WAYBILL_CHECK(text.size() > stretch_bytes_max);
  const auto& kinds = CharacterKinds::instance();
  const auto kind_at = [&](std::size_t offset) {
    const char* at = text.data() + offset;
    return kinds.next(at);
  };
  const std::size_t last = character_start(text, stretch_bytes_max);
  Kind after = kind_at(last);
  for (std::size_t cut = last; cut > 0;) {
    const std::size_t before_at = character_start(text, cut - 1);
    const Kind before = kind_at(before_at);
    if (before == Kind::inert && after != Kind::extend && after != Kind::joiner) {
      return cut;
    }
    after = before;
    cut = before_at;
  }
  return last;
}

}  // namespace waybill::text
