// What a potter or a glassblower makes: a body turned on a wheel, a neck, a rim, handles or a stopper.
#include "asset/figure.h"

namespace waybill::asset {

namespace {

struct Build {
  float belly;
  float belly_y;
  float neck;
  float neck_y;
  float foot;
};

Build thrown_build(Dice& dice) {
  Build build;
  build.belly = dice.between(0.4F, 0.56F);
  build.belly_y = dice.between(-0.35F, 0.02F);
  build.neck = dice.between(0.11F, 0.19F);
  build.neck_y = dice.between(0.36F, 0.48F);
  build.foot = dice.between(0.2F, 0.3F);
  return build;
}

std::vector<Turn> body_of(const Build& build) {
  return {{-0.82F, build.foot},
          {mix(-0.82F, build.belly_y, 0.45F), mix(build.foot, build.belly, 0.72F)},
          {build.belly_y, build.belly},
          {mix(build.belly_y, build.neck_y, 0.55F), mix(build.belly, build.neck, 0.45F)},
          {build.neck_y, build.neck},
          {0.62F, build.neck * 1.02F}};
}

void add_handle(Figure& figure, const Build& build, const Finish& finish, float side) {
  const Vec3 top{side * build.neck * 0.9F, 0.5F, 0};
  const Vec3 bend{side * (build.belly * 0.92F), 0.46F, 0.02F};
  const Vec3 low{side * (build.belly * 0.98F), 0.24F, 0.02F};
  const Vec3 end{side * build.belly * 0.8F, build.belly_y + 0.16F, 0.08F};
  figure.push_back(limb({top, 0.045F}, {bend, 0.05F}, finish));
  figure.push_back(limb({bend, 0.05F}, {low, 0.05F}, finish));
  figure.push_back(limb({low, 0.05F}, {end, 0.045F}, finish));
}

void add_ornament(Figure& figure, const Build& build, const Finish& finish) {
  constexpr int beads = 7;
  for (int i = 0; i < beads; ++i) {
    const float across = (static_cast<float>(i) - (beads - 1) * 0.5F) / (beads * 0.56F);
    const float x = across * build.belly * 0.98F;
    const float z = std::sqrt(std::max(build.belly * build.belly - x * x, 0.0F));
    const float narrow = z / build.belly;
    figure.push_back(ball({x, build.belly_y, z - 0.015F}, {0.048F * narrow + 0.006F, 0.048F, 0.05F}, finish));
  }
}

}  // namespace

Figure make_vessel(const Subject& subject, Dice& dice) {
  const Build build = thrown_build(dice);
  Figure figure;
  Finish glaze{.colour = subject.main_colour, .gloss = 0.85F, .mottle = 0.16F, .blend = 0.02F};
  const Finish trim{.colour = subject.accent_colour, .gloss = 0.7F, .mottle = 0.06F, .blend = 0};
  if (dice.chance(0.5F)) {
    glaze.band_height = dice.between(0.16F, 0.3F);
    glaze.band_colour = mix(subject.main_colour, subject.accent_colour, 0.55F);
  }
  const bool has_handles = dice.chance(0.55F);
  if (has_handles) {
    add_handle(figure, build, trim, -1);
    add_handle(figure, build, trim, 1);
  }
  figure.push_back(turned(0, body_of(build), glaze));
  figure.push_back(turned(
      0, {{-0.88F, build.foot * 1.12F}, {-0.83F, build.foot * 1.2F}, {-0.78F, build.foot * 1.04F}}, trim));
  figure.push_back(turned(0,
                          {{0.58F, build.neck},
                           {0.62F, build.neck * 1.42F},
                           {0.68F, build.neck * 1.5F},
                           {0.7F, build.neck * 1.3F}},
                          trim));
  if (!has_handles) {
    const Finish cork{.colour = {0.4F, 0.24F, 0.11F}, .gloss = 0.05F, .mottle = 0.4F, .blend = 0};
    figure.push_back(turned(
        0, {{0.69F, build.neck * 0.85F}, {0.8F, build.neck * 0.95F}, {0.86F, build.neck * 0.8F}}, cork));
  }
  if (dice.chance(0.7F)) {
    add_ornament(figure, build, trim);
  }
  return figure;
}

}  // namespace waybill::asset
