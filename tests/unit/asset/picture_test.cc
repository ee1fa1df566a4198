// Pictures: what a prompt is taken for, and what is painted.
#include <set>

#include "asset/digest.h"
#include "asset/figure.h"
#include "asset/painter.h"
#include "asset/png_reader.h"
#include "asset/stages.h"
#include "asset/subject.h"
#include "asset/support.h"
#include "asset/trigonometry.h"

namespace waybill::asset {
namespace {

Subject subject(std::string_view prompt, int64_t seed = 1) {
  Dice dice(prompt, seed);
  return subject_of(prompt, dice);
}

TEST(Subject, IsFoundInThePrompt) {
  EXPECT_EQ(subject("A small ROBOT, please").kind, SubjectKind::robot);
  EXPECT_EQ(subject("two cats").kind, SubjectKind::character);
  EXPECT_EQ(subject("a mushroom-shaped lamp").kind, SubjectKind::vessel);
  EXPECT_EQ(subject("oak").kind, SubjectKind::tree);
  EXPECT_GT(subject("red vase").main_colour.x, 0.5F);
  EXPECT_LT(subject("red vase").main_colour.y, 0.1F);
  EXPECT_GT(subject("red vase with blue handles").accent_colour.z, 0.5F);
}

TEST(Subject, IsThrownWhereNothingIsKnown) {
  std::set<SubjectKind> kinds;
  for (int64_t seed = 0; seed < 60; ++seed) {
    kinds.insert(subject("???", seed).kind);
  }
  EXPECT_EQ(kinds.size(), static_cast<std::size_t>(subject_kinds));
}

Image painted(std::string_view prompt, int64_t seed) {
  Dice dice(prompt, seed);
  const Subject about = subject_of(prompt, dice);
  return paint(make_figure(about, dice), {.side = 96, .salt = 1, .grain = 0});
}

TEST(Picture, ShowsSomethingThatFitsIn) {
  for (const std::string_view prompt : {"creature", "robot", "tree", "mushroom", "vase", "rocket"}) {
    for (int64_t seed = 0; seed < 25; ++seed) {
      const Image image = painted(prompt, seed);
      std::size_t covered = 0;
      std::size_t at_edge = 0;
      std::set<uint32_t> colours;
      for (int y = 0; y < image.height; ++y) {
        for (int x = 0; x < image.width; ++x) {
          const uint8_t* const pixel = image.at(x, y);
          if (pixel[3] > 127) {
            ++covered;
            colours.insert(static_cast<uint32_t>(pixel[0]) << 16 | static_cast<uint32_t>(pixel[1]) << 8 |
                           pixel[2]);
            const bool is_edge = x == 0 || y == 0 || x == image.width - 1 || y == image.height - 1;
            at_edge += is_edge ? 1 : 0;
          }
        }
      }
      EXPECT_GT(covered, image.pixels() / 12) << prompt << seed;
      EXPECT_LT(covered, image.pixels() * 3 / 5) << prompt << seed;
      EXPECT_EQ(at_edge, 0U) << prompt << seed;
      EXPECT_GT(colours.size(), 200U) << prompt << seed;
    }
  }
}

TEST(Picture, DependsOnPromptAndSeedAlone) {
  std::set<std::string> pictures;
  const auto make = [](std::string_view prompt, int64_t seed) {
    Request request;
    request.prompt = prompt;
    request.seed = seed;
    request.parameters = *Parameters::read(R"({"side": 64})");
    auto made = text_to_image(request);
    EXPECT_TRUE(made);
    return sha256_hex(made->bytes);
  };
  for (const std::string_view prompt : {"a robot", "a robot ", "a tree"}) {
    for (const int64_t seed : {INT64_MIN, int64_t{-1}, int64_t{0}, int64_t{1}, INT64_MAX}) {
      EXPECT_EQ(make(prompt, seed), make(prompt, seed));
      pictures.insert(make(prompt, seed));
    }
  }
  EXPECT_EQ(pictures.size(), 15U);
}

TEST(Sines, AreThoseOfEverybody) {
  for (double angle = -50; angle < 50; angle += 0.0371) {
    EXPECT_NEAR(sine(angle), std::sin(angle), 1e-9);
    EXPECT_NEAR(cosine(angle), std::cos(angle), 1e-9);
  }
}

}  // namespace
}  // namespace waybill::asset
