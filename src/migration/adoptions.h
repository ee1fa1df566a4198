#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>

#include "base/clock.h"
#include "base/result.h"
#include "migration/spared.h"
#include "rules/adoption_book.h"
#include "rules/contracts.h"
#include "store/store.h"

namespace waybill::migration {

// Walks over the records that were in a table before its contract, between the clients' transactions, and has
// each of them that lacks something written again as it is by then: see rules/adopt.h. What was under way
// goes on after a restart, from at most a second before; a record that is walked over twice stays as it is.
//
// Thread safety: look() may be called from any thread.
class Adoptions {
 public:
  // All of them outlive it. Begins with what is under way.
  Adoptions(store::Store& store, rules::Contracts& contracts, const Clock& clock);
  // Ends walks where they are.
  ~Adoptions();
  Adoptions(const Adoptions&) = delete;
  Adoptions& operator=(const Adoptions&) = delete;

  // There may be something to do now.
  void look();

 private:
  void run();
  Status walk(rules::Adoption adoption);
  Status walk_piece(const table::TablePtr& table, const store::Rules& rules, const Spared& spared,
                    rules::Adoption& adoption);
  bool is_stopping();
  void pause();

  store::Store& store_;
  rules::Contracts& contracts_;
  const Clock& clock_;

  std::mutex mutex_;  // guards what follows
  std::condition_variable wake_;
  bool stopping_ = false;
  bool woken_ = false;

  std::thread thread_;
};

}  // namespace waybill::migration
