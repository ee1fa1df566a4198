#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/entropy.h"
#include "object/content_store.h"

namespace waybill::object {

inline std::string random_bytes(uint64_t seed, std::size_t count) {
  std::mt19937_64 random(seed);
  std::string bytes(count, '\0');
  for (std::size_t i = 0; i < count; i += 8) {
    const uint64_t word = random();
    std::copy_n(reinterpret_cast<const char*>(&word), std::min<std::size_t>(8, count - i), bytes.data() + i);
  }
  return bytes;
}

// A test with a folder of its own for a store.
class StoreTest : public ::testing::Test {
 protected:
  static constexpr uint64_t no_limit = uint64_t{1} << 40;

  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "waybill-object-XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    scratch_ = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(scratch_); }

  std::string folder() const { return scratch_ + "/objects"; }

  Result<ContentStore> try_open(Disk* disk = nullptr) {
    return ContentStore::open({folder(), &clock_, &entropy_, disk});
  }

  ContentStore open(Disk* disk = nullptr) {
    auto store = try_open(disk);
    EXPECT_TRUE(store) << store.error().message;
    return *std::move(store);
  }

  static ContentId put(ContentStore& store, std::string_view bytes) {
    auto writer = store.begin({no_limit, {}});
    EXPECT_TRUE(writer && writer->append(bytes));
    auto stored = writer->commit();
    EXPECT_TRUE(stored) << stored.error().detail;
    return stored->id;
  }

  static std::string get(const ContentStore& store, const ContentId& id) {
    const auto reader = store.read(id);
    EXPECT_TRUE(reader) << reader.error().detail;
    std::string bytes(reader->bytes(), '\0');
    const auto got = reader->read(0, bytes);
    EXPECT_TRUE(got) << got.error().detail;
    EXPECT_EQ(*got, bytes.size());
    return bytes;
  }

  std::string path_of(const ContentId& id) const {
    return folder() + "/contents/" + id.folder() + "/" + id.text();
  }

  // Paths of all regular files under a folder of the store.
  std::vector<std::string> files_in(const std::string& name) const {
    std::vector<std::string> paths;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder() + "/" + name)) {
      if (entry.is_regular_file()) {
        paths.push_back(entry.path().string());
      }
    }
    return paths;
  }

  static std::string file_text(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  static void overwrite(const std::string& path, std::string_view bytes) {
    std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
  }

  std::string scratch_;
  ManualClock clock_{1'700'000'000'000};
  SystemEntropy entropy_;
};

}  // namespace waybill::object
