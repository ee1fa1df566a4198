#include "text/spellings.h"

namespace waybill::text {

namespace {

// At most 32,768 spellings of 128 bytes, and forms of three times that at the worst: some 20 MB.
constexpr std::size_t known_max = 32'768;
constexpr std::size_t spelling_bytes_max = 128;

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
