// A mushroom with a spotted cap, and small ones beside it.
#include "asset/figure.h"

#include "asset/trigonometry.h"

namespace waybill::asset {

namespace {

struct Place {
  float x;
  float foot_y;
  float size;
  float z;
};

void add_spots(Figure& figure, const Place& place, float cap_y, Dice& dice) {
  const Finish spot{.colour = {0.92F, 0.88F, 0.78F}, .gloss = 0.2F, .mottle = 0.06F, .blend = 0.012F};
  const int spots = 7 + dice.below(5);
  for (int i = 0; i < spots; ++i) {
    constexpr double golden_angle = 2.39996;
    const float out = 0.85F * (static_cast<float>(i) + 0.5F) / static_cast<float>(spots);
    const double angle = golden_angle * i + dice.between(0, 0.6F);
    const float x = static_cast<float>(cosine(angle)) * out;
    const float y =
        0.12F + 0.8F * (0.5F + 0.5F * static_cast<float>(sine(angle))) * (0.35F + 0.6F * (1 - out));
    const float rise = 1 - x * x - y * y;
    if (rise > 0.02F) {
      const float r = dice.between(0.05F, 0.1F) * place.size;
      figure.push_back(ball({place.x + x * 0.62F * place.size, cap_y + y * 0.5F * place.size,
                             place.z + std::sqrt(rise) * 0.5F * place.size - r * 0.1F},
                            {r, r * 0.85F, r * 0.45F}, spot));
    }
  }
}

void add_one(Figure& figure, const Subject& subject, const Place& place, Dice& dice) {
  const float s = place.size;
  const float stem = dice.between(0.14F, 0.19F) * s;
  const float y = place.foot_y;
  const float cap_y = y + dice.between(0.72F, 0.86F) * s;
  const Finish flesh{.colour = {0.78F, 0.7F, 0.55F}, .gloss = 0.15F, .mottle = 0.15F, .blend = 0.02F};
  const Finish gills{.colour = {0.5F, 0.4F, 0.3F}, .gloss = 0.05F, .mottle = 0.2F, .blend = 0};
  const Finish cap{.colour = subject.main_colour, .gloss = 0.55F, .mottle = 0.12F, .blend = 0};
  figure.push_back(limb({{place.x, y + stem * 1.2F, place.z}, stem * 1.35F},
                        {{place.x, y + 0.35F * s, place.z}, stem}, flesh));
  figure.push_back(
      limb({{place.x, y + 0.3F * s, place.z}, stem}, {{place.x, cap_y, place.z}, stem * 0.85F}, flesh));
  figure.push_back(
      ball({place.x, cap_y - 0.26F * s, place.z + 0.01F}, {stem * 1.5F, stem * 0.5F, stem * 1.4F}, flesh));
  figure.push_back(ball({place.x, cap_y, place.z}, {0.57F * s, 0.15F * s, 0.5F * s}, gills));
  Part dome = ball({place.x, cap_y, place.z}, {0.62F * s, 0.5F * s, 0.52F * s}, cap);
  // The lower half is cut off, with an edge that hangs down a little in front.
  dome.sight = [whole = dome.sight, place, cap_y, s](float x, float y_at) -> std::optional<Hit> {
    const float off = (x - place.x) / (0.62F * s);
    const float edge = cap_y - 0.09F * s * std::sqrt(std::max(1 - off * off, 0.0F));
    return y_at < edge ? std::nullopt : whole(x, y_at);
  };
  figure.push_back(std::move(dome));
  add_spots(figure, place, cap_y, dice);
}

}  // namespace

Figure make_mushroom(const Subject& subject, Dice& dice) {
  Figure figure;
  const float side = dice.chance(0.5F) ? 1.0F : -1.0F;
  const int small_ones = dice.below(3);
  const Finish moss{
      .colour = mix(subject.accent_colour, {0.08F, 0.25F, 0.04F}, 0.7F), .gloss = 0.05F, .mottle = 0.5F};
  figure.push_back(ball({0, -0.84F, 0}, {0.62F, 0.12F, 0.4F}, moss));
  add_one(figure, subject, {0, -0.84F, dice.between(1.12F, 1.25F), 0}, dice);
  if (small_ones > 0) {
    add_one(figure, subject, {side * 0.4F, -0.86F, 0.52F, 0.3F}, dice);
  }
  if (small_ones > 1) {
    add_one(figure, subject, {-side * 0.42F, -0.87F, 0.4F, 0.34F}, dice);
  }
  return figure;
}

}  // namespace waybill::asset
