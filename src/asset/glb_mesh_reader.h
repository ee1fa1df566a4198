#pragma once

#include "asset/glb_document.h"
#include "asset/model.h"

namespace waybill::asset::glb {

// The only mesh of the document, with weights for `joint_count` joints where that is above 0.
Result<Mesh> read_mesh(const Document& document, std::size_t joint_count);

}  // namespace waybill::asset::glb
