#include "asset/skeleton.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/check.h"

namespace waybill::asset {

namespace {

// A triangle as a weight at a place.
struct Mass {
  Vec3 at;
  float area;
};

std::vector<Mass> masses_of(const Mesh& mesh) {
  std::vector<Mass> masses;
  masses.reserve(mesh.triangles());
  for (std::size_t i = 0; i < mesh.indices.size(); i += 3) {
    const Vec3 a = mesh.positions[mesh.indices[i]];
    const Vec3 b = mesh.positions[mesh.indices[i + 1]];
    const Vec3 c = mesh.positions[mesh.indices[i + 2]];
    masses.push_back({(a + b + c) * (1.0F / 3), length(cross(b - a, c - a)) / 2});
  }
  return masses;
}

Vec3 centre_of(const std::vector<Mass>& masses, Vec3 otherwise) {
  Vec3 sum;
  float total = 0;
  for (const auto& mass : masses) {
    sum = sum + mass.at * mass.area;
    total += mass.area;
  }
  return total > 0 ? sum * (1 / total) : otherwise;
}

// The direction in which the masses are spread widest: the first principal component, by power iteration.
Vec3 widest_direction(const std::vector<Mass>& masses, Vec3 centre) {
  std::array<Vec3, 3> spread;
  for (const auto& mass : masses) {
    const Vec3 off = mass.at - centre;
    spread[0] = spread[0] + off * (off.x * mass.area);
    spread[1] = spread[1] + off * (off.y * mass.area);
    spread[2] = spread[2] + off * (off.z * mass.area);
  }
  const Vec3 upwards{0.1F, 1, 0.01F};  // what wins where all directions are alike
  Vec3 direction = unit(upwards);
  for (int i = 0; i < 64; ++i) {
    direction = unit({dot(spread[0], direction), dot(spread[1], direction), dot(spread[2], direction)},
                     unit(upwards));
  }
  return direction;
}

// Things stand upright or lie level, even if an arm or a tail pulls the mean aside.
Vec3 straightened(Vec3 direction) {
  constexpr float nearly = 0.9F;
  for (const Vec3 axis : {Vec3{0, 1, 0}, Vec3{1, 0, 0}, Vec3{0, 0, 1}}) {
    if (std::fabs(dot(axis, direction)) > nearly) {
      return axis;
    }
  }
  return direction.y < 0 ? direction * -1 : direction;
}

struct Axis {
  Vec3 origin;  // at the lower end
  Vec3 direction;
  float length = 0;

  // 0 at the lower end, 1 at the other.
  float share(Vec3 at) const { return dot(at - origin, direction) / length; }
};

Axis axis_of(const Mesh& mesh, const std::vector<Mass>& masses) {
  const Vec3 centre = centre_of(masses, mesh.positions.front());
  Axis axis;
  axis.direction = straightened(widest_direction(masses, centre));
  float least = 0;
  float most = 0;
  for (const auto& at : mesh.positions) {
    const float along = dot(at - centre, axis.direction);
    least = std::min(least, along);
    most = std::max(most, along);
  }
  axis.origin = centre + axis.direction * least;
  axis.length = std::max(most - least, 1e-6F);
  return axis;
}

// In the middle of what the mesh has at that height.
Vec3 joint_place(const std::vector<Mass>& masses, const Axis& axis, float share, float width) {
  std::vector<Mass> slice;
  for (const auto& mass : masses) {
    if (std::fabs(axis.share(mass.at) - share) <= width) {
      slice.push_back(mass);
    }
  }
  const Vec3 on_axis = axis.origin + axis.direction * (share * axis.length);
  const Vec3 centre = centre_of(slice, on_axis);
  return centre + axis.direction * dot(on_axis - centre, axis.direction);
}

// A quadratic B-spline over the joints: smooth, and the three weights add up to 1.
Influence influence_at(float share, int count) {
  const float place = clamped(share, 0, 1) * static_cast<float>(count) - 0.5F;
  const float nearest = std::floor(place + 0.5F);
  const float off = place - nearest;
  const std::array<float, 3> weights = {0.5F * (0.5F - off) * (0.5F - off), 0.75F - off * off,
                                        0.5F * (0.5F + off) * (0.5F + off)};
  Influence influence;
  std::size_t used = 0;
  for (int i = 0; i < 3; ++i) {
    const auto joint = static_cast<uint16_t>(std::clamp(static_cast<int>(nearest) + i - 1, 0, count - 1));
    if (used > 0 && influence.joints[used - 1] == joint) {
      influence.weights[used - 1] += weights[static_cast<std::size_t>(i)];
    } else if (weights[static_cast<std::size_t>(i)] > 0) {
      influence.joints[used] = joint;
      influence.weights[used++] = weights[static_cast<std::size_t>(i)];
    }
  }
  // What rounding took or gave goes to the largest.
  auto& weights_left = influence.weights;
  auto* const largest = std::max_element(weights_left.begin(), weights_left.end());
  *largest = 0;
  *largest = 1 - (weights_left[0] + weights_left[1] + weights_left[2] + weights_left[3]);
  return influence;
}

}  // namespace

void fit_skeleton(Model& model, int count) {
  WAYBILL_CHECK(count >= 2 && static_cast<std::size_t>(count) <= joints_max && !model.mesh.positions.empty());
  const auto masses = masses_of(model.mesh);
  const Axis axis = axis_of(model.mesh, masses);
  model.joints.clear();
  model.clips.clear();
  const float step = 1 / static_cast<float>(count);
  for (int i = 0; i < count; ++i) {
    const std::string name = i == 0 ? "root" : "joint_" + std::to_string(i);
    model.joints.push_back({name, i - 1, joint_place(masses, axis, static_cast<float>(i) * step, step / 2)});
  }
  model.mesh.influences.clear();
  model.mesh.influences.reserve(model.mesh.positions.size());
  for (const auto& at : model.mesh.positions) {
    model.mesh.influences.push_back(influence_at(axis.share(at), count));
  }
}

}  // namespace waybill::asset
