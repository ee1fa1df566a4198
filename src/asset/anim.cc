#include "asset/glb_reader.h"
#include "asset/glb_writer.h"
#include "asset/motion.h"
#include "asset/stages.h"

namespace waybill::asset {

Result<Made> anim(Request& request) {
  MotionOptions options;
  auto& parameters = request.parameters;
  options.clip = parameters.word("clip", {"idle", "walk"});
  options.seconds = parameters.number("seconds", {.fallback = 2, .least = 0.25, .most = 60});
  options.frames_per_second = parameters.whole("frames_per_second", {.fallback = 24, .least = 1, .most = 60});
  WAYBILL_TRY(parameters.finish());
  WAYBILL_TRY_ASSIGN(auto read, read_glb(request.sources.front().bytes));
  if (read.model.joints.empty()) {
    return invalid("the .glb has no skeleton to animate; run the stage rig first");
  }
  if (read.clips_left_out > 0) {
    return invalid("the .glb is animated already; give the stage anim what the stage rig has made");
  }
  read.model.clips.push_back(make_clip(read.model.joints, options));
  const Clip& clip = read.model.clips.front();
  std::size_t channels = 0;
  for (const auto& track : clip.tracks) {
    channels += track.shifts.empty() ? 1 : 2;
  }
  Made made{write_glb(read.model), {}};
  made.metrics = {{"seconds", options.seconds},
                  {"joints", static_cast<double>(read.model.joints.size())},
                  {"channels", static_cast<double>(channels)},
                  {"keyframes", static_cast<double>(clip.seconds.size() * channels)}};
  return made;
}

}  // namespace waybill::asset
