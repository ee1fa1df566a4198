#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "asset/vector.h"

// A thing in three dimensions, as glTF 2.0 sees it: y up, z towards the viewer, metres, counter-clockwise
// triangles.
namespace waybill::asset {

inline constexpr std::size_t vertices_max = std::size_t{4} << 20;
inline constexpr std::size_t triangles_max = std::size_t{8} << 20;
inline constexpr std::size_t joints_max = 256;
inline constexpr float reach_metres_max = 1e6F;  // squares of larger numbers would soon leave float

// Up to four joints move a vertex; the weights add up to 1.
struct Influence {
  std::array<uint16_t, 4> joints{};
  std::array<float, 4> weights{};
};

// All lists of vertices are as long as `positions`, or empty where the mesh has none of it.
struct Mesh {
  std::vector<Vec3> positions;
  std::vector<Vec3> normals;
  std::vector<Vec2> texture_places;  // from the upper left, 0 to 1
  std::vector<Influence> influences;
  std::vector<uint32_t> indices;  // three a triangle

  std::size_t triangles() const { return indices.size() / 3; }
};

// Joints rest unturned: where they are is all that is known of them.
struct Joint {
  std::string name;
  int parent = -1;  // an earlier one, or -1 for the root
  Vec3 at;          // in the room, at rest
};

struct Quaternion {
  float x = 0;
  float y = 0;
  float z = 0;
  float w = 1;
};

// How one joint turns and, where `shifts` is not empty, where it is in relation to its parent; a value a
// moment.
struct Track {
  std::size_t joint = 0;
  std::vector<Quaternion> turns;
  std::vector<Vec3> shifts;
};

struct Clip {
  std::string name;
  std::vector<float> seconds;  // ascending from 0
  std::vector<Track> tracks;
};

struct Model {
  std::string name;
  Mesh mesh;
  std::string texture_png;  // empty for none
  std::vector<Joint> joints;
  std::vector<Clip> clips;
};

struct Bounds {
  Vec3 least;
  Vec3 most;
};

// `positions` must not be empty.
Bounds bounds_of(const std::vector<Vec3>& positions);

// For each vertex the first one at the same place: on a seam of the texture there are several.
std::vector<uint32_t> first_at_place(const std::vector<Vec3>& positions);

// The normals of a smooth surface: those of the triangles around a place, larger ones counting for more.
// Vertices at one place (on a seam of the texture) get the same normal.
std::vector<Vec3> smooth_normals(const Mesh& mesh);

}  // namespace waybill::asset
