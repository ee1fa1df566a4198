#pragma once

#include "asset/model.h"
#include "base/result.h"

namespace waybill::asset {

struct DecimateOptions {
  double ratio = 0.25;  // of the triangles that are to stay
  double error = 0.02;  // how far the surface may move, as a share of the mesh's size
};

struct Decimated {
  Mesh mesh;
  double relative_error = 0;  // of the mesh's size
  double error_metres = 0;
};

// The same shape with fewer triangles; seams of the texture stay closed. Stops before the ratio is reached
// where the error would be passed. Refuses a mesh of which nothing would be left.
Result<Decimated> decimate(const Mesh& mesh, const DecimateOptions& options);

}  // namespace waybill::asset
