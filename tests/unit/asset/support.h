#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "asset/built_in_provider.h"
#include "asset/stage.h"
#include "base/entropy.h"

namespace waybill::asset {

inline std::string content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream content;
  content << file.rdbuf();
  return content.str();
}

// A test with a folder of its own, and a provider.
class AssetTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "waybill-asset-XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string path(std::string_view name) const { return folder_ + "/" + std::string(name); }

  std::string write(std::string_view name, std::string_view bytes) const {
    std::filesystem::create_directories(std::filesystem::path(path(name)).parent_path());
    std::ofstream(path(name), std::ios::binary) << bytes;
    return path(name);
  }

  Task task(std::string_view stage, std::string_view prompt = "a green creature", int64_t seed = 7) const {
    Task task;
    task.stage = stage;
    task.prompt = prompt;
    task.seed = seed;
    task.output_folder = path("out");
    return task;
  }

  // Runs the stages up to `last`, each with what those before it have made; gives the task for the next one.
  Task run_until(Stage last, std::string_view prompt = "a green creature", int64_t seed = 7) {
    Task next = task("", prompt, seed);
    for (const Stage stage : all_stages) {
      next.stage = name_of(stage);
      const auto product = provider_.run(next);
      EXPECT_TRUE(product) << next.stage << ": " << (product ? "" : product.error().message);
      if (!product) {
        break;
      }
      const auto& made = product->artifacts.front();
      next.inputs.push_back({next.stage, made.path, made.media_type, made.sha256, product->metrics});
      if (stage == last) {
        break;
      }
    }
    return next;
  }

  // Whether a program says that all is well; what it prints is printed.
  static bool succeeds(const std::string& command) { return std::system(command.c_str()) == 0; }

  std::string folder_;
  SystemEntropy entropy_;
  BuiltInProvider provider_{entropy_};
};

inline double metric(const std::vector<Metric>& metrics, std::string_view name) {
  for (const auto& metric : metrics) {
    if (metric.name == name) {
      return metric.value;
    }
  }
  ADD_FAILURE() << "no metric " << name;
  return 0;
}

}  // namespace waybill::asset
