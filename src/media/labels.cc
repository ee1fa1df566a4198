#include "media/labels.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <utility>

namespace waybill::media {

namespace {

constexpr std::size_t labels_max = 12;
constexpr double confidence_min = 0.5;

// 0 at `none` and beyond, 1 at `full` and beyond, straight in between. `none` may be the greater one.
double between(double value, double none, double full) {
  return std::clamp((value - none) / (full - none), 0.0, 1.0);
}

class Collector {
 public:
  void add(std::string name, double confidence) {
    const double rounded = std::round(confidence * 100) / 100;
    if (rounded >= confidence_min) {
      labels_.push_back({std::move(name), rounded});
    }
  }

  std::vector<Label> take() {
    std::sort(labels_.begin(), labels_.end(), [](const Label& a, const Label& b) {
      return a.confidence != b.confidence ? a.confidence > b.confidence : a.name < b.name;
    });
    labels_.resize(std::min(labels_.size(), labels_max));
    return std::move(labels_);
  }

 private:
  std::vector<Label> labels_;
};

void add_shape(const Size& size, Collector& labels) {
  const double aspect = double(size.width) / size.height;
  const double elongation = std::max(aspect, 1 / aspect);
  const double megapixels = double(size.width) * size.height / 1e6;
  labels.add("Landscape format", between(aspect, 1, 1.1));
  labels.add("Portrait format", between(1 / aspect, 1, 1.1));
  labels.add("Square format", between(elongation, 1.1, 1));
  labels.add("Panorama", between(elongation, 1.6, 2.4));
  labels.add("High resolution", between(megapixels, 2, 12));
  labels.add("Low resolution", between(megapixels, 0.3, 0.05));
}

void add_light(const Statistics& seen, Collector& labels) {
  labels.add("Dark", between(seen.brightness, 0.45, 0.2));
  labels.add("Night", std::min(between(seen.brightness, 0.3, 0.1), between(seen.range, 0.1, 0.4)));
  labels.add("Bright", between(seen.brightness, 0.5, 0.8));
  labels.add("High contrast", between(seen.contrast, 0.35, 0.75));
  labels.add("Low contrast", between(seen.range, 0.4, 0.1));
}

void add_colours(const Statistics& seen, Collector& labels) {
  labels.add("Colorful", between(seen.colourfulness, 15, 75));
  labels.add("Black and white", between(seen.chroma, 0.06, 0.01));
  for (std::size_t i = 0; i < colour_count; ++i) {
    std::string name(name_of(static_cast<Colour>(i)));
    name.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(name.front())));
    labels.add(std::move(name), between(seen.colours[i], 0, 0.5));
  }
}

void add_texture(const Statistics& seen, Collector& labels) {
  const double graphic = std::min(between(seen.flatness, 0.3, 0.8), between(seen.variety, 0.1, 0.01));
  labels.add("Detailed", between(seen.edges, 0.05, 0.35));
  labels.add("Minimal", std::min(between(seen.edges, 0.05, 0), between(seen.flatness, 0.3, 0.9)));
  labels.add("Blurry", std::min(between(seen.sharpness, 0.02, 0.005), between(seen.range, 0.1, 0.3)));
  labels.add("Graphic", graphic);
  labels.add("Photograph", std::min(between(seen.flatness, 0.5, 0.1), between(seen.variety, 0.005, 0.04)));
}

void add_content(const Seen& seen, Collector& labels) {
  labels.add("Sky", between(seen.statistics.sky, 0.2, 0.8));
  labels.add("Vegetation", between(seen.statistics.vegetation, 0.15, 0.65));
  labels.add("Skin tones", between(seen.statistics.skin, 0.1, 0.5));
  labels.add("Transparent background", between(seen.transparent, 0, 0.2));
}

std::string tone_of(const Statistics& seen) {
  std::string tone = "A ";
  if (seen.brightness >= 0.65) {
    tone += "bright, ";
  } else if (seen.brightness <= 0.3) {
    tone += "dark, ";
  }
  if (seen.chroma <= 0.03) {
    return tone + "black and white ";
  }
  return tone + (seen.colourfulness >= 45   ? "colorful "
                 : seen.colourfulness >= 20 ? "moderately colorful "
                                            : "muted ");
}

std::string shape_of(const Size& size) {
  const double aspect = double(size.width) / size.height;
  const std::string kind = aspect >= 1.05 ? "landscape" : aspect <= 1 / 1.05 ? "portrait" : "square";
  return kind + " picture of " + std::to_string(size.width) + " by " + std::to_string(size.height) +
         " pixels";
}

// The strongest colour, and the second one where it counts.
std::string main_colours(const Statistics& seen) {
  std::array<std::size_t, colour_count> order{};
  for (std::size_t i = 0; i < colour_count; ++i) {
    order[i] = i;
  }
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return seen.colours[a] != seen.colours[b] ? seen.colours[a] > seen.colours[b] : a < b;
  });
  std::string text = "mostly ";
  text += name_of(static_cast<Colour>(order[0]));
  if (seen.colours[order[1]] >= 0.15) {
    text += " and ";
    text += name_of(static_cast<Colour>(order[1]));
  }
  return text;
}

std::string texture_of(const Statistics& seen) {
  const std::string contrast = seen.contrast >= 0.55 ? "high" : seen.range <= 0.25 ? "low" : "medium";
  const std::string detail = seen.edges >= 0.2 ? "much" : seen.edges <= 0.03 ? "little" : "some";
  return "It has " + contrast + " contrast and " + detail + " detail.";
}

Likelihood by_share(double share, double unlikely, double possible) {
  return share >= possible   ? Likelihood::possible
         : share >= unlikely ? Likelihood::unlikely
                             : Likelihood::very_unlikely;
}

constexpr std::array<std::string_view, 5> likelihoods = {"VERY_UNLIKELY", "UNLIKELY", "POSSIBLE", "LIKELY",
                                                         "VERY_LIKELY"};

}  // namespace

std::vector<Label> labels_of(const Seen& seen) {
  Collector labels;
  add_shape(seen.size, labels);
  add_light(seen.statistics, labels);
  add_colours(seen.statistics, labels);
  add_texture(seen.statistics, labels);
  add_content(seen, labels);
  return labels.take();
}

std::string description_of(const Seen& seen) {
  std::string text = tone_of(seen.statistics) + shape_of(seen.size) + ", " + main_colours(seen.statistics);
  if (seen.transparent >= 0.1) {
    text += ", with transparent parts";
  }
  return text + ". " + texture_of(seen.statistics);
}

SafeSearch safe_search_of(const Statistics& statistics) {
  return {by_share(statistics.skin, 0.25, 0.55), by_share(statistics.blood, 0.1, 0.35)};
}

std::string_view name_of(Likelihood likelihood) {
  return likelihoods[static_cast<std::size_t>(likelihood)];
}

std::optional<Likelihood> likelihood_named(std::string_view name) {
  const auto found = std::find(likelihoods.begin(), likelihoods.end(), name);
  return found == likelihoods.end() ? std::nullopt
                                    : std::optional(static_cast<Likelihood>(found - likelihoods.begin()));
}

}  // namespace waybill::media
