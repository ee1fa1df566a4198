// A robot: plates with rounded edges, joints of metal, eyes that glow.
#include "asset/figure.h"

namespace waybill::asset {

namespace {

struct Build {
  float head_half_width;
  float body_half_width;
  float arm_lift;
  bool has_visor;
  Finish plate;
  Finish metal;
  Finish light;
  Finish trim;
};

Build thrown_build(const Subject& subject, Dice& dice) {
  Build build;
  build.head_half_width = dice.between(0.24F, 0.33F);
  build.body_half_width = dice.between(0.26F, 0.36F);
  build.arm_lift = dice.between(-0.12F, 0.34F);
  build.has_visor = dice.chance(0.5F);
  build.plate = {.colour = subject.main_colour, .gloss = 0.6F, .mottle = 0.07F, .blend = 0};
  build.metal = {.colour = {0.16F, 0.17F, 0.2F}, .gloss = 0.8F, .mottle = 0.1F, .blend = 0};
  build.light = {.colour = mix(subject.accent_colour, {1, 1, 1}, 0.25F),
                 .gloss = 1,
                 .mottle = 0,
                 .glow = 0.85F,
                 .blend = 0};
  build.trim = {.colour = subject.accent_colour, .gloss = 0.5F, .mottle = 0.05F, .blend = 0};
  return build;
}

void add_side(Figure& figure, const Build& build, float side) {
  const float hip = build.body_half_width * 0.52F;
  figure.push_back(limb({{side * hip, -0.42F, 0}, 0.075F}, {{side * hip, -0.7F, 0}, 0.07F}, build.metal));
  figure.push_back(block({side * hip, -0.6F, 0.06F}, {0.1F, 0.12F}, 0.05F, build.plate));
  figure.push_back(block({side * hip * 1.06F, -0.81F, 0.1F}, {0.15F, 0.085F}, 0.06F, build.trim));
  const Vec3 shoulder{side * (build.body_half_width + 0.08F), 0.06F, 0};
  const Vec3 elbow{side * (build.body_half_width + 0.2F), -0.16F + build.arm_lift * 0.5F, 0.06F};
  const Vec3 hand{side * (build.body_half_width + 0.22F), -0.36F + build.arm_lift * 1.7F, 0.14F};
  figure.push_back(limb({shoulder, 0.06F}, {elbow, 0.055F}, build.metal));
  figure.push_back(limb({elbow, 0.085F}, {hand, 0.09F}, build.plate));
  figure.push_back(ball(elbow, {0.08F, 0.08F, 0.09F}, build.metal));
  figure.push_back(ball(shoulder, {0.125F, 0.125F, 0.13F}, build.trim));
  figure.push_back(ball({hand.x, hand.y, hand.z + 0.02F}, {0.09F, 0.09F, 0.1F}, build.metal));
}

void add_head(Figure& figure, const Build& build) {
  const float half = build.head_half_width;
  figure.push_back(limb({{0, 0.2F, 0}, 0.085F}, {{0, 0.3F, 0}, 0.085F}, build.metal));
  for (const float side : {-1.0F, 1.0F}) {
    figure.push_back(ball({side * half, 0.46F, 0}, {0.065F, 0.1F, 0.08F}, build.trim));
  }
  figure.push_back(limb({{0, 0.66F, 0}, 0.022F}, {{0, 0.82F, 0}, 0.018F}, build.metal));
  figure.push_back(ball({0, 0.86F, 0}, {0.05F, 0.05F, 0.05F}, build.light));
  figure.push_back(block({0, 0.47F, 0.1F}, {half, 0.22F}, 0.11F, build.plate));
  figure.push_back(block({0, 0.48F, 0.19F}, {half * 0.8F, 0.125F}, 0.05F, build.metal));
  if (build.has_visor) {
    figure.push_back(block({0, 0.49F, 0.22F}, {half * 0.66F, 0.055F}, 0.04F, build.light));
    return;
  }
  for (const float side : {-1.0F, 1.0F}) {
    figure.push_back(ball({side * half * 0.4F, 0.49F, 0.22F}, {0.068F, 0.068F, 0.04F}, build.light));
  }
}

}  // namespace

Figure make_robot(const Subject& subject, Dice& dice) {
  const Build build = thrown_build(subject, dice);
  Figure figure;
  for (const float side : {-1.0F, 1.0F}) {
    add_side(figure, build, side);
  }
  const float half = build.body_half_width;
  figure.push_back(block({0, -0.4F, 0.04F}, {half * 0.7F, 0.11F}, 0.06F, build.metal));
  figure.push_back(block({0, -0.08F, 0.1F}, {half, 0.27F}, 0.12F, build.plate));
  figure.push_back(block({0, -0.05F, 0.19F}, {half * 0.62F, 0.15F}, 0.05F, build.trim));
  figure.push_back(ball({0, -0.03F, 0.22F}, {0.085F, 0.085F, 0.05F}, build.metal));
  figure.push_back(ball({0, -0.03F, 0.25F}, {0.06F, 0.06F, 0.045F}, build.light));
  for (int i = -1; i <= 1; ++i) {
    figure.push_back(
        ball({static_cast<float>(i) * half * 0.32F, -0.265F, 0.2F}, {0.022F, 0.022F, 0.03F}, build.metal));
  }
  add_head(figure, build);
  return figure;
}

}  // namespace waybill::asset
