#pragma once

#include "asset/provider.h"
#include "base/entropy.h"

namespace waybill::asset {

// Makes everything itself, from geometry and chance that repeats: pictures of a handful of things, meshes of
// what pictures show. Needs no network and no other program. The same task gives the same bytes.
//
// Each stage makes one file, named after it: text-to-image.png, refine.png, 3d.glb, retopo.glb, rig.glb,
// anim.glb, export.zip. `stages.h` tells the parameters of each.
//
// Thread safety: as Provider.
class BuiltInProvider final : public Provider {
 public:
  // `entropy` names temporary files, and nothing else; it must outlive the provider.
  explicit BuiltInProvider(Entropy& entropy) : entropy_(entropy) {}

  std::string_view name() const override { return "built-in"; }
  std::string_view model_version() const override { return "waybill-procedural-1"; }
  Result<Product> run(const Task& task) override;

 private:
  Entropy& entropy_;
};

}  // namespace waybill::asset
