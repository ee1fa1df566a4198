// What workers in the server itself read: uploads of P14, I11 and T4.
#include "server/own_objects.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "bucket/fixture.h"

namespace waybill::server {
namespace {

// Keeps what it is given; may refuse it, or have it stopped after the first piece.
class Kept final : public client::ByteTaker {
 public:
  Status begin() override {
    ++begun;
    bytes.clear();
    return {};
  }
  Status take(std::string_view piece) override {
    if (refuses) {
      return Error{ErrorKind::internal, "the disk is full", {}};
    }
    ++pieces;
    bytes += piece;
    if (stops_after_piece) {
      stops_after_piece->request_stop();
    }
    return {};
  }

  std::string bytes;
  int begun = 0;
  int pieces = 0;
  bool refuses = false;
  std::optional<std::stop_source> stops_after_piece;
};

std::string some_bytes(std::size_t count) {
  std::string bytes(count, '\0');
  for (std::size_t i = 0; i < count; ++i) {
    bytes[i] = static_cast<char>(i * 31 + i / 257);
  }
  return bytes;
}

class OwnObjectsTest : public bucket::BucketTest {
 protected:
  Result<client::ObjectInfo> read(const std::string& key, const client::GetOptions& options = {},
                                  const std::stop_token& stop = {}) {
    return OwnObjects(*buckets_).read({"photos", key}, kept_, options, stop);
  }

  void put_as(const std::string& key, const std::string& bytes, const std::string& content_type) {
    bucket::Description description;
    description.headers["content-type"] = content_type;
    ASSERT_TRUE(buckets_->put_object({"photos", key, description, {}}, content(bytes)));
  }

  // Changes a byte of the only content there is.
  void damage(uint64_t offset) const {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(objects_folder() + "/contents")) {
      if (entry.is_regular_file()) {
        std::filesystem::permissions(entry.path(), std::filesystem::perms::owner_all);
        std::fstream file(entry.path(), std::ios::in | std::ios::out | std::ios::binary);
        file.seekp(static_cast<std::streamoff>(offset));
        file.put('!');
      }
    }
  }

  Kept kept_;
};

TEST_F(OwnObjectsTest, GivesAllBytesInOrderAndSaysWhatTheyAre) {
  const auto bytes = some_bytes(1'000'003);
  put_as("a/text", bytes, "text/plain");
  const auto info = read("a/text");
  ASSERT_TRUE(info) << info.error().message;
  EXPECT_EQ(kept_.bytes, bytes);
  EXPECT_EQ(kept_.begun, 1);
  EXPECT_GT(kept_.pieces, 1);
  EXPECT_EQ(info->bytes, 1'000'003);
  EXPECT_EQ(info->content_type, "text/plain");
  const auto row = buckets_->find_object("photos", "a/text");
  EXPECT_EQ(info->etag, (*row)->etag);
}

TEST_F(OwnObjectsTest, GivesNothingOfAnEmptyObject) {
  ASSERT_TRUE(put("empty", ""));
  const auto info = read("empty");
  ASSERT_TRUE(info) << info.error().message;
  EXPECT_EQ(info->bytes, 0);
  EXPECT_EQ(kept_.pieces, 0);
}

TEST_F(OwnObjectsTest, WhatIsNotThereIsNamed) {
  const auto object = read("none");
  ASSERT_FALSE(object);
  EXPECT_EQ(object.error().kind, ErrorKind::not_found);
  EXPECT_EQ(object.error().message, "s3://photos/none: NoSuchKey: The specified key does not exist.");
  const auto bucket = OwnObjects(*buckets_).read({"elsewhere", "none"}, kept_, {}, {});
  ASSERT_FALSE(bucket);
  EXPECT_EQ(bucket.error().kind, ErrorKind::not_found);
  EXPECT_NE(bucket.error().message.find("NoSuchBucket"), std::string::npos);
}

TEST_F(OwnObjectsTest, NothingIsReadOfOneThatIsTooLarge) {
  ASSERT_TRUE(put("large", some_bytes(1001)));
  const auto info = read("large", {.bytes_max = 1000});
  ASSERT_FALSE(info);
  EXPECT_EQ(info.error().kind, ErrorKind::too_large);
  EXPECT_EQ(kept_.pieces, 0);
  EXPECT_TRUE(read("large", {.bytes_max = 1001}));
}

TEST_F(OwnObjectsTest, WrongBytesAreNeverGiven) {
  const auto bytes = some_bytes(1'000'000);
  ASSERT_TRUE(put("damaged", bytes));
  damage(900'000);
  const auto info = read("damaged");
  ASSERT_FALSE(info);
  EXPECT_EQ(info.error().kind, ErrorKind::unavailable);
  EXPECT_LT(kept_.bytes.size(), 900'000U);
  EXPECT_TRUE(bytes.starts_with(kept_.bytes));
}

TEST_F(OwnObjectsTest, EndsWhereItIsStopped) {
  ASSERT_TRUE(put("long", some_bytes(1'000'000)));
  kept_.stops_after_piece.emplace();
  const auto info = read("long", {}, kept_.stops_after_piece->get_token());
  ASSERT_FALSE(info);
  EXPECT_EQ(info.error().kind, ErrorKind::unavailable);
  EXPECT_EQ(kept_.pieces, 1);
}

TEST_F(OwnObjectsTest, EndsWithTheTakersError) {
  ASSERT_TRUE(put("long", some_bytes(1000)));
  kept_.refuses = true;
  const auto info = read("long");
  ASSERT_FALSE(info);
  EXPECT_EQ(info.error().message, "the disk is full");
}

}  // namespace
}  // namespace waybill::server
