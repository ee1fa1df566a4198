#include "asset/stage.h"

#include <algorithm>

namespace waybill::asset {

namespace {

constexpr std::array<std::string_view, all_stages.size()> names = {
    "text-to-image", "refine", "3d", "retopo", "rig", "anim", "export"};

}  // namespace

std::string_view name_of(Stage stage) {
  return names[static_cast<std::size_t>(stage)];
}

std::optional<Stage> stage_of(std::string_view name) {
  const auto* const found = std::find(names.begin(), names.end(), name);
  return found == names.end() ? std::nullopt : std::optional(all_stages[found - names.begin()]);
}

}  // namespace waybill::asset
