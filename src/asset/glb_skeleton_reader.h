#pragma once

#include <vector>

#include "asset/glb_document.h"
#include "asset/model.h"

namespace waybill::asset::glb {

// The joints of the document's only skin, parents before their children; none where it has no skin.
Result<std::vector<Joint>> read_skeleton(const Document& document);

// Refuses a node of the mesh that is moved, turned or scaled, since the mesh is read as it is.
Status check_mesh_node(const Document& document);

}  // namespace waybill::asset::glb
