#pragma once

#include <string_view>

#include "asset/dice.h"
#include "asset/vector.h"

namespace waybill::asset {

enum class SubjectKind : unsigned char { character, robot, tree, mushroom, vessel, rocket };
inline constexpr int subject_kinds = 6;

// What a prompt is about, as far as we understand it. Colours are linear light, 0 to 1.
struct Subject {
  SubjectKind kind = SubjectKind::character;
  Vec3 main_colour;
  Vec3 accent_colour;
};

// Looks for words that it knows ("a small red robot"); what is left open is thrown with `dice`.
Subject subject_of(std::string_view prompt, Dice& dice);

// `hue` in turns, all from 0 to 1; the result is linear light.
Vec3 colour_of(float hue, float saturation, float value);

}  // namespace waybill::asset
