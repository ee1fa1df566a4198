#include "asset/glb_mesh_reader.h"

#include <cmath>
#include <numeric>

namespace waybill::asset::glb {

namespace {

bool is_sane(float value) {
  return std::fabs(value) <= reach_metres_max;  // not so for NaN
}

// The primitive that has all triangles.
Result<json::Value> only_primitive(const Document& document) {
  if (document.count("meshes") != 1) {
    return invalid("the .glb has " + std::to_string(document.count("meshes")) +
                   " meshes; join them into one");
  }
  WAYBILL_TRY_ASSIGN(const auto mesh, document.element("meshes", 0));
  const auto primitives = mesh.find("primitives");
  if (!primitives || !primitives->is_array() || primitives->size() != 1) {
    return invalid("the mesh of the .glb has several materials; join them into one");
  }
  json::Elements elements(*primitives);
  elements.next();
  const json::Value primitive = elements.value();
  if (!primitive.is_object()) {
    return damaged("a primitive is not an object");
  }
  WAYBILL_TRY_ASSIGN(const auto mode, whole_member(primitive, "mode"));
  if (mode.value_or(triangles_mode) != triangles_mode) {
    return invalid("the mesh of the .glb is not made of single triangles; convert it");
  }
  return primitive;
}

// The elements of an attribute, as many as there are vertices; without data where there is no such attribute.
Result<Elements> attribute(const Document& document, const json::Value& attributes, std::string_view name,
                           std::string_view type, std::size_t vertices) {
  WAYBILL_TRY_ASSIGN(const auto accessor, whole_member(attributes, name));
  if (!accessor) {
    return Elements{};
  }
  WAYBILL_TRY_ASSIGN(const auto elements, document.elements(*accessor, type, vertices_max));
  if (vertices != 0 && elements.count != vertices) {
    return damaged(std::string(name) + " has another number of elements than POSITION");
  }
  return elements;
}

Result<std::vector<Vec3>> read_vectors(const Elements& elements, std::string_view name) {
  if (elements.data != nullptr && elements.component != real) {
    return invalid(std::string(name) + " of the .glb is not made of floats; save it without quantization");
  }
  std::vector<Vec3> vectors(elements.count);
  for (std::size_t i = 0; i < vectors.size(); ++i) {
    vectors[i] = {elements.number(i, 0), elements.number(i, 1), elements.number(i, 2)};
    if (!is_sane(vectors[i].x) || !is_sane(vectors[i].y) || !is_sane(vectors[i].z)) {
      return damaged(std::string(name) + " has a number that is not finite, or beyond all measure");
    }
  }
  return vectors;
}

Result<std::vector<Vec2>> read_places(const Elements& elements) {
  std::vector<Vec2> places(elements.count);
  for (std::size_t i = 0; i < places.size(); ++i) {
    places[i] = {elements.number(i, 0), elements.number(i, 1)};
    if (!is_sane(places[i].x) || !is_sane(places[i].y)) {
      return damaged("TEXCOORD_0 has a number that is not finite, or beyond all measure");
    }
  }
  return places;
}

Result<Influence> read_influence(const Elements& joints, const Elements& weights, std::size_t index,
                                 std::size_t joint_count) {
  Influence influence;
  float sum = 0;
  for (std::size_t part = 0; part < 4; ++part) {
    const uint32_t joint = joints.whole(index, part);
    const float weight = weights.number(index, part);
    if (joint >= joint_count || !is_sane(weight) || weight < 0) {
      return damaged("a vertex is moved by a joint that does not exist, or has a weight below 0");
    }
    influence.joints[part] = static_cast<uint16_t>(joint);
    influence.weights[part] = weight;
    sum += weight;
  }
  if (!(sum > 0)) {
    return damaged("a vertex of a mesh with a skeleton is moved by no joint");
  }
  for (auto& weight : influence.weights) {
    weight /= sum;
  }
  return influence;
}

Result<std::vector<Influence>> read_influences(const Elements& joints, const Elements& weights,
                                               std::size_t joint_count) {
  if (joints.data == nullptr || weights.data == nullptr || joints.component == real ||
      joints.component == unsigned_int) {
    return damaged("a mesh with a skeleton has no JOINTS_0 and WEIGHTS_0 as they should be");
  }
  std::vector<Influence> influences;
  influences.reserve(joints.count);
  for (std::size_t i = 0; i < joints.count; ++i) {
    WAYBILL_TRY_ASSIGN(const auto influence, read_influence(joints, weights, i, joint_count));
    influences.push_back(influence);
  }
  return influences;
}

Result<std::vector<uint32_t>> read_indices(const Document& document, const json::Value& primitive,
                                           std::size_t vertices) {
  WAYBILL_TRY_ASSIGN(const auto accessor, whole_member(primitive, "indices"));
  std::vector<uint32_t> indices;
  if (!accessor) {
    indices.resize(vertices);
    std::iota(indices.begin(), indices.end(), 0U);
  } else {
    WAYBILL_TRY_ASSIGN(const auto elements, document.elements(*accessor, "SCALAR", triangles_max * 3));
    if (elements.component == real) {
      return damaged("its indices are not whole numbers");
    }
    indices.resize(elements.count);
    for (std::size_t i = 0; i < indices.size(); ++i) {
      indices[i] = elements.whole(i, 0);
      if (indices[i] >= vertices) {
        return damaged("a triangle has a corner that does not exist");
      }
    }
  }
  return indices.size() % 3 == 0 ? Result<std::vector<uint32_t>>(std::move(indices))
                                 : damaged("its last triangle is not whole");
}

}  // namespace

Result<Mesh> read_mesh(const Document& document, std::size_t joint_count) {
  WAYBILL_TRY_ASSIGN(const auto primitive, only_primitive(document));
  const auto attributes = primitive.find("attributes");
  if (!attributes || !attributes->is_object() || !attributes->find("POSITION")) {
    return damaged("its mesh has no positions");
  }
  Mesh mesh;
  WAYBILL_TRY_ASSIGN(const auto positions, attribute(document, *attributes, "POSITION", "VEC3", 0));
  WAYBILL_TRY_ASSIGN(mesh.positions, read_vectors(positions, "POSITION"));
  const std::size_t vertices = mesh.positions.size();
  WAYBILL_TRY_ASSIGN(mesh.indices, read_indices(document, primitive, vertices));
  WAYBILL_TRY_ASSIGN(const auto normals, attribute(document, *attributes, "NORMAL", "VEC3", vertices));
  WAYBILL_TRY_ASSIGN(mesh.normals, read_vectors(normals, "NORMAL"));
  WAYBILL_TRY_ASSIGN(const auto places, attribute(document, *attributes, "TEXCOORD_0", "VEC2", vertices));
  WAYBILL_TRY_ASSIGN(mesh.texture_places, read_places(places));
  if (mesh.normals.empty()) {
    mesh.normals = smooth_normals(mesh);
  }
  if (joint_count > 0) {
    WAYBILL_TRY_ASSIGN(const auto joints, attribute(document, *attributes, "JOINTS_0", "VEC4", vertices));
    WAYBILL_TRY_ASSIGN(const auto weights, attribute(document, *attributes, "WEIGHTS_0", "VEC4", vertices));
    WAYBILL_TRY_ASSIGN(mesh.influences, read_influences(joints, weights, joint_count));
  }
  return mesh;
}

}  // namespace waybill::asset::glb
