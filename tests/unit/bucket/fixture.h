#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "bucket/buckets.h"
#include "engine/fixture.h"

namespace waybill::bucket {

// Buckets on a store of its own, both in a folder that goes with the test.
class BucketTest : public engine::EngineTest {
 protected:
  void SetUp() override {
    EngineTest::SetUp();
    open_buckets();
    ASSERT_TRUE(buckets_->create_bucket("photos"));
  }
  void TearDown() override {
    buckets_.reset();
    EngineTest::TearDown();
  }

  void open_buckets() {
    buckets_.reset();
    auto opened = Buckets::open(*store_, {objects_folder(), &clock_, &entropy_});
    ASSERT_TRUE(opened) << opened.error().message;
    buckets_ = *std::move(opened);
  }

  std::string objects_folder() const { return directory_ + "/objects"; }

  object::StoredContent content(std::string_view bytes) {
    auto writer = buckets_->begin_content({1 << 30, {}});
    EXPECT_TRUE(writer && writer->append(bytes));
    auto stored = writer->commit();
    EXPECT_TRUE(stored) << stored.error().message;
    return *std::move(stored);
  }

  Result<ObjectRow> put(std::string_view key, std::string_view bytes, object::Conditions conditions = {}) {
    return buckets_->put_object({"photos", std::string(key), {}, std::move(conditions)}, content(bytes));
  }

  // "-" where there is none.
  std::string get(std::string_view key) {
    const auto row = buckets_->find_object("photos", key);
    EXPECT_TRUE(row);
    if (!*row) {
      return "-";
    }
    const auto reader = buckets_->open_content(**row);
    EXPECT_TRUE(reader) << reader.error().message;
    std::string bytes(static_cast<std::size_t>((*row)->bytes), '\0');
    EXPECT_TRUE(reader->read(0, bytes));
    return bytes;
  }

  std::size_t contents_on_disk() const {
    std::size_t count = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(objects_folder() + "/contents")) {
      count += entry.is_regular_file() ? 1 : 0;
    }
    return count;
  }

  // After all that is freed is gone.
  std::size_t contents_left() {
    EXPECT_TRUE(buckets_->collect());
    return contents_on_disk();
  }

  template <typename Value>
  static std::string code_of(const Result<Value>& result) {
    return result ? "" : result.error().detail;
  }

  std::unique_ptr<Buckets> buckets_;
};

}  // namespace waybill::bucket
