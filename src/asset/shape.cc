#include "asset/glb_writer.h"
#include "asset/png_reader.h"
#include "asset/png_writer.h"
#include "asset/relief.h"
#include "asset/silhouette.h"
#include "asset/stages.h"
#include "asset/surface.h"
#include "asset/texture.h"

namespace waybill::asset {

namespace {

constexpr float size_metres = 1.8F;

double volume_of(const Mesh& mesh) {
  double sum = 0;
  for (std::size_t i = 0; i < mesh.indices.size(); i += 3) {
    const Vec3 a = mesh.positions[mesh.indices[i]];
    sum += static_cast<double>(
        dot(a, cross(mesh.positions[mesh.indices[i + 1]], mesh.positions[mesh.indices[i + 2]])));
  }
  return sum / 6;
}

}  // namespace

Result<Made> shape(Request& request) {
  ReliefOptions options;
  auto& parameters = request.parameters;
  options.detail = parameters.whole("detail", {.fallback = 192, .least = 32, .most = 384});
  options.depth = static_cast<float>(parameters.number("depth", {.fallback = 1, .least = 0.1, .most = 2}));
  options.relief = static_cast<float>(parameters.number("relief", {.fallback = 0.35, .least = 0, .most = 1}));
  const int side = parameters.whole("texture", {.fallback = 512, .least = 64, .most = 2048});
  WAYBILL_TRY(parameters.finish());
  WAYBILL_TRY_ASSIGN(Image image, read_png(request.sources.front().bytes));
  cut_out(image);
  WAYBILL_TRY_ASSIGN(const Relief relief, relief_of(image, options));
  Model model;
  model.name = "asset";
  model.mesh = close_surface(relief, size_metres);
  model.texture_png = write_png(paint_texture(image, relief, side));
  const Bounds bounds = bounds_of(model.mesh.positions);
  const Vec3 size = bounds.most - bounds.least;
  Made made{write_glb(model), {}};
  made.metrics = {{"triangles", static_cast<double>(model.mesh.triangles())},
                  {"vertices", static_cast<double>(model.mesh.positions.size())},
                  {"width_metres", static_cast<double>(size.x)},
                  {"height_metres", static_cast<double>(size.y)},
                  {"depth_metres", static_cast<double>(size.z)},
                  {"volume_cubic_metres", volume_of(model.mesh)}};
  return made;
}

}  // namespace waybill::asset
