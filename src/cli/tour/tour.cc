#include "cli/tour/tour.h"

#include <array>
#include <cstdlib>
#include <iostream>
#include <string_view>

#include "base/clock.h"
#include "base/entropy.h"
#include "cli/tour/guide.h"
#include "cli/tour/stations.h"

namespace waybill::cli::tour {
namespace {

struct Station {
  std::string_view name;
  std::string_view what;
  Status (*show)(Guide&);
};

constexpr std::array stations{
    Station{"photo editor", "a photo is uploaded, analysed and edited", show_photo_editor},
    Station{"image service", "an image arrives, and becomes WebP and a thumbnail", show_image_service},
    Station{"orchestrator", "a workflow runs step by step, and pays with credits", show_orchestrator},
    Station{"asset creator", "a prompt becomes a 3D asset, and people decide in between", show_asset_creator},
    Station{"text analyzer", "a text arrives, and its words are counted", show_text_analyzer},
};

std::string endpoint_of(const TourOptions& options) {
  if (!options.endpoint.empty()) {
    return options.endpoint;
  }
  const char* const server = std::getenv("WAYBILL_SERVER");
  return server == nullptr || *server == '\0' ? "http://127.0.0.1:8000" : server;
}

int refuse(const Error& error) {
  std::cerr << "waybill: " << error.message << "\n";
  return 1;
}

}  // namespace

int run_tour(const TourOptions& options) {
  const SystemClock clock;
  SystemEntropy entropy;
  auto guide = Guide::open(endpoint_of(options), clock, entropy);
  if (!guide) {
    return refuse(guide.error());
  }
  guide->say("Five systems at work on " + guide->endpoint());
  for (std::size_t i = 0; i < stations.size(); ++i) {
    const auto& [name, what, show] = stations[i];
    guide->say("\n" + std::to_string(i + 1) + " of " + std::to_string(stations.size()) + "  " +
               std::string(name) + ": " + std::string(what));
    if (const auto shown = show(*guide); !shown) {
      return refuse(shown.error());
    }
  }
  guide->say("\nAll five have done their work. Counts: " + guide->endpoint() +
             "/v1/photo-editor/job:counts and the like; all there is: docs/JOBS.md, docs/OBJECTS.md, "
             "docs/WORKERS.md");
  return 0;
}

}  // namespace waybill::cli::tour
