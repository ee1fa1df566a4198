#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "asset/model.h"

namespace waybill::asset {

// What is wrong with a surface that is to be closed. Vertices at one place are one.
struct Flaws {
  std::size_t flat_triangles = 0;  // with two corners at one place
  std::size_t open_edges = 0;      // without a triangle on one side
  std::size_t crowded_edges = 0;   // with more than one triangle on a side
  std::size_t pinched_places = 0;  // where several parts of the surface touch
  double volume = 0;
};

inline Flaws flaws_of(const Mesh& mesh) {
  std::map<std::tuple<float, float, float>, uint32_t> places;
  std::vector<uint32_t> welded;
  for (const auto& at : mesh.positions) {
    welded.push_back(places.emplace(std::make_tuple(at.x, at.y, at.z), places.size()).first->second);
  }
  Flaws flaws;
  std::map<std::pair<uint32_t, uint32_t>, int> edges;
  std::map<uint32_t, std::map<uint32_t, uint32_t>> around;  // by place: what follows what, against the clock
  std::map<uint32_t, std::size_t> corners;
  for (std::size_t i = 0; i < mesh.indices.size(); i += 3) {
    const uint32_t t[3] = {welded[mesh.indices[i]], welded[mesh.indices[i + 1]], welded[mesh.indices[i + 2]]};
    flaws.flat_triangles += t[0] == t[1] || t[1] == t[2] || t[2] == t[0] ? 1 : 0;
    for (int k = 0; k < 3; ++k) {
      ++edges[{t[k], t[(k + 1) % 3]}];
      around[t[k]][t[(k + 1) % 3]] = t[(k + 2) % 3];
      ++corners[t[k]];
    }
    const Vec3 a = mesh.positions[mesh.indices[i]];
    flaws.volume += static_cast<double>(
        dot(a, cross(mesh.positions[mesh.indices[i + 1]], mesh.positions[mesh.indices[i + 2]])) / 6);
  }
  for (const auto& [edge, count] : edges) {
    flaws.crowded_edges += count > 1 ? 1 : 0;
    flaws.open_edges += edges.contains({edge.second, edge.first}) ? 0 : 1;
  }
  for (const auto& [place, next] : around) {
    std::size_t steps = 0;
    uint32_t at = next.begin()->first;
    do {
      const auto found = next.find(at);
      if (found == next.end()) {
        break;
      }
      at = found->second;
      ++steps;
    } while (at != next.begin()->first && steps <= next.size());
    flaws.pinched_places += steps == corners[place] ? 0 : 1;
  }
  return flaws;
}

inline void expect_closed(const Mesh& mesh) {
  const Flaws flaws = flaws_of(mesh);
  EXPECT_EQ(flaws.flat_triangles, 0U);
  EXPECT_EQ(flaws.open_edges, 0U);
  EXPECT_EQ(flaws.crowded_edges, 0U);
  EXPECT_EQ(flaws.pinched_places, 0U);
  EXPECT_GT(flaws.volume, 0);
}

}  // namespace waybill::asset
