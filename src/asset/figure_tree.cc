// A tree: one with a round crown of many tufts, or a fir of stacked skirts.
#include "asset/figure.h"

#include "asset/trigonometry.h"

namespace waybill::asset {

namespace {

Finish bark(Dice& dice) {
  const float shade = dice.between(0.8F, 1.2F);
  return {.colour = Vec3{0.16F, 0.085F, 0.045F} * shade, .gloss = 0.05F, .mottle = 0.5F, .blend = 0.03F};
}

void add_trunk(Figure& figure, const Finish& finish, Dice& dice) {
  const float lean = dice.between(-0.06F, 0.06F);
  for (const float side : {-1.0F, 1.0F}) {
    figure.push_back(
        limb({{side * 0.05F, -0.78F, 0.03F}, 0.07F}, {{side * 0.24F, -0.88F, 0.06F}, 0.035F}, finish));
  }
  figure.push_back(limb({{0, -0.84F, 0}, 0.145F}, {{lean, -0.1F, 0}, 0.085F}, finish));
  for (const float side : {-1.0F, 1.0F}) {
    figure.push_back(limb({{lean, -0.26F, 0.02F}, 0.065F},
                          {{side * dice.between(0.26F, 0.36F), dice.between(0.0F, 0.12F), 0.05F}, 0.04F},
                          finish));
  }
}

void add_crown(Figure& figure, const Subject& subject, Dice& dice) {
  const int tufts = 16 + dice.below(10);
  constexpr double golden_angle = 2.39996;
  const double turn = dice.between(0, 6);
  for (int i = 0; i < tufts; ++i) {
    // Behind and outside first, so that the later ones lie on top.
    const float out = 1 - static_cast<float>(i) / static_cast<float>(tufts);
    const double angle = turn + golden_angle * i;
    const float reach = 0.46F * out;
    const Vec3 at{static_cast<float>(cosine(angle)) * reach * 1.1F,
                  0.33F + static_cast<float>(sine(angle)) * reach * 0.82F, 0.3F * (1 - out)};
    const float size = dice.between(0.17F, 0.25F);
    const Finish leaves{.colour = mix(subject.main_colour, {0.1F, 0.35F, 0.06F}, dice.between(0.1F, 0.35F)) *
                                  dice.between(0.75F, 1.1F),
                        .gloss = 0.08F,
                        .mottle = 0.45F,
                        .blend = 0.05F};
    figure.push_back(ball(at, {size, size * 0.9F, size * 0.8F}, leaves));
  }
  const Finish fruit{.colour = subject.accent_colour, .gloss = 0.7F, .mottle = 0.04F, .blend = 0};
  for (int i = dice.below(2) * 9; i > 0; --i) {
    const double angle = turn + golden_angle * i;
    const float reach = dice.between(0.2F, 0.5F);
    figure.push_back(ball({static_cast<float>(cosine(angle)) * reach,
                           0.3F + static_cast<float>(sine(angle)) * reach * 0.75F, 0.42F - reach * 0.4F},
                          {0.042F, 0.045F, 0.042F}, fruit));
  }
}

void add_skirts(Figure& figure, const Subject& subject, Dice& dice) {
  const int skirts = 4 + dice.below(2);
  for (int i = 0; i < skirts; ++i) {
    const float share = static_cast<float>(i) / static_cast<float>(skirts);
    const float low = mix(-0.5F, 0.66F, share);
    const float wide = mix(0.56F, 0.18F, share);
    const Finish needles{
        .colour = mix(subject.main_colour, {0.03F, 0.2F, 0.07F}, 0.35F) * mix(0.8F, 1.15F, share),
        .gloss = 0.08F,
        .mottle = 0.5F,
        .blend = 0.02F};
    figure.push_back(
        turned(0, {{low, wide * 0.9F}, {low + 0.03F, wide}, {low + 0.2F, wide * 0.52F}, {low + 0.4F, 0.01F}},
               needles));
  }
}

}  // namespace

Figure make_tree(const Subject& subject, Dice& dice) {
  Figure figure;
  const Finish wood = bark(dice);
  if (dice.chance(0.35F)) {
    figure.push_back(limb({{0, -0.86F, 0}, 0.11F}, {{0, -0.4F, 0}, 0.08F}, wood));
    add_skirts(figure, subject, dice);
    return figure;
  }
  add_trunk(figure, wood, dice);
  add_crown(figure, subject, dice);
  return figure;
}

}  // namespace waybill::asset
