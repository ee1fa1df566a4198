// A small creature that stands on two legs: head, ears, arms, a belly, sometimes a tail.
#include "asset/figure.h"

namespace waybill::asset {

namespace {

enum class Ears : unsigned char { pointed, long_ones, round, horns };

struct Build {
  float head_radius;
  float head_y;
  float body_radius;
  float arm_lift;
  Ears ears;
  Finish skin;
  Finish second;
  Finish light;
};

const Finish dark{.colour = {0.012F, 0.01F, 0.016F}, .gloss = 0.9F, .mottle = 0, .blend = 0};
const Finish bright{.colour = {0.95F, 0.95F, 0.95F}, .gloss = 0.6F, .mottle = 0, .blend = 0};

Build thrown_build(const Subject& subject, Dice& dice) {
  Build build;
  build.head_radius = dice.between(0.31F, 0.38F);
  build.head_y = dice.between(0.26F, 0.32F);
  build.body_radius = dice.between(0.23F, 0.3F);
  build.arm_lift = dice.between(-0.3F, 0.22F);
  build.ears = static_cast<Ears>(dice.below(4));
  build.skin = {.colour = subject.main_colour};
  if (dice.chance(0.4F)) {
    build.skin.band_height = dice.between(0.1F, 0.18F);
    build.skin.band_colour = subject.main_colour * 0.55F;
  }
  build.second = {.colour = subject.accent_colour};
  build.light = {.colour = mix(subject.main_colour, {0.95F, 0.9F, 0.8F}, 0.72F), .blend = 0.02F};
  return build;
}

void add_ears(Figure& figure, const Build& build, float side) {
  const float r = build.head_radius;
  const float y = build.head_y;
  switch (build.ears) {
    case Ears::pointed:
      figure.push_back(limb({{side * r * 0.62F, y + r * 0.6F, 0}, r * 0.34F},
                            {{side * r * 0.95F, y + r * 1.32F, 0}, r * 0.05F}, build.skin));
      figure.push_back(limb({{side * r * 0.66F, y + r * 0.72F, r * 0.2F}, r * 0.18F},
                            {{side * r * 0.9F, y + r * 1.18F, r * 0.06F}, r * 0.03F}, build.second));
      break;
    case Ears::long_ones:
      figure.push_back(limb({{side * r * 0.4F, y + r * 0.7F, 0}, r * 0.2F},
                            {{side * r * 0.62F, y + r * 1.65F, -0.02F}, r * 0.17F}, build.skin));
      figure.push_back(limb({{side * r * 0.43F, y + r * 0.95F, r * 0.12F}, r * 0.1F},
                            {{side * r * 0.6F, y + r * 1.6F, r * 0.1F}, r * 0.08F}, build.second));
      break;
    case Ears::round:
      figure.push_back(
          ball({side * r * 0.78F, y + r * 0.78F, 0}, {r * 0.36F, r * 0.36F, r * 0.24F}, build.skin));
      figure.push_back(
          ball({side * r * 0.78F, y + r * 0.78F, r * 0.16F}, {r * 0.2F, r * 0.2F, r * 0.1F}, build.second));
      break;
    case Ears::horns:
      figure.push_back(limb({{side * r * 0.5F, y + r * 0.72F, 0.02F}, r * 0.2F},
                            {{side * r * 0.92F, y + r * 1.08F, 0}, r * 0.13F}, build.light));
      figure.push_back(limb({{side * r * 0.92F, y + r * 1.08F, 0}, r * 0.13F},
                            {{side * r * 0.84F, y + r * 1.46F, 0}, r * 0.03F}, build.light));
      break;
  }
}

void add_limbs(Figure& figure, const Build& build, float side) {
  const float hip = build.body_radius * 0.52F;
  figure.push_back(
      limb({{side * hip, -0.5F, 0}, 0.115F}, {{side * hip * 1.1F, -0.76F, 0.02F}, 0.1F}, build.skin));
  figure.push_back(ball({side * hip * 1.2F, -0.83F, 0.08F}, {0.15F, 0.085F, 0.16F}, build.second));
  const Vec3 shoulder{side * build.body_radius * 0.85F, -0.13F, 0.03F};
  const Vec3 elbow{side * (build.body_radius + 0.16F), -0.24F + build.arm_lift * 0.4F, 0.1F};
  const Vec3 hand{side * (build.body_radius + 0.24F), -0.36F + build.arm_lift * 1.6F, 0.2F};
  figure.push_back(limb({shoulder, 0.09F}, {elbow, 0.075F}, build.skin));
  figure.push_back(limb({elbow, 0.075F}, {hand, 0.07F}, build.skin));
  figure.push_back(ball(hand, {0.1F, 0.1F, 0.1F}, build.second));
}

void add_eye(Figure& figure, const Build& build, float side) {
  const float r = build.head_radius;
  const float x = side * r * 0.4F;
  const float y = build.head_y + r * 0.02F;
  const float z = r * 0.8F;
  const Finish iris{.colour = build.second.colour * 0.7F, .gloss = 0.9F, .mottle = 0, .blend = 0};
  figure.push_back(ball({x, y, z}, {r * 0.24F, r * 0.29F, r * 0.16F}, bright));
  figure.push_back(ball({x - side * r * 0.03F, y, z + r * 0.07F}, {r * 0.165F, r * 0.2F, r * 0.12F}, iris));
  figure.push_back(ball({x - side * r * 0.03F, y, z + r * 0.12F}, {r * 0.1F, r * 0.13F, r * 0.085F}, dark));
  Finish spark = bright;
  spark.glow = 0.8F;
  figure.push_back(ball({x - r * 0.05F, y + r * 0.08F, z + r * 0.2F}, {r * 0.045F, r * 0.05F, 0.02F}, spark));
}

void add_face(Figure& figure, const Build& build) {
  const float r = build.head_radius;
  const float y = build.head_y;
  figure.push_back(ball({0, y - r * 0.38F, r * 0.68F}, {r * 0.4F, r * 0.26F, r * 0.34F}, build.light));
  figure.push_back(ball({0, y - r * 0.24F, r * 0.98F}, {r * 0.1F, r * 0.07F, r * 0.07F}, dark));
  for (const float side : {-1.0F, 1.0F}) {
    add_eye(figure, build, side);
    // Half of the mouth.
    figure.push_back(limb({{0, y - r * 0.47F, r}, r * 0.025F},
                          {{side * r * 0.17F, y - r * 0.42F, r * 0.96F}, r * 0.018F}, dark));
  }
}

}  // namespace

Figure make_character(const Subject& subject, Dice& dice) {
  const Build build = thrown_build(subject, dice);
  Figure figure;
  if (dice.chance(0.6F)) {
    const float side = dice.chance(0.5F) ? 1.0F : -1.0F;
    figure.push_back(limb({{0, -0.45F, -0.2F}, 0.09F}, {{side * 0.42F, -0.6F, -0.25F}, 0.085F}, build.skin));
    figure.push_back(
        limb({{side * 0.42F, -0.6F, -0.25F}, 0.085F}, {{side * 0.56F, -0.4F, -0.25F}, 0.07F}, build.second));
  }
  for (const float side : {-1.0F, 1.0F}) {
    add_ears(figure, build, side);
    add_limbs(figure, build, side);
  }
  const float body = build.body_radius;
  figure.push_back(ball({0, -0.32F, 0}, {body, 0.31F, body * 0.9F}, build.skin));
  figure.push_back(ball({0, -0.36F, body * 0.36F}, {body * 0.66F, 0.22F, body * 0.6F}, build.light));
  const float r = build.head_radius;
  figure.push_back(ball({0, build.head_y, 0.02F}, {r * 1.06F, r, r * 0.95F}, build.skin));
  add_face(figure, build);
  return figure;
}

}  // namespace waybill::asset
