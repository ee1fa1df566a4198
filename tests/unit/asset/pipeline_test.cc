#include <sys/resource.h>

#include "asset/closed.h"
#include "asset/digest.h"
#include "asset/glb_reader.h"
#include "asset/gltf_check.h"
#include "asset/product_json.h"
#include "asset/support.h"
#include "base/clock.h"

namespace waybill::asset {
namespace {

using PipelineTest = AssetTest;

TEST_F(PipelineTest, GoesFromAPromptToAnArchive) {
  const Task last = run_until(Stage::export_files);
  ASSERT_EQ(last.inputs.size(), all_stages.size());
  for (const auto& input : last.inputs) {
    const std::string bytes = content_of(input.path);
    EXPECT_FALSE(bytes.empty());
    EXPECT_EQ(input.sha256, sha256_hex(bytes));
    EXPECT_FALSE(input.metrics.empty());
  }
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(path("out"))) {
    EXPECT_NE(entry.path().extension(), ".tmp");
    ++files;
  }
  EXPECT_EQ(files, all_stages.size());
  EXPECT_TRUE(succeeds("unzip -tqq " + path("out/export.zip")));
}

TEST_F(PipelineTest, EveryGlbIsValidForAnotherReader) {
  for (const std::string_view prompt :
       {"a green creature", "blue robot", "an old oak tree", "red mushroom", "vase", "rocket"}) {
    const Task last = run_until(Stage::anim, prompt);
    ASSERT_EQ(last.inputs.size(), 6U) << prompt;
    for (std::size_t i = 2; i < last.inputs.size(); ++i) {
      const GltfReport report = check_gltf(last.inputs[i].path);
      EXPECT_EQ(report.problems, "") << prompt << ", " << last.inputs[i].stage;
      EXPECT_EQ(std::max(report.texture_width / 2, report.texture_height), 512);
      EXPECT_EQ(report.joints, i < 4 ? 0U : 6U);
      EXPECT_EQ(report.channels, i < 5 ? 0U : 7U);
    }
  }
}

TEST_F(PipelineTest, MeshesAreClosed) {
  for (const std::string_view prompt :
       {"a green creature", "blue robot", "an old oak tree", "red mushroom", "vase", "rocket"}) {
    const Task last = run_until(Stage::retopo, prompt);
    ASSERT_EQ(last.inputs.size(), 4U) << prompt;
    const auto whole = check_gltf(last.inputs[2].path);
    EXPECT_GT(whole.mesh.triangles(), 20'000U);
    expect_closed(whole.mesh);
    const auto decimated = check_gltf(last.inputs[3].path);
    const Flaws flaws = flaws_of(decimated.mesh);
    EXPECT_EQ(flaws.open_edges, 0U) << prompt;
    EXPECT_EQ(flaws.flat_triangles, 0U) << prompt;
    EXPECT_EQ(flaws.crowded_edges, 0U) << prompt;
    EXPECT_EQ(flaws.pinched_places, 0U) << prompt;
    EXPECT_NEAR(flaws.volume / flaws_of(whole.mesh).volume, 1, 0.01);
  }
}

TEST_F(PipelineTest, SameInputsGiveSameBytes) {
  const Task first = run_until(Stage::export_files);
  std::vector<std::string> before;
  for (const auto& input : first.inputs) {
    before.push_back(content_of(input.path));
  }
  // Elsewhere, so that nothing of the paths can be in the files.
  const std::string kept = folder_;
  folder_ += "/elsewhere";
  const Task second = run_until(Stage::export_files);
  for (std::size_t i = 0; i < before.size(); ++i) {
    EXPECT_NE(first.inputs[i].path, second.inputs[i].path);
    EXPECT_EQ(before[i], content_of(second.inputs[i].path)) << first.inputs[i].stage;
  }
  folder_ = kept;
}

TEST_F(PipelineTest, EveryStageIsFarBelowASecond) {
  const SystemClock clock;
  Task next = task("", "a purple cat creature", 2);
  for (const Stage stage : all_stages) {
    next.stage = name_of(stage);
    const int64_t begin_us = clock.steady_us();
    const auto product = provider_.run(next);
    const double ms = static_cast<double>(clock.steady_us() - begin_us) / 1000;
    ASSERT_TRUE(product);
    RecordProperty(next.stage + "_ms", std::to_string(ms));
    EXPECT_LT(ms, 5000) << "not even a slow machine with sanitizers takes so long";
    const auto& made = product->artifacts.front();
    next.inputs.push_back({next.stage, made.path, made.media_type, made.sha256, product->metrics});
  }
}

TEST_F(PipelineTest, MetricsTellWhatWasDone) {
  const Task last = run_until(Stage::export_files);
  const auto& refined = last.inputs[1].metrics;
  EXPECT_EQ(metric(refined, "width_pixels"), 1024);
  EXPECT_LT(metric(refined, "noise_after"), metric(refined, "noise_before"));
  const auto& retopo = last.inputs[3].metrics;
  EXPECT_NEAR(metric(retopo, "triangles_after") / metric(retopo, "triangles_before"), 0.25, 0.01);
  EXPECT_LT(metric(retopo, "vertices_after"), metric(retopo, "vertices_before"));
  EXPECT_GT(metric(retopo, "relative_error"), 0);
  EXPECT_LT(metric(retopo, "relative_error"), 0.02);
  EXPECT_EQ(metric(last.inputs[4].metrics, "joints"), 6);
  EXPECT_EQ(metric(last.inputs[5].metrics, "keyframes"), 49 * 7);
  EXPECT_EQ(metric(last.inputs[6].metrics, "files"), 6);
}

TEST_F(PipelineTest, ParametersAreUsed) {
  Task next = run_until(Stage::refine);
  next.stage = "3d";
  next.parameters = R"({"detail": 64, "texture": 128, "depth": 0.5})";
  const auto coarse = provider_.run(next);
  ASSERT_TRUE(coarse) << coarse.error().message;
  EXPECT_LT(metric(coarse->metrics, "triangles"), 10'000);
  const auto report = check_gltf(coarse->artifacts[0].path);
  EXPECT_EQ(report.problems, "");
  EXPECT_EQ(std::max(report.texture_width / 2, report.texture_height), 128);
  next.inputs.push_back({"3d", coarse->artifacts[0].path, coarse->artifacts[0].media_type, "", {}});
  next.stage = "rig";
  next.parameters = R"({"joints": 12})";
  const auto rigged = provider_.run(next);
  ASSERT_TRUE(rigged) << rigged.error().message;
  EXPECT_EQ(check_gltf(rigged->artifacts[0].path).joints, 12U);
  next.inputs.push_back({"rig", rigged->artifacts[0].path, rigged->artifacts[0].media_type, "", {}});
  next.stage = "anim";
  next.parameters = R"({"clip": "walk", "seconds": 1.5, "frames_per_second": 10})";
  const auto animated = provider_.run(next);
  ASSERT_TRUE(animated) << animated.error().message;
  EXPECT_EQ(metric(animated->metrics, "keyframes"), 16 * 13);
  EXPECT_EQ(check_gltf(animated->artifacts[0].path).problems, "");
}

TEST_F(PipelineTest, WrongTasksAreRefused) {
  const auto refusal = [&](const Task& wrong) {
    const auto product = provider_.run(wrong);
    EXPECT_FALSE(product);
    EXPECT_FALSE(product ? true : may_succeed_later(product.error()));
    return product ? std::string() : product.error().message;
  };
  EXPECT_EQ(refusal(task("paint")), "there is no stage paint");
  EXPECT_EQ(refusal(task("text-to-image", "")), "text-to-image needs a prompt that says what to draw");
  EXPECT_EQ(refusal(task("refine")),
            "the stage refine needs an input of type image/png; run an earlier stage first");
  EXPECT_EQ(refusal(task("anim")),
            "the stage anim needs an input of type model/gltf-binary; run an earlier stage first");
  EXPECT_EQ(refusal(task("export")), "the stage export needs an input; run an earlier stage first");
  Task wrong = task("text-to-image");
  wrong.parameters = R"({"side": 1e9})";
  EXPECT_EQ(refusal(wrong), "the parameter side must be a number from 64 to 1024");
  wrong.parameters = R"({"colour": "red"})";
  EXPECT_EQ(refusal(wrong), "unknown parameter colour; this stage knows: side");
  wrong = task("text-to-image", std::string(prompt_bytes_max + 1, 'x'));
  EXPECT_EQ(refusal(wrong), "the prompt must be UTF-8 of at most 4096 bytes");
  wrong = task("text-to-image", "\xff");
  EXPECT_EQ(refusal(wrong), "the prompt must be UTF-8 of at most 4096 bytes");
  wrong = task("text-to-image");
  wrong.output_folder = "";
  EXPECT_EQ(refusal(wrong), "the task says no output_folder");
  wrong.output_folder = write("file", "x") + "/below";
  EXPECT_NE(refusal(wrong), "");
}

TEST_F(PipelineTest, WrongFilesAreRefused) {
  const auto refusal = [&](std::string_view stage, const Input& input) {
    Task wrong = task(stage);
    wrong.inputs = {input};
    const auto product = provider_.run(wrong);
    EXPECT_FALSE(product);
    EXPECT_FALSE(product ? true : may_succeed_later(product.error()));
    return product ? std::string() : product.error().message;
  };
  const Input missing{"", path("nothing.png"), std::string(png_media_type), "", {}};
  EXPECT_EQ(refusal("refine", missing), "cannot read " + path("nothing.png") + ": No such file or directory");
  const Input folder{"", folder_, std::string(png_media_type), "", {}};
  EXPECT_EQ(refusal("refine", folder), "cannot read " + folder_ + ": it is not a regular file");
  const Input text{"", write("text.png", "hello"), std::string(png_media_type), "", {}};
  EXPECT_EQ(refusal("3d", text), "the file is not a PNG");
  const Input no_glb{"", write("text.glb", "hello, hello"), std::string(glb_media_type), "", {}};
  EXPECT_EQ(refusal("retopo", no_glb), "the file is not a binary glTF (.glb)");
  const Input changed{"", write("a.png", "hello"), std::string(png_media_type), std::string(64, '0'), {}};
  EXPECT_EQ(refusal("refine", changed),
            path("a.png") + " is not what the earlier stage has made: its SHA-256 is another");
  const Input odd{"../..", write("a.txt", "hello"), "text/plain", "", {}};
  EXPECT_EQ(refusal("export", odd), "the input " + path("a.txt") + " is of a stage that does not exist");
}

TEST_F(PipelineTest, StagesSayWhichStageIsMissing) {
  Task next = run_until(Stage::retopo);
  next.stage = "anim";
  auto product = provider_.run(next);
  ASSERT_FALSE(product);
  EXPECT_EQ(product.error().message, "the .glb has no skeleton to animate; run the stage rig first");
  next = run_until(Stage::anim);
  for (const std::string_view stage : {"retopo", "rig", "anim"}) {
    next.stage = stage;
    EXPECT_FALSE(provider_.run(next)) << stage;
  }
}

TEST_F(PipelineTest, WhatMayPassIsToldApart) {
  Task next = task("text-to-image");
  std::filesystem::create_directories(next.output_folder);
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  const rlimit none{0, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &none), 0);
  const auto product = provider_.run(next);
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
  ASSERT_FALSE(product);
  EXPECT_TRUE(may_succeed_later(product.error())) << product.error().message;
  EXPECT_TRUE(provider_.run(next));
}

TEST_F(PipelineTest, ProductsBecomeJson) {
  EXPECT_EQ(artifacts_json({{"a/b.png", "image/png", 12, "00ff"}}),
            R"([{"path":"a/b.png","media_type":"image/png","bytes":12,"sha256":"00ff"}])");
  EXPECT_EQ(metrics_json({{"a", 1.5}, {"b", 2}, {"c", 1.0 / 0.0}}), R"({"a":1.5,"b":2.0,"c":null})");
}

TEST(Stage, HasTheNamesOfTheContract) {
  for (const Stage stage : all_stages) {
    EXPECT_EQ(stage_of(name_of(stage)), stage);
  }
  EXPECT_EQ(name_of(Stage::shape), "3d");
  EXPECT_EQ(name_of(Stage::export_files), "export");
  EXPECT_FALSE(stage_of("3D"));
}

}  // namespace
}  // namespace waybill::asset
