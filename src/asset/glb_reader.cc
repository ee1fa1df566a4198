#include "asset/glb_reader.h"

#include "asset/glb_document.h"
#include "asset/glb_mesh_reader.h"
#include "asset/glb_skeleton_reader.h"
#include "asset/png_reader.h"

namespace waybill::asset {

namespace {

Result<std::string> read_texture(const glb::Document& document) {
  if (document.count("images") == 0) {
    return std::string();
  }
  if (document.count("images") > 1) {
    return invalid("the .glb has several textures; bake them into one");
  }
  WAYBILL_TRY_ASSIGN(const auto image, document.element("images", 0));
  WAYBILL_TRY_ASSIGN(const auto view, glb::whole_member(image, "bufferView"));
  if (!view) {
    return invalid("the .glb has its texture in another file; save it in one");
  }
  WAYBILL_TRY_ASSIGN(const auto bytes, document.view(*view));
  if (!looks_like_png(bytes)) {
    return invalid("the texture of the .glb is not a PNG; convert it");
  }
  return std::string(bytes);
}

}  // namespace

Result<ReadModel> read_glb(std::string_view file) {
  glb::Document document;
  WAYBILL_TRY(document.read(file));
  ReadModel read;
  read.model.name = "asset";
  WAYBILL_TRY(glb::check_mesh_node(document));
  WAYBILL_TRY_ASSIGN(read.model.joints, glb::read_skeleton(document));
  WAYBILL_TRY_ASSIGN(read.model.mesh, glb::read_mesh(document, read.model.joints.size()));
  WAYBILL_TRY_ASSIGN(read.model.texture_png, read_texture(document));
  read.clips_left_out = document.count("animations");
  return read;
}

}  // namespace waybill::asset
