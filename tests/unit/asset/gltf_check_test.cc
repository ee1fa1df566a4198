// The other reader's side of gltf_check.h. Its header is heavy, so it stays in this file.
#include "asset/gltf_check.h"

#include <tiny_gltf.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>

namespace waybill::asset {

namespace {

class Checker {
 public:
  explicit Checker(const tinygltf::Model& model) : model_(model) {}

  void expect(bool holds, const std::string& what) { report.problems += holds ? "" : what + "\n"; }

  std::size_t part_bytes(const tinygltf::Accessor& accessor) const {
    return static_cast<std::size_t>(
        tinygltf::GetComponentSizeInBytes(static_cast<uint32_t>(accessor.componentType)));
  }
  std::size_t parts(const tinygltf::Accessor& accessor) const {
    return static_cast<std::size_t>(tinygltf::GetNumComponentsInType(static_cast<uint32_t>(accessor.type)));
  }

  const unsigned char* at(const tinygltf::Accessor& accessor, std::size_t index) const {
    const auto& view = model_.bufferViews[static_cast<std::size_t>(accessor.bufferView)];
    return model_.buffers[0].data.data() + view.byteOffset + accessor.byteOffset +
           index * static_cast<std::size_t>(accessor.ByteStride(view));
  }

  double number(const tinygltf::Accessor& accessor, std::size_t index, std::size_t part) const {
    const unsigned char* const bytes = at(accessor, index) + part * part_bytes(accessor);
    switch (accessor.componentType) {
      case TINYGLTF_COMPONENT_TYPE_FLOAT: {
        float value = 0;
        std::memcpy(&value, bytes, sizeof(value));
        return static_cast<double>(value);
      }
      case TINYGLTF_COMPONENT_TYPE_UNSIGNED_INT: {
        uint32_t value = 0;
        std::memcpy(&value, bytes, sizeof(value));
        return value;
      }
      case TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT: {
        uint16_t value = 0;
        std::memcpy(&value, bytes, sizeof(value));
        return value;
      }
      default:
        return *bytes;
    }
  }

  void check_accessors() {
    for (const auto& accessor : model_.accessors) {
      const auto& view = model_.bufferViews[static_cast<std::size_t>(accessor.bufferView)];
      const std::size_t size = parts(accessor) * part_bytes(accessor);
      const auto stride = static_cast<std::size_t>(accessor.ByteStride(view));
      expect(accessor.byteOffset + (accessor.count - 1) * stride + size <= view.byteLength,
             "accessor beyond view");
      expect(view.byteOffset + view.byteLength <= model_.buffers[0].data.size(), "view beyond buffer");
      expect((view.byteOffset + accessor.byteOffset) % part_bytes(accessor) == 0, "accessor not aligned");
      for (std::size_t part = 0; part < accessor.minValues.size(); ++part) {
        double least = number(accessor, 0, part);
        double most = least;
        for (std::size_t i = 0; i < accessor.count; ++i) {
          least = std::min(least, number(accessor, i, part));
          most = std::max(most, number(accessor, i, part));
          expect(std::isfinite(number(accessor, i, part)), "a number is not finite");
        }
        expect(least == accessor.minValues[part] && most == accessor.maxValues[part], "min or max is wrong");
      }
    }
  }

  const tinygltf::Accessor& attribute(const tinygltf::Primitive& primitive, const std::string& name) const {
    return model_.accessors[static_cast<std::size_t>(primitive.attributes.at(name))];
  }

  void check_mesh() {
    const auto& primitive = model_.meshes.at(0).primitives.at(0);
    expect(primitive.mode == TINYGLTF_MODE_TRIANGLES, "not triangles");
    const auto& positions = attribute(primitive, "POSITION");
    const auto& normals = attribute(primitive, "NORMAL");
    const auto& places = attribute(primitive, "TEXCOORD_0");
    expect(positions.minValues.size() == 3 && positions.maxValues.size() == 3, "POSITION without bounds");
    expect(normals.count == positions.count && places.count == positions.count,
           "attributes of other lengths");
    for (std::size_t i = 0; i < positions.count; ++i) {
      const auto real = [&](const tinygltf::Accessor& accessor, std::size_t part) {
        return static_cast<float>(number(accessor, i, part));
      };
      report.mesh.positions.push_back({real(positions, 0), real(positions, 1), real(positions, 2)});
      const Vec3 normal{real(normals, 0), real(normals, 1), real(normals, 2)};
      expect(std::fabs(length(normal) - 1) < 1e-4F, "a normal is not of length 1");
      expect(real(places, 0) >= 0 && real(places, 0) <= 1 && real(places, 1) >= 0 && real(places, 1) <= 1,
             "a texture place is outside the texture");
    }
    const auto& indices = model_.accessors[static_cast<std::size_t>(primitive.indices)];
    expect(indices.count % 3 == 0, "a triangle is not whole");
    for (std::size_t i = 0; i < indices.count; ++i) {
      report.mesh.indices.push_back(static_cast<uint32_t>(number(indices, i, 0)));
      expect(report.mesh.indices.back() < positions.count, "an index is out of range");
    }
    if (!model_.skins.empty()) {
      check_weights(primitive);
    }
  }

  void check_weights(const tinygltf::Primitive& primitive) {
    const auto& joints = attribute(primitive, "JOINTS_0");
    const auto& weights = attribute(primitive, "WEIGHTS_0");
    expect(joints.count == report.mesh.positions.size() && weights.count == joints.count,
           "weights of other length");
    for (std::size_t i = 0; i < joints.count; ++i) {
      double sum = 0;
      std::set<double> used;
      for (std::size_t part = 0; part < 4; ++part) {
        const double weight = number(weights, i, part);
        expect(weight >= 0, "a weight is below 0");
        expect(number(joints, i, part) < static_cast<double>(report.joints), "a joint does not exist");
        expect(weight == 0 || used.insert(number(joints, i, part)).second, "a joint moves a vertex twice");
        expect(weight > 0 || number(joints, i, part) == 0, "a joint without weight is not 0");
        sum += weight;
      }
      expect(std::fabs(sum - 1) <= 6e-7, "weights do not add up to 1");
    }
  }

  void check_skin() {
    if (model_.skins.empty()) {
      return;
    }
    const auto& skin = model_.skins[0];
    report.joints = skin.joints.size();
    const auto& matrices = model_.accessors[static_cast<std::size_t>(skin.inverseBindMatrices)];
    expect(matrices.count == skin.joints.size() && matrices.type == TINYGLTF_TYPE_MAT4,
           "not a matrix a joint");
    // A matrix times the joint's place at rest is where everything begins.
    std::vector<Vec3> at(model_.nodes.size());
    for (std::size_t i = 0; i < skin.joints.size(); ++i) {
      const auto node = static_cast<std::size_t>(skin.joints[i]);
      const auto& shift = model_.nodes[node].translation;
      at[node] = at[node] + Vec3{static_cast<float>(shift[0]), static_cast<float>(shift[1]),
                                 static_cast<float>(shift[2])};
      for (const int child : model_.nodes[node].children) {
        at[static_cast<std::size_t>(child)] = at[node];
      }
      const Vec3 back{static_cast<float>(number(matrices, i, 12)),
                      static_cast<float>(number(matrices, i, 13)),
                      static_cast<float>(number(matrices, i, 14))};
      expect(length(at[node] + back) < 1e-4F, "a joint does not rest where the mesh was bound to it");
      expect(number(matrices, i, 15) == 1, "a matrix is not affine");
    }
  }

  void check_clips() {
    for (const auto& clip : model_.animations) {
      report.channels += clip.channels.size();
      for (const auto& channel : clip.channels) {
        const auto& sampler = clip.samplers[static_cast<std::size_t>(channel.sampler)];
        const auto& input = model_.accessors[static_cast<std::size_t>(sampler.input)];
        const auto& output = model_.accessors[static_cast<std::size_t>(sampler.output)];
        expect(input.minValues.size() == 1 && input.count == output.count && input.count > 1,
               "times and values differ");
        expect(number(input, 0, 0) == 0, "a clip does not begin at 0");
        for (std::size_t i = 1; i < input.count; ++i) {
          expect(number(input, i, 0) > number(input, i - 1, 0), "times do not ascend");
        }
        for (std::size_t part = 0; part < parts(output); ++part) {
          expect(number(output, 0, part) == number(output, output.count - 1, part),
                 "a clip does not end as it begins");
        }
        for (std::size_t i = 0; channel.target_path == "rotation" && i < output.count; ++i) {
          double square = 0;
          for (std::size_t part = 0; part < 4; ++part) {
            square += number(output, i, part) * number(output, i, part);
          }
          expect(std::fabs(square - 1) < 1e-5, "a quaternion is not of length 1");
        }
        const auto& joints = model_.skins.at(0).joints;
        expect(std::find(joints.begin(), joints.end(), channel.target_node) != joints.end(),
               "a channel moves no joint");
      }
    }
  }

  GltfReport report;

 private:
  const tinygltf::Model& model_;
};

}  // namespace

GltfReport check_gltf(const std::string& path) {
  tinygltf::TinyGLTF loader;
  tinygltf::Model model;
  std::string error;
  std::string warning;
  if (!loader.LoadBinaryFromFile(&model, &error, &warning, path) || !error.empty() || !warning.empty()) {
    return {"tinygltf: " + error + warning, {}, 0, 0, 0, 0};
  }
  Checker checker(model);
  checker.check_accessors();
  checker.check_skin();
  checker.check_mesh();
  checker.check_clips();
  if (!model.images.empty()) {
    checker.report.texture_width = model.images[0].width;
    checker.report.texture_height = model.images[0].height;
  }
  return checker.report;
}

}  // namespace waybill::asset
