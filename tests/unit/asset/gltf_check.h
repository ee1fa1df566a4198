#pragma once

#include <string>

#include "asset/model.h"

namespace waybill::asset {

// What a reader that is not ours (tinygltf) finds in a .glb; `problems` is empty where the file is as the
// specification wants it.
struct GltfReport {
  std::string problems;
  Mesh mesh;  // as the other reader sees it
  std::size_t joints = 0;
  std::size_t channels = 0;
  int texture_width = 0;
  int texture_height = 0;
};

GltfReport check_gltf(const std::string& path);

}  // namespace waybill::asset
