#include <cmath>

#include "asset/decimate.h"
#include "asset/dice.h"
#include "asset/glb_format.h"
#include "asset/glb_reader.h"
#include "asset/glb_writer.h"
#include "asset/gltf_check.h"
#include "asset/motion.h"
#include "asset/png_writer.h"
#include "asset/skeleton.h"
#include "asset/support.h"
#include "base/bytes.h"

namespace waybill::asset {
namespace {

// Two pyramids that share their base.
Model octahedron() {
  Model model;
  model.name = "octahedron";
  model.mesh.positions = {{1, 1, 0}, {-1, 1, 0}, {0, 3, 0}, {0, -1, 0}, {0, 1, 1}, {0, 1, -1}};
  model.mesh.indices = {4, 0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 5, 2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3};
  model.mesh.normals = smooth_normals(model.mesh);
  model.mesh.texture_places.assign(6, {0.5F, 0.25F});
  Image image(2, 2);
  image.rgba.assign(16, 255);
  model.texture_png = write_png(image);
  return model;
}

Model moving_octahedron() {
  Model model = octahedron();
  fit_skeleton(model, 3);
  model.clips.push_back(make_clip(model.joints, {.clip = "walk"}));
  return model;
}

using GlbTest = AssetTest;

TEST_F(GlbTest, IsValidForAnotherReader) {
  const auto plain = check_gltf(write("plain.glb", write_glb(octahedron())));
  EXPECT_EQ(plain.problems, "");
  EXPECT_EQ(plain.mesh.indices, octahedron().mesh.indices);
  const auto moving = check_gltf(write("moving.glb", write_glb(moving_octahedron())));
  EXPECT_EQ(moving.problems, "");
  EXPECT_EQ(moving.joints, 3U);
  EXPECT_EQ(moving.channels, 4U);
}

TEST_F(GlbTest, IsReadBack) {
  const Model model = moving_octahedron();
  const auto read = read_glb(write_glb(model));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->model.mesh.indices, model.mesh.indices);
  EXPECT_EQ(read->model.texture_png, model.texture_png);
  EXPECT_EQ(read->clips_left_out, 1U);
  ASSERT_EQ(read->model.joints.size(), 3U);
  EXPECT_EQ(read->model.joints[1].name, "joint_1");
  EXPECT_EQ(read->model.joints[2].parent, 1);
  for (std::size_t i = 0; i < model.mesh.positions.size(); ++i) {
    EXPECT_EQ(length(read->model.mesh.positions[i] - model.mesh.positions[i]), 0);
    EXPECT_EQ(read->model.mesh.influences[i].joints, model.mesh.influences[i].joints);
  }
}

TEST_F(GlbTest, ThatIsCutOffIsNoticed) {
  const std::string file = write_glb(moving_octahedron());
  for (std::size_t length = 0; length < file.size(); ++length) {
    std::string cut = file.substr(0, length);
    EXPECT_FALSE(read_glb(cut)) << length;
    // The same with a header that tells the truth about the length.
    if (length >= glb::header_bytes) {
      store_u32_le(cut.data() + 8, static_cast<uint32_t>(length));
      EXPECT_FALSE(read_glb(cut)) << length;
    }
  }
}

// With another JSON text of the same or another length.
std::string with_json(const std::string& file, const std::string& from, const std::string& to) {
  const std::size_t length = load_u32_le(file.data() + glb::header_bytes);
  std::string json = file.substr(20, length);
  const auto at = json.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  if (at != std::string::npos) {
    json.replace(at, from.size(), to);
  }
  json.append((4 - json.size() % 4) % 4, ' ');
  std::string changed = file.substr(0, 20) + json + file.substr(20 + length);
  store_u32_le(changed.data() + 8, static_cast<uint32_t>(changed.size()));
  store_u32_le(changed.data() + 12, static_cast<uint32_t>(json.size()));
  return changed;
}

TEST_F(GlbTest, WithHostileNumbersIsRefused) {
  const std::string file = write_glb(moving_octahedron());
  const auto refusal = [&](const std::string& from, const std::string& to) {
    const auto read = read_glb(with_json(file, from, to));
    EXPECT_FALSE(read) << from << " -> " << to;
    return read ? std::string() : read.error().message;
  };
  const std::string beyond = "the .glb is damaged: an accessor reaches beyond its view";
  EXPECT_EQ(refusal("\"count\":6", "\"count\":7"), beyond);
  EXPECT_EQ(refusal("\"count\":6", "\"count\":2147483647"),
            "the .glb is damaged: an accessor has 2147483647 elements; 1 to 4194304 are read");
  EXPECT_EQ(refusal("\"count\":6", "\"count\":-1"),
            "the .glb is damaged: count must be a whole number from 0 to 2147483647");
  EXPECT_EQ(refusal("\"count\":6", "\"count\":1e400"), "the .glb is damaged: its JSON cannot be read");
  EXPECT_EQ(refusal("\"count\":6", "\"count\":6,\"byteOffset\":2147483647"), beyond);
  EXPECT_EQ(refusal("\"byteOffset\":0,", "\"byteOffset\":0,\"byteStride\":2147483647,"), beyond);
  EXPECT_EQ(refusal("\"byteOffset\":0,", "\"byteOffset\":0,\"byteStride\":4,"), beyond);
  EXPECT_EQ(refusal("\"byteLength\":72", "\"byteLength\":2147483647"),
            "the .glb is damaged: a view reaches beyond the data");
  EXPECT_EQ(refusal("\"buffer\":0", "\"buffer\":1"), "the .glb has data in other files; save it in one");
  EXPECT_EQ(refusal("\"POSITION\":0", "\"POSITION\":99"),
            "the .glb is damaged: there is no element 99 in accessors");
  EXPECT_EQ(refusal("\"POSITION\":0", "\"POSITION\":2"),
            "the .glb is damaged: an accessor is not of type VEC3");
  EXPECT_EQ(refusal("\"indices\":5", "\"indices\":0"),
            "the .glb is damaged: an accessor is not of type SCALAR");
  EXPECT_EQ(refusal("\"mode\":4", "\"mode\":1"),
            "the mesh of the .glb is not made of single triangles; convert it");
  EXPECT_EQ(refusal("\"children\":[2]", "\"children\":[-1]"),
            "the .glb is damaged: a node has a child that does not exist, or that has another parent");
  EXPECT_EQ(refusal("\"joints\":[1", "\"joints\":[77"),
            "the .glb is damaged: its skin has a joint that does not exist");
  EXPECT_EQ(refusal("\"name\":\"root\"", "\"name\":\"root\",\"scale\":[2,2,2]"),
            "the .glb has nodes that are turned or scaled; apply their transforms before saving it");
  EXPECT_EQ(
      refusal("\"name\":\"root\",\"translation\":[", "\"name\":\"root\",\"translation\":[1e30,0,0],\"t\":["),
      "the .glb is damaged: the translation of a node cannot be read");
  EXPECT_EQ(
      refusal("{\"asset\"", "{\"extensionsRequired\":[\"KHR_draco_mesh_compression\"],\"asset\""),
      "the .glb needs the extension KHR_draco_mesh_compression, which is not known here; save it without");
}

TEST_F(GlbTest, WithNodesInACircleIsRefused) {
  const std::string file = write_glb(octahedron());
  EXPECT_EQ(read_glb(with_json(file, "\"mesh\":0", "\"mesh\":0,\"children\":[0]")).error().message,
            "the .glb is damaged: its nodes go round in circles");
}

TEST_F(GlbTest, OfATriangleIsLeftAsItIs) {
  Mesh mesh = octahedron().mesh;
  mesh.indices.resize(3);
  const auto decimated = decimate(mesh, {.ratio = 0.01, .error = 1});
  ASSERT_TRUE(decimated);
  EXPECT_EQ(decimated->mesh.triangles(), 1U);
  EXPECT_EQ(decimated->mesh.positions.size(), 3U);
}

TEST_F(GlbTest, WithWrongDataIsRefused) {
  Model model = octahedron();
  model.mesh.positions[3].y = std::nanf("");
  EXPECT_FALSE(read_glb(write_glb(model)));
  model = octahedron();
  model.mesh.positions[3].y = 1e30F;
  EXPECT_FALSE(read_glb(write_glb(model)));
  model = octahedron();
  model.mesh.indices[5] = 6;
  EXPECT_EQ(read_glb(write_glb(model)).error().message,
            "the .glb is damaged: a triangle has a corner that does not exist");
  model = moving_octahedron();
  model.mesh.influences[2].joints[0] = 3;
  EXPECT_FALSE(read_glb(write_glb(model)));
  model = moving_octahedron();
  model.mesh.influences[2].weights = {};
  EXPECT_EQ(read_glb(write_glb(model)).error().message,
            "the .glb is damaged: a vertex of a mesh with a skeleton is moved by no joint");
  model = octahedron();
  model.texture_png = "\xff\xd8 a JPEG";
  EXPECT_EQ(read_glb(write_glb(model)).error().message, "the texture of the .glb is not a PNG; convert it");
}

TEST_F(GlbTest, IsReadWithoutNormalsAndTexture) {
  Model model = octahedron();
  model.mesh.normals.clear();
  model.mesh.texture_places.clear();
  model.texture_png.clear();
  const auto read = read_glb(write_glb(model));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->model.mesh.normals.size(), 6U);
  EXPECT_NEAR(read->model.mesh.normals[2].y, 1, 1e-6F);
}

TEST_F(GlbTest, WithManyVerticesHasLongIndices) {
  Model model = octahedron();
  model.mesh.positions.resize(70'000, {0, 0, 0});
  model.mesh.normals.resize(70'000, {0, 0, 1});
  model.mesh.texture_places.resize(70'000);
  model.mesh.indices[0] = 69'999;
  const auto report = check_gltf(write("long.glb", write_glb(model)));
  EXPECT_EQ(report.problems, "");
  EXPECT_EQ(report.mesh.indices[0], 69'999U);
  const auto read = read_glb(write_glb(model));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->model.mesh.indices, model.mesh.indices);
}

TEST_F(GlbTest, ChangedAnywhereDoesNoHarm) {
  const std::string file = write_glb(moving_octahedron());
  Dice dice("changes", 5);
  for (int i = 0; i < 4000; ++i) {
    std::string changed = file;
    for (int k = 1 + dice.below(3); k > 0; --k) {
      changed[static_cast<std::size_t>(dice.below(static_cast<int>(file.size())))] =
          static_cast<char>(dice.below(256));
    }
    auto read = read_glb(changed);
    if (read) {
      // What is accepted can be worked with.
      const auto decimated = decimate(read->model.mesh, {});
      fit_skeleton(read->model, 4);
      EXPECT_FALSE(write_glb(read->model).empty());
      static_cast<void>(decimated.has_value());
    }
  }
}

TEST(Skeleton, GoesThroughTheMiddle) {
  Model model = octahedron();
  fit_skeleton(model, 4);
  ASSERT_EQ(model.joints.size(), 4U);
  EXPECT_NEAR(model.joints[0].at.y, -1, 1e-5F);
  EXPECT_NEAR(model.joints[3].at.y, 2, 1e-5F);
  for (const auto& joint : model.joints) {
    EXPECT_NEAR(joint.at.x, 0, 1e-5F);
    EXPECT_NEAR(joint.at.z, 0, 1e-5F);
  }
  // The top is moved by the last joint alone, the bottom by the first, the middle by those around it.
  EXPECT_EQ(model.mesh.influences[2].joints[0], 3);
  EXPECT_EQ(model.mesh.influences[2].weights[0], 1);
  EXPECT_EQ(model.mesh.influences[3].joints[0], 0);
  EXPECT_EQ(model.mesh.influences[3].weights[0], 1);
  EXPECT_EQ(model.mesh.influences[0].joints[0], 1);
  EXPECT_EQ(model.mesh.influences[0].joints[1], 2);
  EXPECT_NEAR(model.mesh.influences[0].weights[0], 0.5F, 1e-5F);
}

TEST(Skeleton, FollowsThingsThatLie) {
  Model model = octahedron();
  for (auto& at : model.mesh.positions) {
    at = {at.y, at.x, at.z};
  }
  fit_skeleton(model, 3);
  EXPECT_NEAR(model.joints[0].at.x, -1, 1e-5F);
  EXPECT_GT(model.joints[2].at.x, model.joints[1].at.x);
}

TEST(Skeleton, OfAMeshWithoutSizeIsMadeAllTheSame) {
  Model model = octahedron();
  model.mesh.positions.assign(6, {1, 2, 3});
  fit_skeleton(model, 2);
  for (const auto& influence : model.mesh.influences) {
    float sum = 0;
    for (const float weight : influence.weights) {
      sum += weight;
    }
    EXPECT_NEAR(sum, 1, 1e-6F);
  }
}

TEST(Motion, MovesWhatItShould) {
  Model model = octahedron();
  fit_skeleton(model, 5);
  const Clip idle = make_clip(model.joints, {});
  const Clip walk = make_clip(model.joints, {.clip = "walk"});
  EXPECT_EQ(idle.tracks.size(), 5U);
  EXPECT_EQ(idle.seconds.size(), 49U);
  EXPECT_EQ(idle.seconds.back(), 2);
  const auto turned = [](const Clip& clip) {
    float most = 0;
    for (const auto& track : clip.tracks) {
      for (const auto& turn : track.turns) {
        most = std::max(most, std::fabs(turn.x) + std::fabs(turn.y) + std::fabs(turn.z));
      }
    }
    return most;
  };
  EXPECT_GT(turned(idle), 0.01F);
  EXPECT_GT(turned(walk), turned(idle));
}

}  // namespace
}  // namespace waybill::asset
