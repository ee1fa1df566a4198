#include "asset/figure.h"

#include <algorithm>
#include <cmath>

#include "asset/trigonometry.h"
#include "base/check.h"

namespace waybill::asset {

namespace {

// The radius of a turned part at a height, and how fast it changes there.
struct Profile {
  float radius;
  float slope;
};

// A Catmull-Rom spline through the turns.
Profile profile_at(const std::vector<Turn>& turns, float y) {
  std::size_t i = 0;
  while (i + 2 < turns.size() && y > turns[i + 1].y) {
    ++i;
  }
  const Turn& from = turns[i];
  const Turn& to = turns[i + 1];
  const float before = i > 0 ? turns[i - 1].radius : from.radius;
  const float after = i + 2 < turns.size() ? turns[i + 2].radius : to.radius;
  const float span = to.y - from.y;
  const float t = clamped((y - from.y) / span, 0, 1);
  const float a = -0.5F * before + 1.5F * from.radius - 1.5F * to.radius + 0.5F * after;
  const float b = before - 2.5F * from.radius + 2 * to.radius - 0.5F * after;
  const float c = 0.5F * (to.radius - before);
  return {std::max(((a * t + b) * t + c) * t + from.radius, 0.0F), ((3 * a * t + 2 * b) * t + c) / span};
}

}  // namespace

Part ball(Vec3 centre, Vec3 radii, const Finish& finish, float tilt) {
  const auto cos_tilt = static_cast<float>(cosine(tilt));
  const auto sin_tilt = static_cast<float>(sine(tilt));
  const float reach = std::max(radii.x, radii.y);
  return {{centre.x - reach, centre.y - reach},
          {centre.x + reach, centre.y + reach},
          [=](float x, float y) -> std::optional<Hit> {
            const float across = x - centre.x;
            const float up = y - centre.y;
            const float u = (across * cos_tilt + up * sin_tilt) / radii.x;
            const float v = (up * cos_tilt - across * sin_tilt) / radii.y;
            const float left = 1 - u * u - v * v;
            if (left <= 0) {
              return std::nullopt;
            }
            const float w = std::sqrt(left);
            const float nu = u / radii.x;
            const float nv = v / radii.y;
            const Vec3 normal{nu * cos_tilt - nv * sin_tilt, nu * sin_tilt + nv * cos_tilt, w / radii.z};
            return Hit{centre.z + w * radii.z, unit(normal)};
          },
          finish};
}

Part limb(LimbEnd from, LimbEnd to, const Finish& finish) {
  const Vec3 a = from.at;
  const Vec3 b = to.at;
  const float along_x = b.x - a.x;
  const float along_y = b.y - a.y;
  const float square = std::max(along_x * along_x + along_y * along_y, 1e-9F);
  return {{std::min(a.x - from.radius, b.x - to.radius), std::min(a.y - from.radius, b.y - to.radius)},
          {std::max(a.x + from.radius, b.x + to.radius), std::max(a.y + from.radius, b.y + to.radius)},
          [=](float x, float y) -> std::optional<Hit> {
            const float t = clamped(((x - a.x) * along_x + (y - a.y) * along_y) / square, 0, 1);
            const float radius = mix(from.radius, to.radius, t);
            const float off_x = x - (a.x + along_x * t);
            const float off_y = y - (a.y + along_y * t);
            const float left = radius * radius - off_x * off_x - off_y * off_y;
            if (left <= 0) {
              return std::nullopt;
            }
            const float rise = std::sqrt(left);
            return Hit{mix(a.z, b.z, t) + rise, Vec3{off_x, off_y, rise} * (1 / radius)};
          },
          finish};
}

Part block(Vec3 centre, Vec2 half_size, float bevel, const Finish& finish) {
  return {{centre.x - half_size.x, centre.y - half_size.y},
          {centre.x + half_size.x, centre.y + half_size.y},
          [=](float x, float y) -> std::optional<Hit> {
            // How far into the rounded edge, where 0 is the flat part.
            const float in_x = std::max(std::fabs(x - centre.x) - (half_size.x - bevel), 0.0F) / bevel;
            const float in_y = std::max(std::fabs(y - centre.y) - (half_size.y - bevel), 0.0F) / bevel;
            const float left = 1 - in_x * in_x - in_y * in_y;
            if (left <= 0) {
              return std::nullopt;
            }
            const float rise = std::sqrt(left);
            const Vec3 normal{x < centre.x ? -in_x : in_x, y < centre.y ? -in_y : in_y, rise};
            return Hit{centre.z + bevel * rise, normal};
          },
          finish};
}

Part turned(float axis_x, std::vector<Turn> turns, const Finish& finish) {
  WAYBILL_CHECK(turns.size() >= 2);
  float reach = 0;
  for (const auto& turn : turns) {
    reach = std::max(reach, turn.radius * 1.2F);  // a spline can swing beyond its points
  }
  const float low = turns.front().y;
  const float high = turns.back().y;
  return {{axis_x - reach, low},
          {axis_x + reach, high},
          [=, turns = std::move(turns)](float x, float y) -> std::optional<Hit> {
            const Profile profile = profile_at(turns, y);
            const float off = x - axis_x;
            const float left = profile.radius * profile.radius - off * off;
            if (left <= 0 || y < low || y > high) {
              return std::nullopt;
            }
            const float z = std::sqrt(left);
            return Hit{z, unit({off / profile.radius, -profile.slope, z / profile.radius})};
          },
          finish};
}

Figure make_figure(const Subject& subject, Dice& dice) {
  switch (subject.kind) {
    case SubjectKind::robot:
      return make_robot(subject, dice);
    case SubjectKind::tree:
      return make_tree(subject, dice);
    case SubjectKind::mushroom:
      return make_mushroom(subject, dice);
    case SubjectKind::vessel:
      return make_vessel(subject, dice);
    case SubjectKind::rocket:
      return make_rocket(subject, dice);
    case SubjectKind::character:
      break;
  }
  return make_character(subject, dice);
}

}  // namespace waybill::asset
