#include "text/analyze_file.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <vector>

namespace waybill::text {
namespace {

class AnalyzeFileTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "waybill-text-XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string write(std::string_view bytes) const {
    std::ofstream(folder_ + "/text", std::ios::binary) << bytes;
    return folder_ + "/text";
  }

  std::string folder_;
};

TEST_F(AnalyzeFileTest, FiguresAndProgress) {
  std::string text;
  for (int i = 0; i < 300'000; ++i) {
    text += "hello world ";
  }
  std::vector<uint64_t> read;
  FileAnalysis analysis;
  analysis.progress = [&](const FileProgress& progress) {
    EXPECT_EQ(progress.bytes_total, text.size());
    read.push_back(progress.bytes_read);
  };
  const auto figures = analyze_file(write(text), analysis);
  ASSERT_TRUE(figures.has_value());
  EXPECT_EQ((*figures)->total_words, 600'000U);
  EXPECT_EQ((*figures)->top_words, (std::vector<CountedWord>{{"hello", 300'000}, {"world", 300'000}}));
  EXPECT_EQ(read, (std::vector<uint64_t>{1 << 20, 2 << 20, 3 << 20, text.size()}));
  EXPECT_EQ(**analyze_file(write(""), {}), Figures{});
}

TEST_F(AnalyzeFileTest, Stops) {
  std::stop_source source;
  FileAnalysis analysis;
  analysis.stop = source.get_token();
  int calls = 0;
  analysis.progress = [&](const FileProgress&) {
    ++calls;
    source.request_stop();
  };
  const auto figures = analyze_file(write(std::string(5'000'000, ' ')), analysis);
  ASSERT_TRUE(figures.has_value());
  EXPECT_FALSE(figures->has_value());
  EXPECT_EQ(calls, 1);
}

TEST_F(AnalyzeFileTest, WhatIsNoFile) {
  EXPECT_EQ(analyze_file(folder_ + "/none", {}).error().message,
            "cannot read " + folder_ + "/none: No such file or directory");
  EXPECT_EQ(analyze_file(folder_, {}).error().message,
            "cannot read " + folder_ + ": it is not a regular file; give the path of one");
  ASSERT_EQ(::mkfifo((folder_ + "/pipe").c_str(), S_IRUSR | S_IWUSR), 0);
  EXPECT_FALSE(analyze_file(folder_ + "/pipe", {}));
}

TEST_F(AnalyzeFileTest, RefusalsPassThrough) {
  EXPECT_EQ(
      analyze_file(write(std::string("a\0b", 3)), {}).error().message,
      "the file is not a text: byte 1 is a control code that no text has; upload plain text, best in UTF-8");
}

}  // namespace
}  // namespace waybill::text
