#pragma once

#include <string_view>

#include "asset/model.h"
#include "base/result.h"

namespace waybill::asset {

// Reads a binary glTF 2.0 file with one mesh of triangles, with or without a texture (PNG) and a skeleton
// whose joints rest unturned. Missing normals are made. Clips are not read, but counted in `clips_left_out`.
// What a stage cannot work with is an Error of kind invalid that says so; no file, however damaged, does
// harm: every index of the result is in range, every number finite, and all weights add up to 1.
struct ReadModel {
  Model model;
  std::size_t clips_left_out = 0;
};
Result<ReadModel> read_glb(std::string_view file);

}  // namespace waybill::asset
