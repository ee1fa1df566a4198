#include "asset/model.h"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "base/check.h"

namespace waybill::asset {

std::vector<uint32_t> first_at_place(const std::vector<Vec3>& positions) {
  std::vector<uint32_t> order(positions.size());
  std::iota(order.begin(), order.end(), 0U);
  const auto place = [&](uint32_t i) {
    return std::make_tuple(positions[i].x, positions[i].y, positions[i].z);
  };
  std::sort(order.begin(), order.end(),
            [&](uint32_t a, uint32_t b) { return place(a) != place(b) ? place(a) < place(b) : a < b; });
  std::vector<uint32_t> first(positions.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    const bool is_new = i == 0 || place(order[i]) != place(order[i - 1]);
    first[order[i]] = is_new ? order[i] : first[order[i - 1]];
  }
  return first;
}

Bounds bounds_of(const std::vector<Vec3>& positions) {
  WAYBILL_CHECK(!positions.empty());
  Bounds bounds{positions.front(), positions.front()};
  for (const auto& at : positions) {
    bounds.least = {std::min(bounds.least.x, at.x), std::min(bounds.least.y, at.y),
                    std::min(bounds.least.z, at.z)};
    bounds.most = {std::max(bounds.most.x, at.x), std::max(bounds.most.y, at.y),
                   std::max(bounds.most.z, at.z)};
  }
  return bounds;
}

std::vector<Vec3> smooth_normals(const Mesh& mesh) {
  const auto first = first_at_place(mesh.positions);
  std::vector<Vec3> normals(mesh.positions.size());
  for (std::size_t i = 0; i < mesh.indices.size(); i += 3) {
    const std::array corners = {mesh.indices[i], mesh.indices[i + 1], mesh.indices[i + 2]};
    const Vec3 a = mesh.positions[corners[0]];
    // As long as twice the triangle's area.
    const Vec3 face = cross(mesh.positions[corners[1]] - a, mesh.positions[corners[2]] - a);
    for (const uint32_t corner : corners) {
      normals[first[corner]] = normals[first[corner]] + face;
    }
  }
  for (std::size_t i = 0; i < normals.size(); ++i) {
    normals[i] = first[i] == i ? unit(normals[i]) : normals[first[i]];  // the first one comes first
  }
  return normals;
}

}  // namespace waybill::asset
