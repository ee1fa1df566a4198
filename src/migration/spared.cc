#include "migration/spared.h"

#include <algorithm>

namespace waybill::migration {

Spared::Spared(const rules::Deployed* deployed) {
  if (deployed == nullptr) {
    return;
  }
  for (const auto& kind : deployed->kinds) {
    if (kind.record->role == contract::Role::audit) {
      keys_.push_back(kind.record->key);
    }
  }
}

bool Spared::has(item::ItemView item) const {
  return std::ranges::any_of(keys_, [&](const auto& key) { return rules::has_key(key, item); });
}

}  // namespace waybill::migration
