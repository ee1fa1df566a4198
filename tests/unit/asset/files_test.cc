#include "asset/files.h"

#include <sys/stat.h>

#include "asset/support.h"

namespace waybill::asset {
namespace {

using FilesTest = AssetTest;

TEST_F(FilesTest, WhatIsWrittenIsRead) {
  const std::string bytes("a\0b\xff", 4);
  ASSERT_TRUE(make_folder(path("a/b/c")));
  ASSERT_TRUE(write_file(path("a/b/c/file"), "before", entropy_));
  ASSERT_TRUE(write_file(path("a/b/c/file"), bytes, entropy_));
  const auto read = read_file(path("a/b/c/file"), 4);
  ASSERT_TRUE(read);
  EXPECT_EQ(*read, bytes);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(path("a/b/c")), {}), 1);
}

TEST_F(FilesTest, NothingIsLeftOfWhatCannotBeWritten) {
  std::filesystem::create_directories(path("taken/below"));
  const auto written = write_file(path("taken"), "x", entropy_);
  ASSERT_FALSE(written);
  EXPECT_FALSE(may_succeed_later(written.error()));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 1);
}

TEST_F(FilesTest, WhatCannotBeReadIsRefused) {
  EXPECT_EQ(read_file(path("none"), 10).error().kind, ErrorKind::not_found);
  write("long", "12345678901");
  const auto too_long = read_file(path("long"), 10);
  ASSERT_FALSE(too_long);
  EXPECT_EQ(too_long.error().kind, ErrorKind::too_large);
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  const auto pipe = read_file(path("pipe"), 10);
  ASSERT_FALSE(pipe);
  EXPECT_EQ(pipe.error().message, "cannot read " + path("pipe") + ": it is not a regular file");
}

}  // namespace
}  // namespace waybill::asset
