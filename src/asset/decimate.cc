#include "asset/decimate.h"

#include <meshoptimizer.h>

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

namespace waybill::asset {

namespace {

constexpr std::size_t triangles_least = 4;  // of a solid
constexpr uint32_t unused = UINT32_MAX;

template <typename T>
std::vector<T> gathered(const std::vector<T>& from, const std::vector<uint32_t>& places, std::size_t count) {
  std::vector<T> to(from.empty() ? 0 : count);
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (places[i] != unused) {
      to[places[i]] = from[i];
    }
  }
  return to;
}

// A triangle by its places, in ascending order.
struct Placed {
  std::array<uint32_t, 3> places{};
  bool is_turned = false;  // seen from the other side
  std::size_t first_index = 0;

  auto key() const { return std::make_tuple(places[0], places[1], places[2], is_turned); }
};

Placed placed(const std::vector<uint32_t>& indices, std::size_t at, const std::vector<uint32_t>& first) {
  Placed triangle{{first[indices[at]], first[indices[at + 1]], first[indices[at + 2]]}, false, at};
  auto& places = triangle.places;
  for (const auto& [a, b] : {std::pair(0U, 1U), std::pair(1U, 2U), std::pair(0U, 1U)}) {
    if (places[a] > places[b]) {
      std::swap(places[a], places[b]);
      triangle.is_turned = !triangle.is_turned;
    }
  }
  return triangle;
}

// Collapsing edges can leave two triangles that lie on each other back to back, a fin without a volume.
// Without both, the surface is as closed as before, and each of its edges has two triangles again.
void drop_fins(std::vector<uint32_t>& indices, const std::vector<Vec3>& positions) {
  const auto first = first_at_place(positions);
  std::vector<Placed> triangles;
  for (std::size_t i = 0; i < indices.size(); i += 3) {
    triangles.push_back(placed(indices, i, first));
  }
  std::sort(triangles.begin(), triangles.end(), [](const Placed& a, const Placed& b) {
    return std::tuple_cat(a.key(), std::tuple(a.first_index)) <
           std::tuple_cat(b.key(), std::tuple(b.first_index));
  });
  std::vector<bool> is_dropped(indices.size());
  for (std::size_t i = 0; i + 1 < triangles.size(); ++i) {
    const Placed& next = triangles[i + 1];
    if (triangles[i].places == next.places && triangles[i].is_turned != next.is_turned) {
      is_dropped[triangles[i].first_index] = true;
      is_dropped[next.first_index] = true;
      ++i;
    }
  }
  std::vector<uint32_t> kept;
  for (std::size_t i = 0; i < indices.size(); i += 3) {
    if (!is_dropped[i]) {
      kept.insert(kept.end(), {indices[i], indices[i + 1], indices[i + 2]});
    }
  }
  indices = std::move(kept);
}

// Without the vertices that no triangle uses, and in an order that graphics processors like.
Mesh compacted(const Mesh& mesh, std::vector<uint32_t> indices) {
  const std::size_t vertices = mesh.positions.size();
  meshopt_optimizeVertexCache(indices.data(), indices.data(), indices.size(), vertices);
  std::vector<uint32_t> places(vertices);
  const std::size_t count =
      meshopt_optimizeVertexFetchRemap(places.data(), indices.data(), indices.size(), vertices);
  Mesh result;
  result.positions = gathered(mesh.positions, places, count);
  result.normals = gathered(mesh.normals, places, count);
  result.texture_places = gathered(mesh.texture_places, places, count);
  result.influences = gathered(mesh.influences, places, count);
  for (auto& index : indices) {
    index = places[index];
  }
  result.indices = std::move(indices);
  return result;
}

}  // namespace

Result<Decimated> decimate(const Mesh& mesh, const DecimateOptions& options) {
  const auto wanted = static_cast<std::size_t>(static_cast<double>(mesh.triangles()) * options.ratio);
  const float* const positions = &mesh.positions.front().x;
  std::vector<uint32_t> indices(mesh.indices.size());
  float error = 0;
  const std::size_t left = meshopt_simplify(
      indices.data(), mesh.indices.data(), mesh.indices.size(), positions, mesh.positions.size(),
      sizeof(Vec3), std::min(std::max(wanted, triangles_least) * 3, mesh.indices.size()),
      static_cast<float>(options.error), 0, &error);
  indices.resize(left);
  drop_fins(indices, mesh.positions);
  if (indices.empty()) {
    return invalid("nothing is left of the mesh at this ratio; give a larger one, or a smaller error");
  }
  const double scale =
      static_cast<double>(meshopt_simplifyScale(positions, mesh.positions.size(), sizeof(Vec3)));
  return Decimated{compacted(mesh, std::move(indices)), static_cast<double>(error),
                   static_cast<double>(error) * scale};
}

}  // namespace waybill::asset
