#include "asset/glb_writer.h"

#include <array>
#include <bit>
#include <initializer_list>
#include <optional>

#include "asset/glb_buffer.h"
#include "base/bytes.h"
#include "base/check.h"

namespace waybill::asset {

namespace {

static_assert(std::endian::native == std::endian::little,
              "lists of numbers are written as they lie in memory");
static_assert(sizeof(Vec3) == 12 && sizeof(Vec2) == 8 && sizeof(Quaternion) == 16);

using glb::Buffer;
using Matrix = std::array<float, 16>;  // columns

constexpr int64_t mesh_node = 0;
constexpr int64_t first_joint_node = 1;

void write_reals(json::Writer& out, std::initializer_list<float> values) {
  out.begin_array();
  for (const float value : values) {
    out.real(static_cast<double>(value));
  }
  out.end_array();
}

std::string bounds_json(std::initializer_list<float> least, std::initializer_list<float> most) {
  std::string text = ",";
  json::Writer out(text);
  out.key("min");
  write_reals(out, least);
  out.key("max");
  write_reals(out, most);
  return text;
}

// The numbers of the accessors of a mesh.
struct MeshAccessors {
  int64_t positions = 0;
  std::optional<int64_t> normals;
  std::optional<int64_t> texture_places;
  std::optional<int64_t> joints;
  std::optional<int64_t> weights;
  int64_t indices = 0;
};

int64_t add_indices(Buffer& buffer, const Mesh& mesh) {
  constexpr std::size_t short_max = UINT16_MAX;  // that number itself would restart a strip
  if (mesh.positions.size() > short_max) {
    return buffer.add_list(std::span(mesh.indices),
                           {.type = "SCALAR", .component = glb::unsigned_int, .target = glb::index_target});
  }
  const std::vector<uint16_t> short_ones(mesh.indices.begin(), mesh.indices.end());
  return buffer.add_list(std::span(short_ones),
                         {.type = "SCALAR", .component = glb::unsigned_short, .target = glb::index_target});
}

void add_influences(Buffer& buffer, const Mesh& mesh, MeshAccessors& accessors) {
  std::vector<std::array<uint8_t, 4>> joints;
  std::vector<std::array<float, 4>> weights;
  for (const auto& influence : mesh.influences) {
    std::array<uint8_t, 4> short_ones{};
    for (std::size_t i = 0; i < short_ones.size(); ++i) {
      short_ones[i] = static_cast<uint8_t>(influence.joints[i]);
    }
    joints.push_back(short_ones);
    weights.push_back(influence.weights);
  }
  accessors.joints =
      buffer.add_list(std::span<const std::array<uint8_t, 4>>(joints),
                      {.type = "VEC4", .component = glb::unsigned_byte, .target = glb::vertex_target});
  accessors.weights = buffer.add_list(std::span<const std::array<float, 4>>(weights),
                                      {.type = "VEC4", .target = glb::vertex_target});
}

MeshAccessors add_mesh(Buffer& buffer, const Mesh& mesh) {
  const Bounds bounds = bounds_of(mesh.positions);
  const std::string range = bounds_json({bounds.least.x, bounds.least.y, bounds.least.z},
                                        {bounds.most.x, bounds.most.y, bounds.most.z});
  MeshAccessors accessors;
  accessors.positions = buffer.add_list(std::span(mesh.positions),
                                        {.type = "VEC3", .target = glb::vertex_target, .bounds_json = range});
  if (!mesh.normals.empty()) {
    accessors.normals =
        buffer.add_list(std::span(mesh.normals), {.type = "VEC3", .target = glb::vertex_target});
  }
  if (!mesh.texture_places.empty()) {
    accessors.texture_places =
        buffer.add_list(std::span(mesh.texture_places), {.type = "VEC2", .target = glb::vertex_target});
  }
  if (!mesh.influences.empty()) {
    add_influences(buffer, mesh, accessors);
  }
  accessors.indices = add_indices(buffer, mesh);
  return accessors;
}

void write_mesh(json::Writer& out, const MeshAccessors& accessors, bool has_texture) {
  const auto attribute = [&](std::string_view name, const std::optional<int64_t>& accessor) {
    if (accessor) {
      out.key(name).integer(*accessor);
    }
  };
  out.key("meshes").begin_array().begin_object().key("primitives").begin_array().begin_object();
  out.key("attributes").begin_object();
  attribute("POSITION", accessors.positions);
  attribute("NORMAL", accessors.normals);
  attribute("TEXCOORD_0", accessors.texture_places);
  attribute("JOINTS_0", accessors.joints);
  attribute("WEIGHTS_0", accessors.weights);
  out.end_object().key("indices").integer(accessors.indices);
  out.key("material").integer(0).key("mode").integer(glb::triangles_mode);
  out.end_object().end_array().end_object().end_array();

  out.key("materials").begin_array().begin_object().key("name").string("skin");
  out.key("pbrMetallicRoughness").begin_object();
  if (has_texture) {
    out.key("baseColorTexture").begin_object().key("index").integer(0).end_object();
  }
  out.key("metallicFactor").real(0).key("roughnessFactor").real(0.75).end_object();
  out.end_object().end_array();
}

void write_texture(json::Writer& out, int64_t view) {
  constexpr int64_t linear = 9729;
  constexpr int64_t linear_mipmap_linear = 9987;
  constexpr int64_t clamp_to_edge = 33071;
  out.key("images").begin_array().begin_object().key("bufferView").integer(view);
  out.key("mimeType").string("image/png").end_object().end_array();
  out.key("samplers").begin_array().begin_object();
  out.key("magFilter").integer(linear).key("minFilter").integer(linear_mipmap_linear);
  out.key("wrapS").integer(clamp_to_edge).key("wrapT").integer(clamp_to_edge).end_object().end_array();
  out.key("textures").begin_array().begin_object();
  out.key("sampler").integer(0).key("source").integer(0).end_object().end_array();
}

Vec3 place_in_parent(const std::vector<Joint>& joints, const Joint& joint) {
  return joint.parent < 0 ? joint.at : joint.at - joints[static_cast<std::size_t>(joint.parent)].at;
}

void write_joint(json::Writer& out, const std::vector<Joint>& joints, std::size_t index) {
  const Joint& joint = joints[index];
  out.begin_object().key("name").string(joint.name);
  const Vec3 place = place_in_parent(joints, joint);
  out.key("translation");
  write_reals(out, {place.x, place.y, place.z});
  bool has_children = false;
  for (std::size_t i = index + 1; i < joints.size(); ++i) {
    if (joints[i].parent == static_cast<int>(index)) {
      if (!has_children) {
        out.key("children").begin_array();
      }
      has_children = true;
      out.integer(first_joint_node + static_cast<int64_t>(i));
    }
  }
  if (has_children) {
    out.end_array();
  }
  out.end_object();
}

void write_nodes(json::Writer& out, const Model& model) {
  out.key("scene").integer(0).key("scenes").begin_array().begin_object().key("nodes").begin_array();
  out.integer(mesh_node);
  for (std::size_t i = 0; i < model.joints.size(); ++i) {
    if (model.joints[i].parent < 0) {
      out.integer(first_joint_node + static_cast<int64_t>(i));
    }
  }
  out.end_array().end_object().end_array();
  out.key("nodes").begin_array().begin_object();
  out.key("name").string(model.name).key("mesh").integer(0);
  if (!model.joints.empty()) {
    out.key("skin").integer(0);
  }
  out.end_object();
  for (std::size_t i = 0; i < model.joints.size(); ++i) {
    write_joint(out, model.joints, i);
  }
  out.end_array();
}

void write_skin(json::Writer& out, Buffer& buffer, const std::vector<Joint>& joints) {
  std::vector<Matrix> inverses;
  inverses.reserve(joints.size());
  for (const auto& joint : joints) {
    inverses.push_back(
        {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0 - joint.at.x, 0 - joint.at.y, 0 - joint.at.z, 1});
  }
  const int64_t accessor = buffer.add_list(std::span<const Matrix>(inverses), {.type = "MAT4"});
  out.key("skins").begin_array().begin_object().key("inverseBindMatrices").integer(accessor);
  out.key("joints").begin_array();
  for (std::size_t i = 0; i < joints.size(); ++i) {
    out.integer(first_joint_node + static_cast<int64_t>(i));
  }
  out.end_array().end_object().end_array();
}

// What a channel of a clip moves.
struct Channel {
  std::size_t joint;
  std::string_view path;
  int64_t output;
};

void write_clip(json::Writer& out, Buffer& buffer, const Clip& clip) {
  const std::string range = bounds_json({clip.seconds.front()}, {clip.seconds.back()});
  const int64_t input = buffer.add_list(std::span(clip.seconds), {.type = "SCALAR", .bounds_json = range});
  std::vector<Channel> channels;
  for (const auto& track : clip.tracks) {
    channels.push_back({track.joint, "rotation", buffer.add_list(std::span(track.turns), {.type = "VEC4"})});
    if (!track.shifts.empty()) {
      channels.push_back(
          {track.joint, "translation", buffer.add_list(std::span(track.shifts), {.type = "VEC3"})});
    }
  }
  out.begin_object().key("name").string(clip.name).key("samplers").begin_array();
  for (const auto& channel : channels) {
    out.begin_object().key("input").integer(input).key("interpolation").string("LINEAR");
    out.key("output").integer(channel.output).end_object();
  }
  out.end_array().key("channels").begin_array();
  for (std::size_t i = 0; i < channels.size(); ++i) {
    out.begin_object().key("sampler").integer(static_cast<int64_t>(i)).key("target").begin_object();
    out.key("node").integer(first_joint_node + static_cast<int64_t>(channels[i].joint));
    out.key("path").string(channels[i].path).end_object().end_object();
  }
  out.end_array().end_object();
}

std::string write_json(const Model& model, Buffer& buffer) {
  std::string text;
  json::Writer out(text);
  out.begin_object().key("asset").begin_object();
  out.key("version").string("2.0").key("generator").string("Waybill").end_object();
  write_nodes(out, model);
  write_mesh(out, add_mesh(buffer, model.mesh), !model.texture_png.empty());
  if (!model.texture_png.empty()) {
    write_texture(out, buffer.add_view(model.texture_png, 0));
  }
  if (!model.joints.empty()) {
    write_skin(out, buffer, model.joints);
  }
  if (!model.clips.empty()) {
    out.key("animations").begin_array();
    for (const auto& clip : model.clips) {
      write_clip(out, buffer, clip);
    }
    out.end_array();
  }
  buffer.write(out);
  out.end_object();
  return text;
}

void append_u32_le(std::string& out, uint32_t value) {
  std::array<char, 4> bytes{};
  store_u32_le(bytes.data(), value);
  out.append(bytes.data(), bytes.size());
}

void append_chunk(std::string& out, uint32_t type, std::string_view data, char filling) {
  const std::size_t padding = (4 - data.size() % 4) % 4;
  append_u32_le(out, static_cast<uint32_t>(data.size() + padding));
  append_u32_le(out, type);
  out.append(data).append(padding, filling);
}

}  // namespace

std::string write_glb(const Model& model) {
  WAYBILL_CHECK(model.mesh.triangles() > 0 && model.mesh.triangles() <= triangles_max);
  WAYBILL_CHECK(model.mesh.positions.size() <= vertices_max && model.joints.size() <= joints_max);
  Buffer buffer;
  const std::string text = write_json(model, buffer);
  std::string chunks;
  append_chunk(chunks, glb::json_chunk, text, ' ');
  append_chunk(chunks, glb::binary_chunk, buffer.bytes(), '\0');
  std::string file;
  append_u32_le(file, glb::magic);
  append_u32_le(file, glb::version);
  append_u32_le(file, static_cast<uint32_t>(glb::header_bytes + chunks.size()));
  return file + chunks;
}

}  // namespace waybill::asset
