#include "media/labels.h"
#include "media/load.h"
#include "media/work.h"

namespace waybill::media {

namespace {

// Enough for shares and edges, and the same work for every picture.
constexpr int sample_side_max = 256;

}  // namespace

Result<Analysis> analyse(const AnalyseTask& task, const Limits& limits) {
  WAYBILL_TRY_ASSIGN(const auto loaded, load_file(task.input, limits, {.side_wanted = sample_side_max}));
  WAYBILL_TRY_ASSIGN(const auto pixels, small_copy(loaded.image, sample_side_max));
  WAYBILL_TRY_ASSIGN(const auto transparent, transparent_share(loaded.image));
  const Size size{static_cast<int>(loaded.original.width), static_cast<int>(loaded.original.height)};
  const Seen seen{size, statistics_of(pixels), transparent};
  return Analysis{labels_of(seen), description_of(seen), safe_search_of(seen.statistics), loaded.original};
}

}  // namespace waybill::media
