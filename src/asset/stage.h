#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace waybill::asset {

// The stages of an asset in their order, as the contract names them.
enum class Stage : unsigned char { text_to_image, refine, shape, retopo, rig, anim, export_files };

inline constexpr std::array<Stage, 7> all_stages = {Stage::text_to_image, Stage::refine, Stage::shape,
                                                    Stage::retopo,        Stage::rig,    Stage::anim,
                                                    Stage::export_files};

// "text-to-image", "refine", "3d", "retopo", "rig", "anim", "export".
std::string_view name_of(Stage stage);
std::optional<Stage> stage_of(std::string_view name);

}  // namespace waybill::asset
