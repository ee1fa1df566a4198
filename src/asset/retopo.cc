#include "asset/decimate.h"
#include "asset/glb_reader.h"
#include "asset/glb_writer.h"
#include "asset/stages.h"

namespace waybill::asset {

Result<Made> retopo(Request& request) {
  DecimateOptions options;
  options.ratio = request.parameters.number("ratio", {.fallback = 0.25, .least = 0.01, .most = 1});
  options.error = request.parameters.number("error", {.fallback = 0.02, .least = 0.0001, .most = 1});
  WAYBILL_TRY(request.parameters.finish());
  WAYBILL_TRY_ASSIGN(auto read, read_glb(request.sources.front().bytes));
  if (read.clips_left_out > 0) {
    return invalid("retopo would lose the animations of the .glb; give it the mesh of an earlier stage");
  }
  const Mesh before = std::move(read.model.mesh);
  WAYBILL_TRY_ASSIGN(auto decimated, decimate(before, options));
  read.model.mesh = std::move(decimated.mesh);
  const Mesh& after = read.model.mesh;
  Made made{write_glb(read.model), {}};
  made.metrics = {{"triangles_before", static_cast<double>(before.triangles())},
                  {"triangles_after", static_cast<double>(after.triangles())},
                  {"vertices_before", static_cast<double>(before.positions.size())},
                  {"vertices_after", static_cast<double>(after.positions.size())},
                  {"relative_error", decimated.relative_error},
                  {"error_metres", decimated.error_metres}};
  return made;
}

}  // namespace waybill::asset
