#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "base/clock.h"
#include "media/samples.h"
#include "media/studio.h"

namespace waybill::media {

// A test with a folder of its own and a studio with real children, or with ones that misbehave in some way
// (child.cc).
class MediaTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    ASSERT_EQ(vips_init("media_test"), 0);
    vips_cache_set_max(0);  // files change under one name
  }

  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "waybill-media-XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
    options_.clock = &clock_;
    options_.child = {WAYBILL_MEDIA_CHILD};
    options_.children_max = 1;
  }
  void TearDown() override {
    studio_.reset();
    std::filesystem::remove_all(folder_);
  }

  void misbehave(std::string how) { options_.child = {WAYBILL_MEDIA_CHILD, std::move(how)}; }

  // Started with the options that are set by then.
  Studio& studio() {
    if (!studio_) {
      studio_ = std::make_unique<Studio>(options_);
    }
    return *studio_;
  }

  std::string path(std::string_view name) const { return folder_ + "/" + std::string(name); }

  std::string write(std::string_view name, std::string_view bytes) const {
    std::ofstream(path(name), std::ios::binary) << bytes;
    return path(name);
  }

  std::string content(std::string_view name) const {
    std::ifstream file(path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  int files() const {
    return static_cast<int>(std::distance(std::filesystem::directory_iterator(folder_), {}));
  }

  ConvertTask convert_task(std::string_view bytes) const {
    return {write("in", bytes), path("image.webp"), path("thumbnail.webp")};
  }

  // What a conversion of these bytes fails with; nothing may be left of it.
  Error convert_error(std::string_view bytes) {
    const auto converted = studio().convert(convert_task(bytes));
    EXPECT_EQ(files(), 1) << "more than the input is there";
    if (converted) {
      return {ErrorKind::internal, "it was converted", {}};
    }
    return converted.error();
  }

  SystemClock clock_;
  std::string folder_;
  Studio::Options options_;
  std::unique_ptr<Studio> studio_;
};

}  // namespace waybill::media
