#pragma once

#include <string>

#include "asset/model.h"

namespace waybill::asset {

// The model as a binary glTF 2.0 file, all in one: mesh, texture, skeleton and clips. The mesh must have a
// triangle, and its lists must fit each other.
std::string write_glb(const Model& model);

}  // namespace waybill::asset
