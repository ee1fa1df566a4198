#include "media/labels.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "media/samples.h"

namespace waybill::media {
namespace {

Seen seen(const Pixels& pixels, Size size = {800, 600}) {
  return {size, statistics_of(pixels)};
}

double confidence(const Seen& seen, std::string_view name) {
  for (const auto& label : labels_of(seen)) {
    if (label.name == name) {
      return label.confidence;
    }
  }
  return 0;
}

TEST(Labels, tell_what_was_counted) {
  const auto outside =
      seen(paint(90, 90, [](int, int y) { return y < 30 ? Rgb{120, 180, 240} : Rgb{60, 140, 50}; }));
  EXPECT_EQ(confidence(outside, "Sky"), 1);
  EXPECT_EQ(confidence(outside, "Vegetation"), 1);
  EXPECT_EQ(confidence(outside, "Green"), 1);
  EXPECT_NEAR(confidence(outside, "Blue"), 0.67, 0.01);
  EXPECT_EQ(confidence(outside, "Landscape format"), 1);
  EXPECT_EQ(confidence(outside, "Skin tones"), 0);
}

TEST(Labels, know_shapes_and_sizes) {
  const auto gray = paint(30, 30, [](int, int) { return Rgb{128, 128, 128}; });
  EXPECT_EQ(confidence(seen(gray, {600, 800}), "Portrait format"), 1);
  EXPECT_EQ(confidence(seen(gray, {800, 800}), "Square format"), 1);
  EXPECT_EQ(confidence(seen(gray, {8000, 2000}), "Panorama"), 1);
  EXPECT_EQ(confidence(seen(gray, {4000, 3000}), "High resolution"), 1);
  EXPECT_EQ(confidence(seen(gray, {100, 100}), "Low resolution"), 1);
  EXPECT_EQ(confidence(seen(gray), "Black and white"), 1);
}

TEST(Labels, know_light) {
  EXPECT_EQ(confidence(seen(paint(30, 30, [](int, int) { return Rgb{10, 10, 20}; })), "Dark"), 1);
  EXPECT_EQ(confidence(seen(paint(30, 30, [](int, int) { return Rgb{240, 240, 230}; })), "Bright"), 1);
  EXPECT_EQ(confidence(seen(paint(30, 30, [](int x, int) { return x < 15 ? Rgb{} : Rgb{255, 255, 255}; })),
                       "High contrast"),
            1);
}

TEST(Labels, are_few_sure_and_in_order) {
  const auto labels = labels_of(seen(photo(200, 150), {4000, 3000}));
  ASSERT_FALSE(labels.empty());
  EXPECT_LE(labels.size(), 12U);
  for (const auto& label : labels) {
    EXPECT_GE(label.confidence, 0.5);
    EXPECT_LE(label.confidence, 1);
  }
  EXPECT_TRUE(std::is_sorted(labels.begin(), labels.end(),
                             [](const Label& a, const Label& b) { return a.confidence > b.confidence; }));
}

TEST(Description, is_plain_english) {
  const auto outside = seen(
      paint(90, 90, [](int, int y) { return y < 30 ? Rgb{120, 200, 250} : Rgb{40, 100, 30}; }), {4000, 3000});
  EXPECT_EQ(description_of(outside),
            "A colorful landscape picture of 4000 by 3000 pixels, mostly green and blue. It has medium "
            "contrast and "
            "little detail.");
  const auto night = seen(paint(30, 30, [](int, int) { return Rgb{8, 8, 8}; }), {300, 400});
  EXPECT_EQ(
      description_of(night),
      "A dark, black and white portrait picture of 300 by 400 pixels, mostly black. It has low contrast and "
      "little detail.");
  auto logo = night;
  logo.transparent = 0.5;
  EXPECT_NE(description_of(logo).find("mostly black, with transparent parts."), std::string::npos);
}

TEST(SafeSearch, asks_for_a_look_and_claims_no_more) {
  Statistics counted;
  EXPECT_EQ(safe_search_of(counted).adult, Likelihood::very_unlikely);
  counted.skin = 0.3;
  counted.blood = 0.2;
  EXPECT_EQ(safe_search_of(counted).adult, Likelihood::unlikely);
  EXPECT_EQ(safe_search_of(counted).violence, Likelihood::unlikely);
  counted.skin = 1;
  counted.blood = 1;
  EXPECT_EQ(safe_search_of(counted).adult, Likelihood::possible);
  EXPECT_EQ(safe_search_of(counted).violence, Likelihood::possible);
}

TEST(SafeSearch, has_the_words_of_the_document) {
  EXPECT_EQ(name_of(Likelihood::very_unlikely), "VERY_UNLIKELY");
  EXPECT_EQ(name_of(Likelihood::unlikely), "UNLIKELY");
  EXPECT_EQ(name_of(Likelihood::possible), "POSSIBLE");
  EXPECT_EQ(name_of(Likelihood::likely), "LIKELY");
  EXPECT_EQ(name_of(Likelihood::very_likely), "VERY_LIKELY");
  EXPECT_EQ(likelihood_named("LIKELY"), Likelihood::likely);
  EXPECT_EQ(likelihood_named("likely"), std::nullopt);
}

}  // namespace
}  // namespace waybill::media
