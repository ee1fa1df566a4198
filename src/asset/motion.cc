#include "asset/motion.h"

#include <algorithm>
#include <cmath>

#include "asset/trigonometry.h"
#include "base/check.h"

namespace waybill::asset {

namespace {

// Angles are of the whole chain, in radians; each joint has its share.
struct Manner {
  double sway;   // from side to side
  double nod;    // to and fro, twice as often
  double twist;  // around the chain
  double rock;   // of the root alone
  double rise;   // of the root, as a share of the chain's length
  double lag;    // of each joint behind the one below it, in turns
};

constexpr Manner idle{.sway = 0.16, .nod = 0.05, .twist = 0.1, .rock = 0, .rise = 0.006, .lag = 0.06};
constexpr Manner walk{.sway = 0.22, .nod = 0.08, .twist = 0.45, .rock = 0.13, .rise = 0.035, .lag = 0.03};

Quaternion product(const Quaternion& a, const Quaternion& b) {
  return {a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
          a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}

Quaternion turn_around(Vec3 axis, double angle) {
  const auto half_sine = static_cast<float>(sine(angle / 2));
  return {axis.x * half_sine, axis.y * half_sine, axis.z * half_sine, static_cast<float>(cosine(angle / 2))};
}

Quaternion normalized(const Quaternion& q) {
  const float size = std::sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
  return {q.x / size, q.y / size, q.z / size, q.w / size};
}

// The directions of a chain: along it, and the two that it bends around.
struct Frame {
  Vec3 along;
  Vec3 sideways;
  Vec3 forwards;
  float length;
};

Frame frame_of(const std::vector<Joint>& joints) {
  const Vec3 chain = joints.back().at - joints.front().at;
  const Vec3 along = unit(chain, {0, 1, 0});
  const Vec3 viewer = std::fabs(along.z) < 0.9F ? Vec3{0, 0, 1} : Vec3{1, 0, 0};
  const Vec3 sideways = unit(viewer - along * dot(viewer, along));
  return {along, sideways, cross(along, sideways), length(chain)};
}

// `round` is the place in the clip, in turns.
Quaternion turn_at(const Manner& manner, const Frame& frame, std::size_t joint, std::size_t count,
                   double round) {
  const double phase = 2 * pi * (round - manner.lag * static_cast<double>(joint));
  const double share = 1.0 / static_cast<double>(count);
  if (joint == 0) {
    return turn_around(frame.sideways, manner.rock * sine(phase));
  }
  const Quaternion sway =
      turn_around(frame.sideways, (manner.sway * sine(phase) - manner.rock * sine(2 * pi * round)) * share);
  const Quaternion nod = turn_around(frame.forwards, manner.nod * share * sine(2 * phase));
  const Quaternion twist = turn_around(frame.along, manner.twist * share * cosine(phase));
  return normalized(product(product(sway, nod), twist));
}

Vec3 root_at(const Manner& manner, const Frame& frame, Vec3 rest, double round) {
  const double up = manner.rise * static_cast<double>(frame.length) * 0.5 * (1 - cosine(4 * pi * round));
  return rest + Vec3{0, static_cast<float>(up), 0};
}

}  // namespace

Clip make_clip(const std::vector<Joint>& joints, const MotionOptions& options) {
  WAYBILL_CHECK(!joints.empty());
  const Manner& manner = options.clip == "walk" ? walk : idle;
  const Frame frame = frame_of(joints);
  const int intervals =
      std::max(static_cast<int>(std::lround(options.seconds * options.frames_per_second)), 4);
  Clip clip;
  clip.name = options.clip;
  for (std::size_t i = 0; i < joints.size(); ++i) {
    clip.tracks.push_back({i, {}, {}});
  }
  for (int i = 0; i <= intervals; ++i) {
    clip.seconds.push_back(static_cast<float>(options.seconds * i / intervals));
    const double round = static_cast<double>(i % intervals) / intervals;
    for (auto& track : clip.tracks) {
      track.turns.push_back(turn_at(manner, frame, track.joint, joints.size(), round));
    }
    clip.tracks.front().shifts.push_back(root_at(manner, frame, joints.front().at, round));
  }
  return clip;
}

}  // namespace waybill::asset
