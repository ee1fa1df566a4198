#include "asset/glb_skeleton_reader.h"

#include <array>
#include <cmath>

namespace waybill::asset::glb {

namespace {

constexpr std::size_t nodes_max = 4096;

// `count` numbers of a member, or `fallback`.
template <std::size_t count>
Result<std::array<float, count>> numbers(const json::Value& node, std::string_view name,
                                         std::array<float, count> fallback) {
  const auto member = node.find(name);
  if (!member) {
    return fallback;
  }
  std::array<float, count> values{};
  std::size_t filled = 0;
  if (member->is_array() && member->size() == count) {
    json::Elements elements(*member);
    while (elements.next() && elements.value().type() == json::Type::number) {
      values[filled++] = static_cast<float>(elements.value().number());
    }
  }
  for (const float value : values) {
    filled = std::fabs(value) <= reach_metres_max ? filled : 0;
  }
  return filled == count ? Result<std::array<float, count>>(values)
                         : damaged("the " + std::string(name) + " of a node cannot be read");
}

// Where a node is in its parent. Nodes that are turned or scaled are refused.
Result<Vec3> place_of(const json::Value& node) {
  WAYBILL_TRY_ASSIGN(const auto turn, (numbers<4>(node, "rotation", {0, 0, 0, 1})));
  WAYBILL_TRY_ASSIGN(const auto scale, (numbers<3>(node, "scale", {1, 1, 1})));
  WAYBILL_TRY_ASSIGN(const auto shift, (numbers<3>(node, "translation", {0, 0, 0})));
  const bool is_turned = turn[0] != 0 || turn[1] != 0 || turn[2] != 0;
  const bool is_scaled = scale[0] != 1 || scale[1] != 1 || scale[2] != 1;
  if (is_turned || is_scaled || node.find("matrix")) {
    return invalid("the .glb has nodes that are turned or scaled; apply their transforms before saving it");
  }
  return Vec3{shift[0], shift[1], shift[2]};
}

struct Nodes {
  std::vector<json::Value> all;
  std::vector<int> parents;  // -1 for none; whoever walks up must count the steps
};

Status note_children(Nodes& nodes, std::size_t parent) {
  const auto children = nodes.all[parent].find("children");
  if (!children || !children->is_array()) {
    return {};
  }
  json::Elements elements(*children);
  while (elements.next()) {
    const auto child =
        elements.value().type() == json::Type::number ? elements.value().integer() : std::nullopt;
    if (!child || *child < 0 || *child >= static_cast<int64_t>(nodes.all.size()) ||
        nodes.parents[static_cast<std::size_t>(*child)] >= 0) {
      return damaged("a node has a child that does not exist, or that has another parent");
    }
    nodes.parents[static_cast<std::size_t>(*child)] = static_cast<int>(parent);
  }
  return {};
}

Result<Nodes> read_nodes(const Document& document) {
  Nodes nodes;
  WAYBILL_TRY_ASSIGN(nodes.all, document.all("nodes", nodes_max));
  nodes.parents.assign(nodes.all.size(), -1);
  for (std::size_t i = 0; i < nodes.all.size(); ++i) {
    WAYBILL_TRY(note_children(nodes, i));
  }
  return nodes;
}

// Refuses a node that is moved, by itself or by something above it.
Status check_unmoved(const Nodes& nodes, int node) {
  for (std::size_t steps = 0; node >= 0; ++steps) {
    if (steps > nodes.all.size()) {
      return damaged("its nodes go round in circles");
    }
    WAYBILL_TRY_ASSIGN(const Vec3 place, place_of(nodes.all[static_cast<std::size_t>(node)]));
    if (length(place) != 0) {
      return invalid("the .glb has nodes that are moved; apply their transforms before saving it");
    }
    node = nodes.parents[static_cast<std::size_t>(node)];
  }
  return {};
}

Result<std::vector<std::size_t>> joint_nodes(const Nodes& nodes, const json::Value& skin) {
  const auto list = skin.find("joints");
  if (!list || !list->is_array() || list->size() == 0 || list->size() > joints_max) {
    return damaged("its skin must have 1 to " + std::to_string(joints_max) + " joints");
  }
  std::vector<std::size_t> joints;
  json::Elements elements(*list);
  while (elements.next()) {
    const auto node =
        elements.value().type() == json::Type::number ? elements.value().integer() : std::nullopt;
    if (!node || *node < 0 || *node >= static_cast<int64_t>(nodes.all.size())) {
      return damaged("its skin has a joint that does not exist");
    }
    joints.push_back(static_cast<std::size_t>(*node));
  }
  return joints;
}

// Joints are read where they rest; that must be where the mesh was bound to them.
Status check_bind(const Document& document, const json::Value& skin, const std::vector<Joint>& joints) {
  WAYBILL_TRY_ASSIGN(const auto accessor, needed_member(skin, "inverseBindMatrices"));
  WAYBILL_TRY_ASSIGN(const auto matrices, document.elements(accessor, "MAT4", joints_max));
  if (matrices.component != real || matrices.count != joints.size()) {
    return damaged("its skin must have a matrix for each joint");
  }
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const Vec3 at = joints[i].at;
    const std::array<float, 16> expected = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -at.x, -at.y, -at.z, 1};
    const float tolerance = 1e-4F * (1 + length(at));
    for (std::size_t part = 0; part < expected.size(); ++part) {
      if (!(std::fabs(matrices.number(i, part) - expected[part]) <= tolerance)) {
        return invalid("the .glb's skeleton does not rest where the mesh was bound to it; reset its pose");
      }
    }
  }
  return {};
}

}  // namespace

Status check_mesh_node(const Document& document) {
  WAYBILL_TRY_ASSIGN(const Nodes nodes, read_nodes(document));
  for (std::size_t i = 0; i < nodes.all.size(); ++i) {
    // A mesh with a skin is moved by its joints alone, wherever its node is.
    if (nodes.all[i].find("mesh") && !nodes.all[i].find("skin")) {
      WAYBILL_TRY(check_unmoved(nodes, static_cast<int>(i)));
    }
  }
  return {};
}

Result<std::vector<Joint>> read_skeleton(const Document& document) {
  std::vector<Joint> joints;
  if (document.count("skins") == 0) {
    return joints;
  }
  WAYBILL_TRY_ASSIGN(const auto skin, document.element("skins", 0));
  WAYBILL_TRY_ASSIGN(const Nodes nodes, read_nodes(document));
  WAYBILL_TRY_ASSIGN(const auto listed, joint_nodes(nodes, skin));
  std::vector<int> joint_of(nodes.all.size(), -1);
  for (const std::size_t node : listed) {
    WAYBILL_TRY_ASSIGN(Vec3 at, place_of(nodes.all[node]));
    const int above = nodes.parents[node];
    const int parent = above < 0 ? -1 : joint_of[static_cast<std::size_t>(above)];
    if (parent < 0) {
      WAYBILL_TRY(check_unmoved(nodes, above));
    } else {
      at = at + joints[static_cast<std::size_t>(parent)].at;
    }
    const auto name = nodes.all[node].find("name");
    joint_of[node] = static_cast<int>(joints.size());
    joints.push_back({name && name->is_string() ? std::string(name->string()) : std::string(), parent, at});
  }
  WAYBILL_TRY(check_bind(document, skin, joints));
  return joints;
}

}  // namespace waybill::asset::glb
