#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "store/store.h"

namespace waybill::rules {

// How far the walk over the records has come that were in a table before its contract.
struct Adoption {
  std::string contract;
  int64_t begun_ms = 0;  // tells one walk from the next
  std::string place;     // the last key that is done
  int64_t seen = 0;
  int64_t changed = 0;    // had something missing
  int64_t unfit = 0;      // are not as the contract says, and stay so
  std::string complaint;  // what is wrong with one of those
  bool is_done = false;
};

// The walks of the store's contracts. They are kept in it, and are there again after a restart.
//
// Thread safety: every method may be called from any thread; those that change something block their callers.
class AdoptionBook {
 public:
  explicit AdoptionBook(store::Store& store) : store_(store) {}

  // Those in the store.
  Status read();

  // From the beginning, in the place of one that is under way.
  Status begin(const std::string& contract, int64_t now_ms);
  Status forget(const std::string& contract);
  // Keeps how far one is, where it has not been begun again or forgotten since: else nothing is done.
  enum class Where : unsigned char { memory, disk };
  Status keep(const Adoption& adoption, Where where);

  // Nothing where there is none.
  std::optional<Adoption> find(std::string_view contract) const;
  // One that is under way.
  std::optional<Adoption> next() const;

 private:
  Status write(const Adoption& adoption);

  store::Store& store_;
  std::mutex writing_;        // held while the store's and ours become others, so that they stay the same
  mutable std::mutex mutex_;  // guards what follows
  std::map<std::string, Adoption, std::less<>> adoptions_;
};

}  // namespace waybill::rules
