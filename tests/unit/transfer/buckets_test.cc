#include "transfer/buckets.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "transfer/scratch.h"

namespace waybill::transfer {
namespace {

class BucketsTest : public ScratchTest {};

TEST_F(BucketsTest, BucketsAreFoldersOfADirectory) {
  const Buckets buckets(folder_);
  const auto root = std::filesystem::canonical(folder_).string();
  EXPECT_EQ(*buckets.folder("exports", ""), root + "/exports");
  EXPECT_EQ(*buckets.folder("exports", "a/b"), root + "/exports/a/b");
  EXPECT_EQ(*buckets.folder("exports", "a/b/"), root + "/exports/a/b");
  EXPECT_EQ(*buckets.folder("a..b", "..c/d.."), root + "/a..b/..c/d..");
}

TEST_F(BucketsTest, NothingLeadsOut) {
  const Buckets buckets(folder_);
  for (const auto* bucket : {"", ".", "..", "a", "a/b", "/etc", ".a", "a.", "a b", "ä"}) {
    EXPECT_FALSE(buckets.folder(bucket, "")) << bucket;
  }
  for (const auto* prefix : {"..", "../x", "a/..", "a/../b", "/", "/etc", ".", "a/./b"}) {
    EXPECT_FALSE(buckets.folder("exports", prefix)) << prefix;
  }
}

TEST_F(BucketsTest, LinksAreFollowedAsLongAsTheyStayInside) {
  const Buckets buckets(path("root"));
  std::filesystem::create_directories(path("root/real"));
  std::filesystem::create_directories(path("rooted"));
  std::filesystem::create_directory_symlink(path("root/real"), path("root/inside"));
  std::filesystem::create_directory_symlink(path("rooted"), path("root/outside"));
  std::filesystem::create_directory_symlink("/", path("root/real/up"));
  EXPECT_TRUE(buckets.folder("inside", "x"));
  EXPECT_FALSE(buckets.folder("outside", ""));
  EXPECT_FALSE(buckets.folder("real", "up"));
  EXPECT_FALSE(buckets.folder("real", "up/etc"));
}

}  // namespace
}  // namespace waybill::transfer
