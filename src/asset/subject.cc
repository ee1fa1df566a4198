#include "asset/subject.h"

#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

namespace waybill::asset {

namespace {

struct KnownThing {
  std::string_view word;
  SubjectKind kind;
};

constexpr std::array known_things = {
    KnownThing{"character", SubjectKind::character},
    KnownThing{"creature", SubjectKind::character},
    KnownThing{"monster", SubjectKind::character},
    KnownThing{"animal", SubjectKind::character},
    KnownThing{"cat", SubjectKind::character},
    KnownThing{"dog", SubjectKind::character},
    KnownThing{"rabbit", SubjectKind::character},
    KnownThing{"bear", SubjectKind::character},
    KnownThing{"fox", SubjectKind::character},
    KnownThing{"dragon", SubjectKind::character},
    KnownThing{"hero", SubjectKind::character},
    KnownThing{"goblin", SubjectKind::character},
    KnownThing{"robot", SubjectKind::robot},
    KnownThing{"android", SubjectKind::robot},
    KnownThing{"mech", SubjectKind::robot},
    KnownThing{"machine", SubjectKind::robot},
    KnownThing{"droid", SubjectKind::robot},
    KnownThing{"tree", SubjectKind::tree},
    KnownThing{"oak", SubjectKind::tree},
    KnownThing{"forest", SubjectKind::tree},
    KnownThing{"bush", SubjectKind::tree},
    KnownThing{"plant", SubjectKind::tree},
    KnownThing{"mushroom", SubjectKind::mushroom},
    KnownThing{"toadstool", SubjectKind::mushroom},
    KnownThing{"fungus", SubjectKind::mushroom},
    KnownThing{"vase", SubjectKind::vessel},
    KnownThing{"bottle", SubjectKind::vessel},
    KnownThing{"potion", SubjectKind::vessel},
    KnownThing{"jar", SubjectKind::vessel},
    KnownThing{"pot", SubjectKind::vessel},
    KnownThing{"amphora", SubjectKind::vessel},
    KnownThing{"lamp", SubjectKind::vessel},
    KnownThing{"rocket", SubjectKind::rocket},
    KnownThing{"spaceship", SubjectKind::rocket},
    KnownThing{"ship", SubjectKind::rocket},
    KnownThing{"shuttle", SubjectKind::rocket},
};

struct KnownColour {
  std::string_view word;
  float hue;
  float saturation;
  float value;
};

constexpr std::array known_colours = {
    KnownColour{"red", 0.99F, 0.82F, 0.86F},    KnownColour{"orange", 0.07F, 0.85F, 0.95F},
    KnownColour{"yellow", 0.13F, 0.78F, 0.97F}, KnownColour{"gold", 0.11F, 0.72F, 0.88F},
    KnownColour{"golden", 0.11F, 0.72F, 0.88F}, KnownColour{"green", 0.33F, 0.62F, 0.68F},
    KnownColour{"teal", 0.48F, 0.65F, 0.68F},   KnownColour{"turquoise", 0.48F, 0.6F, 0.8F},
    KnownColour{"blue", 0.6F, 0.72F, 0.85F},    KnownColour{"purple", 0.76F, 0.6F, 0.75F},
    KnownColour{"violet", 0.76F, 0.6F, 0.75F},  KnownColour{"pink", 0.93F, 0.45F, 0.96F},
    KnownColour{"brown", 0.07F, 0.6F, 0.52F},   KnownColour{"black", 0.65F, 0.15F, 0.24F},
    KnownColour{"white", 0.1F, 0.05F, 0.97F},   KnownColour{"grey", 0.6F, 0.06F, 0.66F},
    KnownColour{"gray", 0.6F, 0.06F, 0.66F},    KnownColour{"silver", 0.6F, 0.06F, 0.78F},
};

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words(1);
  for (const char c : text) {
    const bool is_upper = c >= 'A' && c <= 'Z';
    if (is_upper || (c >= 'a' && c <= 'z')) {
      words.back().push_back(is_upper ? static_cast<char>(c - 'A' + 'a') : c);
    } else if (!words.back().empty()) {
      words.emplace_back();
    }
  }
  return words;
}

// As it is, or as a plural.
bool means(std::string_view word, std::string_view known) {
  return word == known || (word.size() == known.size() + 1 && word.starts_with(known) && word.ends_with('s'));
}

Vec3 thrown_colour(Dice& dice) {
  const float hue = dice.between(0, 1);
  const float saturation = dice.between(0.45F, 0.8F);
  return colour_of(hue, saturation, dice.between(0.65F, 0.92F));
}

}  // namespace

Vec3 colour_of(float hue, float saturation, float value) {
  const auto channel = [&](float shift) {
    const float turned = hue + shift - std::floor(hue + shift);
    const float away = clamped(std::fabs(turned * 6 - 3) - 1, 0, 1);
    const float shown = value * (1 - saturation * (1 - away));
    return shown * shown;
  };
  return {channel(0), channel(2.0F / 3), channel(1.0F / 3)};
}

Subject subject_of(std::string_view prompt, Dice& dice) {
  std::optional<SubjectKind> kind;
  std::vector<Vec3> colours;
  for (const auto& word : words_of(prompt)) {
    for (const auto& thing : known_things) {
      // The last thing is the one that is meant: "a mushroom robot" is a robot.
      kind = means(word, thing.word) ? thing.kind : kind;
    }
    for (const auto& colour : known_colours) {
      if (word == colour.word) {
        colours.push_back(colour_of(colour.hue, colour.saturation, colour.value));
      }
    }
  }
  Subject subject;
  // Thrown in any case, so that a word more does not change what else is thrown.
  const auto thrown_kind = static_cast<SubjectKind>(dice.below(subject_kinds));
  const Vec3 thrown_main = thrown_colour(dice);
  const Vec3 thrown_accent = thrown_colour(dice);
  subject.kind = kind.value_or(thrown_kind);
  subject.main_colour = !colours.empty() ? colours[0] : thrown_main;
  subject.accent_colour = colours.size() > 1 ? colours[1] : thrown_accent;
  return subject;
}

}  // namespace waybill::asset
