#include <algorithm>

#include "asset/glb_reader.h"
#include "asset/glb_writer.h"
#include "asset/skeleton.h"
#include "asset/stages.h"

namespace waybill::asset {

namespace {

double influences_of_a_vertex(const Mesh& mesh) {
  std::size_t used = 0;
  for (const auto& influence : mesh.influences) {
    used += static_cast<std::size_t>(std::count_if(influence.weights.begin(), influence.weights.end(),
                                                   [](float weight) { return weight > 0; }));
  }
  return static_cast<double>(used) / static_cast<double>(mesh.influences.size());
}

}  // namespace

Result<Made> rig(Request& request) {
  const int count = request.parameters.whole("joints", {.fallback = 6, .least = 2, .most = 32});
  WAYBILL_TRY(request.parameters.finish());
  WAYBILL_TRY_ASSIGN(auto read, read_glb(request.sources.front().bytes));
  if (read.clips_left_out > 0) {
    return invalid("rig would lose the animations of the .glb; give it the mesh of an earlier stage");
  }
  fit_skeleton(read.model, count);
  const Vec3 along = read.model.joints.back().at - read.model.joints.front().at;
  Made made{write_glb(read.model), {}};
  made.metrics = {{"joints", static_cast<double>(count)},
                  {"chain_metres", static_cast<double>(length(along))},
                  {"influences_per_vertex", influences_of_a_vertex(read.model.mesh)}};
  return made;
}

}  // namespace waybill::asset
