#pragma once

#include "worker/photo/provider.h"

namespace waybill::worker::photo {

// Works on photos here, with no one else: what can be said of a picture by its pixels; levels, crop and
// sharpness. The same photo gives the same file.
class StubProvider final : public Provider {
 public:
  Result<media::Analysis> analyse(const Shot& shot) const override;
  Result<media::Picture> edit(const Shot& shot, const std::string& output,
                              media::Format format) const override;
};

}  // namespace waybill::worker::photo
