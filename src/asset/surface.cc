#include "asset/surface.h"

#include <algorithm>
#include <array>

namespace waybill::asset {

namespace {

// Corners of a cell are counted from the upper left against the clock, as the front is seen.
constexpr std::array<std::array<int, 2>, 4> corner_steps = {{{0, 0}, {0, 1}, {1, 1}, {1, 0}}};

constexpr uint32_t unset = UINT32_MAX;

// A point of the plane that both sheets have.
struct Point {
  float column;
  float row;
  float front;
  float back;
};

// The inside of the outline, cut into triangles. Each triangle has a corner inside, and all others lie on the
// outline; no edge but those of the outline joins two points of it. So two copies that are joined along the
// outline close a surface in which every edge has exactly two triangles.
class Sheet {
 public:
  explicit Sheet(const Relief& relief)
      : relief_(relief),
        inner_(relief.inside.size(), unset),
        across_(relief.inside.size(), unset),
        down_(relief.inside.size(), unset) {
    for (int row = 0; row + 1 < relief.rows; ++row) {
      for (int column = 0; column + 1 < relief.columns; ++column) {
        cut_cell(column, row);
      }
    }
  }

  const std::vector<Point>& points() const { return points_; }
  const std::vector<uint32_t>& triangles() const { return triangles_; }

 private:
  struct Place {
    int column;
    int row;
  };

  bool is_inside(Place at) const { return relief_.inside[relief_.index(at.column, at.row)] > 0; }

  uint32_t add(const Point& point) {
    points_.push_back(point);
    return static_cast<uint32_t>(points_.size() - 1);
  }

  uint32_t inner(Place at) {
    const std::size_t index = relief_.index(at.column, at.row);
    if (inner_[index] == unset) {
      inner_[index] = add({static_cast<float>(at.column), static_cast<float>(at.row), relief_.front[index],
                           relief_.back[index]});
    }
    return inner_[index];
  }

  // Where the outline crosses the line between two neighbours. Not too near to either, so that no triangle is
  // a needle.
  uint32_t crossing(Place a, Place b) {
    const Place from = a.column < b.column || a.row < b.row ? a : b;
    const Place to = a.column < b.column || a.row < b.row ? b : a;
    const std::size_t index = relief_.index(from.column, from.row);
    uint32_t& known = from.column < to.column ? across_[index] : down_[index];
    if (known == unset) {
      const float begin = relief_.inside[index];
      const float end = relief_.inside[relief_.index(to.column, to.row)];
      const float share = std::clamp(begin / (begin - end), 0.15F, 0.85F);
      known = add({static_cast<float>(from.column) + share * static_cast<float>(to.column - from.column),
                   static_cast<float>(from.row) + share * static_cast<float>(to.row - from.row), 0, 0});
    }
    return known;
  }

  void add_triangle(uint32_t a, uint32_t b, uint32_t c) { triangles_.insert(triangles_.end(), {a, b, c}); }

  void cut_cell(int column, int row) {
    std::array<Place, 4> corners;
    int count = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      corners[i] = {column + corner_steps[i][0], row + corner_steps[i][1]};
      count += is_inside(corners[i]) ? 1 : 0;
    }
    const bool is_diagonal = count == 2 && is_inside(corners[0]) == is_inside(corners[2]);
    for (std::size_t i = 0; i < 4; ++i) {
      const auto corner = [&](std::size_t by) { return corners[(i + by) % 4]; };
      if (!is_inside(corner(0))) {
        continue;
      }
      if (is_diagonal || count == 1) {
        add_triangle(inner(corner(0)), crossing(corner(0), corner(1)), crossing(corner(0), corner(3)));
      } else if (count == 4) {
        cut_full(corners, (column + row) % 2 == 0);
        return;
      } else if (!is_inside(corner(3))) {
        fan_from(corners, i);
        return;
      }
    }
  }

  // Diagonals alternate, so that the mesh leans to no side.
  void cut_full(const std::array<Place, 4>& corners, bool is_even) {
    const std::size_t first = is_even ? 0 : 1;
    const auto at = [&](std::size_t by) { return inner(corners[(first + by) % 4]); };
    add_triangle(at(0), at(1), at(2));
    add_triangle(at(0), at(2), at(3));
  }

  // Two or three neighbouring corners are inside, beginning with `first`.
  void fan_from(const std::array<Place, 4>& corners, std::size_t first) {
    const auto corner = [&](std::size_t by) { return corners[(first + by) % 4]; };
    const uint32_t centre = inner(corner(0));
    uint32_t last = inner(corner(1));
    std::size_t end = 1;
    if (is_inside(corner(2))) {
      const uint32_t third = inner(corner(2));
      add_triangle(centre, last, third);
      last = third;
      end = 2;
    }
    const uint32_t leaving = crossing(corner(end), corner(end + 1));
    const uint32_t entering = crossing(corner(3), corner(0));
    add_triangle(centre, last, leaving);
    add_triangle(centre, leaving, entering);
  }

  const Relief& relief_;
  std::vector<uint32_t> inner_;   // by point of the grid
  std::vector<uint32_t> across_;  // by the left end of a line
  std::vector<uint32_t> down_;    // by the upper end
  std::vector<Point> points_;
  std::vector<uint32_t> triangles_;
};

void add_side(Mesh& mesh, const Relief& relief, const Sheet& sheet, float metres_a_cell, bool is_front) {
  const auto columns = static_cast<float>(relief.columns - 1);
  const auto rows = static_cast<float>(relief.rows - 1);
  const auto base = static_cast<uint32_t>(mesh.positions.size());
  for (const auto& point : sheet.points()) {
    // Not -point.back: at the outline both sides must have the same zero, bit for bit.
    const float depth = is_front ? point.front : 0 - point.back;
    mesh.positions.push_back(Vec3{point.column - columns / 2, rows - point.row, depth} * metres_a_cell);
    mesh.texture_places.push_back({point.column / columns / 2 + (is_front ? 0 : 0.5F), point.row / rows});
  }
  const auto& triangles = sheet.triangles();
  for (std::size_t i = 0; i < triangles.size(); i += 3) {
    const uint32_t second = is_front ? triangles[i + 1] : triangles[i + 2];
    const uint32_t third = is_front ? triangles[i + 2] : triangles[i + 1];
    mesh.indices.insert(mesh.indices.end(), {base + triangles[i], base + second, base + third});
  }
}

}  // namespace

Mesh close_surface(const Relief& relief, float size) {
  const Sheet sheet(relief);
  float least_column = static_cast<float>(relief.columns);
  float most_column = 0;
  float least_row = static_cast<float>(relief.rows);
  float most_row = 0;
  for (const auto& point : sheet.points()) {
    least_column = std::min(least_column, point.column);
    most_column = std::max(most_column, point.column);
    least_row = std::min(least_row, point.row);
    most_row = std::max(most_row, point.row);
  }
  const float metres_a_cell = size / std::max(most_column - least_column, most_row - least_row);
  Mesh mesh;
  add_side(mesh, relief, sheet, metres_a_cell, true);
  add_side(mesh, relief, sheet, metres_a_cell, false);
  // Onto the ground, and into the middle.
  const float middle =
      ((least_column + most_column) / 2 - static_cast<float>(relief.columns - 1) / 2) * metres_a_cell;
  const float ground = (static_cast<float>(relief.rows - 1) - most_row) * metres_a_cell;
  for (auto& at : mesh.positions) {
    at = at - Vec3{middle, ground, 0};
  }
  mesh.normals = smooth_normals(mesh);
  return mesh;
}

}  // namespace waybill::asset
