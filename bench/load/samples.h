#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "load/dialect.h"
#include "load/item_states.h"
#include "load/request.h"

namespace waybill::load {

// Answers put aside while a run is measured, to be checked when it is over: a check in the midst would delay
// the other connections and take processor time from the server.
class Samples {
 public:
  Samples(Dialect& dialect, const ItemStates& states);

  // Keeps a copy. Where much has been kept already, it is checked first.
  void add(const Request& request, std::string_view body);

  void check_all();

  uint64_t checked() const { return checked_; }
  uint64_t wrong() const { return wrong_; }

 private:
  struct Sample {
    Request request;
    std::size_t at = 0;
    std::size_t bytes = 0;
  };

  void check(const Request& request, std::string_view body);

  Dialect& dialect_;
  const ItemStates& states_;
  std::vector<char> bytes_;
  std::vector<Sample> samples_;
  uint64_t checked_ = 0;
  uint64_t wrong_ = 0;
};

}  // namespace waybill::load
