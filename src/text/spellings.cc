#include "text/spellings.h"

namespace waybill::text {

namespace {

// Spellings of up to 64 bytes, and forms of three times that at the worst: some 25 MB, and a third of it in
// usual texts. All that are frequent have to fit, since each costs more than 1 us to find anew.
constexpr std::size_t known_max = 65'536;
constexpr std::size_t spelling_bytes_max = 64;

}  // namespace

Result<const WordForm*> Spellings::find(std::string_view spelling) {
  if (const auto found = known_.find(spelling); found != known_.end()) {
    return &found->second;
  }
  WAYBILL_TRY_ASSIGN(last_, forms_.make(spelling));
  if (spelling.size() > spelling_bytes_max) {
    return &last_;
  }
  // Frequent words are back soon, so nothing is kept about how long ago each was asked for.
  if (known_.size() >= known_max) {
    known_.clear();
  }
  return &known_.emplace(spelling, std::move(last_)).first->second;
}

}  // namespace waybill::text
