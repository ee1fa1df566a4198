#pragma once

#include <string>
#include <vector>

#include "media/crop.h"
#include "media/statistics.h"
#include "media/tasks.h"

// What is said of a picture, from what was counted in it. No I/O, and the same words for the same numbers.
namespace waybill::media {

struct Seen {
  Size size;  // of the original, as it is shown
  Statistics statistics;
  double transparent = 0;  // share of it, 0 to 1
};

// At most 12, each at least half sure, the surest first.
std::vector<Label> labels_of(const Seen& seen);

// "A bright, colorful landscape picture of 4000 by 3000 pixels, mostly blue and green. It has high contrast
// and much detail."
std::string description_of(const Seen& seen);

// Shares of colours tell too little for more than `possible`, which asks for a person's look.
SafeSearch safe_search_of(const Statistics& statistics);

// "VERY_UNLIKELY" to "VERY_LIKELY".
std::string_view name_of(Likelihood likelihood);
std::optional<Likelihood> likelihood_named(std::string_view name);

}  // namespace waybill::media
