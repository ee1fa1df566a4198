// A rocket as in picture books: a round hull, fins, portholes, fire below.
#include "asset/figure.h"

namespace waybill::asset {

namespace {

void add_fire(Figure& figure, Dice& dice) {
  const Finish outer{
      .colour = {0.95F, 0.22F, 0.02F}, .gloss = 0, .mottle = 0.3F, .glow = 0.75F, .blend = 0.02F};
  const Finish inner{.colour = {1, 0.72F, 0.15F}, .gloss = 0, .mottle = 0.1F, .glow = 0.95F, .blend = 0.03F};
  const float low = dice.between(-0.94F, -0.86F);
  figure.push_back(limb({{0, -0.62F, 0}, 0.15F}, {{0, low + 0.02F, 0}, 0.02F}, outer));
  for (const float side : {-1.0F, 1.0F}) {
    figure.push_back(limb({{side * 0.08F, -0.6F, 0}, 0.09F},
                          {{side * 0.13F, dice.between(-0.86F, -0.76F), 0}, 0.015F}, outer));
  }
  figure.push_back(limb({{0, -0.6F, 0.1F}, 0.085F}, {{0, -0.78F, 0.08F}, 0.015F}, inner));
}

void add_fin(Figure& figure, const Finish& finish, float hull, float side) {
  const Vec3 root{side * hull * 0.72F, -0.3F, 0};
  const Vec3 tip{side * (hull + 0.26F), -0.62F, 0};
  figure.push_back(limb({root, 0.1F}, {tip, 0.05F}, finish));
  figure.push_back(limb({{side * hull * 0.6F, -0.46F, 0}, 0.09F}, {tip, 0.05F}, finish));
  figure.push_back(limb({tip, 0.05F}, {{tip.x + side * 0.02F, -0.76F, 0}, 0.03F}, finish));
}

void add_porthole(Figure& figure, const Finish& ring, float y, float z, float size) {
  const Finish glass{.colour = {0.12F, 0.42F, 0.62F}, .gloss = 1, .mottle = 0.05F, .glow = 0.12F, .blend = 0};
  figure.push_back(ball({0, y, z - 0.04F}, {size * 1.35F, size * 1.35F, 0.09F}, ring));
  figure.push_back(ball({0, y, z}, {size, size, 0.08F}, glass));
}

}  // namespace

Figure make_rocket(const Subject& subject, Dice& dice) {
  const float hull = dice.between(0.25F, 0.34F);
  Figure figure;
  Finish shell{.colour = subject.main_colour, .gloss = 0.7F, .mottle = 0.06F, .blend = 0};
  const Finish trim{.colour = subject.accent_colour, .gloss = 0.6F, .mottle = 0.06F, .blend = 0};
  const Finish metal{.colour = {0.2F, 0.21F, 0.24F}, .gloss = 0.8F, .mottle = 0.1F, .blend = 0};
  if (dice.chance(0.4F)) {
    shell.band_height = 0.4F;
    shell.band_colour = mix(subject.main_colour, {0.9F, 0.9F, 0.9F}, 0.7F);
  }
  add_fire(figure, dice);
  add_fin(figure, trim, hull, -1);
  add_fin(figure, trim, hull, 1);
  figure.push_back(turned(0, {{-0.66F, hull * 0.62F}, {-0.6F, hull * 0.58F}, {-0.5F, hull * 0.5F}}, metal));
  figure.push_back(turned(0,
                          {{-0.55F, hull * 0.66F},
                           {-0.3F, hull * 0.93F},
                           {0.05F, hull},
                           {0.4F, hull * 0.82F},
                           {0.58F, hull * 0.6F}},
                          shell));
  figure.push_back(
      turned(0, {{0.54F, hull * 0.68F}, {0.58F, hull * 0.64F}, {0.74F, hull * 0.34F}, {0.88F, 0.02F}}, trim));
  figure.push_back(limb({{0, 0.86F, 0}, 0.016F}, {{0, 0.94F, 0}, 0.01F}, metal));
  add_porthole(figure, metal, 0.24F, hull * 0.94F, hull * 0.36F);
  if (dice.chance(0.6F)) {
    add_porthole(figure, metal, -0.12F, hull * 0.98F, hull * 0.24F);
  }
  // The fin that points at us.
  figure.push_back(limb({{0, -0.36F, hull * 0.9F}, 0.035F}, {{0, -0.68F, hull * 1.2F}, 0.045F}, trim));
  return figure;
}

}  // namespace waybill::asset
