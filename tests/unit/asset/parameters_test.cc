#include "asset/parameters.h"

#include <gtest/gtest.h>

namespace waybill::asset {
namespace {

TEST(Parameters, HaveFallbacks) {
  auto parameters = Parameters::read("");
  ASSERT_TRUE(parameters);
  EXPECT_EQ(parameters->number("ratio", {.fallback = 0.25, .least = 0, .most = 1}), 0.25);
  EXPECT_EQ(parameters->whole("joints", {.fallback = 6, .least = 2, .most = 32}), 6);
  EXPECT_EQ(parameters->word("clip", {"idle", "walk"}), "idle");
  EXPECT_TRUE(parameters->finish());
}

TEST(Parameters, AreRead) {
  auto parameters = Parameters::read(R"({"ratio": 0.5, "joints": 32, "clip": "walk"})");
  ASSERT_TRUE(parameters);
  EXPECT_EQ(parameters->number("ratio", {.fallback = 0.25, .least = 0, .most = 1}), 0.5);
  EXPECT_EQ(parameters->whole("joints", {.fallback = 6, .least = 2, .most = 32}), 32);
  EXPECT_EQ(parameters->word("clip", {"idle", "walk"}), "walk");
  EXPECT_TRUE(parameters->finish());
}

std::string refusal(std::string_view text) {
  auto parameters = Parameters::read(text);
  if (!parameters) {
    return parameters.error().message;
  }
  parameters->whole("joints", {.fallback = 6, .least = 2, .most = 32});
  parameters->word("clip", {"idle", "walk"});
  const auto done = parameters->finish();
  return done ? std::string() : done.error().message;
}

TEST(Parameters, ThatAreWrongAreRefusedWithAHint) {
  EXPECT_EQ(refusal("[1]"), "the parameters must be a JSON object, such as {\"ratio\": 0.25}");
  EXPECT_EQ(refusal("{"), "the parameters must be a JSON object, such as {\"ratio\": 0.25}");
  EXPECT_EQ(refusal(R"({"joints": "six"})"), "the parameter joints must be a number from 2 to 32");
  EXPECT_EQ(refusal(R"({"joints": 33})"), "the parameter joints must be a number from 2 to 32");
  EXPECT_EQ(refusal(R"({"joints": 2.5})"), "the parameter joints must be a whole number");
  EXPECT_EQ(refusal(R"({"clip": "run"})"), "the parameter clip must be one of: idle, walk");
  EXPECT_EQ(refusal(R"({"Joints": 3})"), "unknown parameter Joints; this stage knows: joints, clip");
  EXPECT_EQ(refusal(std::string(17 << 10, ' ')), "the parameters have more than 16384 bytes");
}

}  // namespace
}  // namespace waybill::asset
