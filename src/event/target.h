#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "event/event.h"

namespace waybill::event {

enum class Told : unsigned char {
  taken,    // the other side has it
  failed,   // it may take it later
  refused,  // it will never take it
};

struct Delivery {
  Told told = Told::taken;
  std::string why;  // of failed and refused
};

// A place that events are told to. The only part of the publisher that differs between them.
//
// Thread safety: deliver() is for one thread at a time; interrupt() may be called from any.
class Target {
 public:
  virtual ~Target() = default;

  // How many events deliver() is best given at once.
  virtual std::size_t batch_max() const = 0;

  // Tells events, no two of which are of one record. What became of each, in their order; those at the end
  // for which there is no answer were not tried. Blocks, for as long as the other side takes.
  virtual std::vector<Delivery> deliver(const std::vector<Event>& events) = 0;

  // Ends a deliver() that is under way, and all later ones: what is not taken yet has failed.
  virtual void interrupt() = 0;
};

}  // namespace waybill::event
