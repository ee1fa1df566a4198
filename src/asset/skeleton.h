#pragma once

#include "asset/model.h"

namespace waybill::asset {

// Puts a chain of joints through the mesh along its longest direction, from below (or from the left) to the
// far end, and lets each vertex be moved by the joints nearest to it. `count` is at least 2 and at most
// `joints_max`. What the model had of joints, influences and clips is replaced.
void fit_skeleton(Model& model, int count);

}  // namespace waybill::asset
