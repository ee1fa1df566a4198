#include "engine/prepared_log.h"

#include <gtest/gtest.h>
#include <rocksdb/env.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "engine/fixture.h"

namespace waybill::engine {
namespace {

namespace fs = std::filesystem;

std::string content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// Cannot overwrite, as the encrypted file system.
class AppendOnlyFileSystem final : public rocksdb::FileSystemWrapper {
 public:
  AppendOnlyFileSystem() : FileSystemWrapper(rocksdb::FileSystem::Default()) {}
  const char* Name() const override { return "AppendOnlyFileSystem"; }
  rocksdb::IOStatus NewRandomRWFile(const std::string& /*path*/, const rocksdb::FileOptions& /*options*/,
                                    std::unique_ptr<rocksdb::FSRandomRWFile>* /*file*/,
                                    rocksdb::IODebugContext* /*context*/) override {
    return rocksdb::IOStatus::NotSupported();
  }
};

class PreparedLogTest : public EngineTest {
 protected:
  std::unique_ptr<rocksdb::FSWritableFile> make(const std::string& name,
                                                const std::shared_ptr<rocksdb::FileSystem>& base) {
    files_ = std::make_shared<PreparedLogFileSystem>(base);
    std::unique_ptr<rocksdb::FSWritableFile> file;
    const auto status = files_->NewWritableFile(directory_ + "/" + name, {}, &file, nullptr);
    EXPECT_TRUE(status.ok()) << status.ToString();
    return file;
  }
  std::unique_ptr<rocksdb::FSWritableFile> make(const std::string& name) {
    return make(name, rocksdb::FileSystem::Default());
  }
  std::string written(const std::string& name) const { return content(directory_ + "/" + name); }

  std::shared_ptr<rocksdb::FileSystem> files_;
};

TEST_F(PreparedLogTest, WritesOverZerosThatAreThereAlready) {
  const auto log = make("000001.log");
  ASSERT_TRUE(log->Append("one", {}, nullptr).ok());
  const auto size = written("000001.log").size();
  EXPECT_GT(size, 100'000U);
  ASSERT_TRUE(log->Append("two", {}, nullptr).ok());
  ASSERT_TRUE(log->Sync({}, nullptr).ok());
  const std::string bytes = written("000001.log");
  EXPECT_EQ(bytes.size(), size);
  EXPECT_EQ(bytes.substr(0, 6), "onetwo");
  EXPECT_EQ(bytes.find_first_not_of('\0', 6), std::string::npos);
  EXPECT_EQ(log->GetFileSize({}, nullptr), 6U);
}

TEST_F(PreparedLogTest, EndsWithItsLastByteOnceClosed) {
  const auto log = make("000001.log");
  const std::string long_record(3'000'000, 'r');
  ASSERT_TRUE(log->Append(long_record, {}, nullptr).ok());
  ASSERT_TRUE(log->Append("end", {}, nullptr).ok());
  ASSERT_TRUE(log->Close({}, nullptr).ok());
  EXPECT_EQ(written("000001.log"), long_record + "end");
}

TEST_F(PreparedLogTest, OtherFilesAreAsTheyWere) {
  const auto file = make("000001.sst");
  ASSERT_TRUE(file->Append("one", {}, nullptr).ok());
  ASSERT_TRUE(file->Close({}, nullptr).ok());
  EXPECT_EQ(written("000001.sst"), "one");
}

TEST_F(PreparedLogTest, WhereNothingCanBeOverwrittenTheLogGrows) {
  const auto log = make("000001.log", std::make_shared<AppendOnlyFileSystem>());
  ASSERT_TRUE(log->Append("one", {}, nullptr).ok());
  ASSERT_TRUE(log->Close({}, nullptr).ok());
  EXPECT_EQ(written("000001.log"), "one");
}

// As after a kill: a log that was not closed ends in zeros, and so do those of the starts before it.
TEST_F(PreparedLogTest, LogsThatEndInZerosComeBackWhole) {
  (void)create(things());
  std::vector<std::string> images{directory_};
  for (int kill = 0; kill < 4; ++kill) {
    put(R"({"id":{"S":")" + std::to_string(kill) + R"("},"owner":{"S":"o"},"at":{"N":"1"}})");
    images.push_back(directory_ + "-" + std::to_string(kill));
    // What the store writes by itself meanwhile may be missing from the copy: so must its note of it.
    const std::string noted = content(images[images.size() - 2] + "/acknowledged");
    fs::copy(images[images.size() - 2], images.back(), fs::copy_options::recursive);
    std::ofstream(images.back() + "/acknowledged", std::ios::binary) << noted;
    store_.reset();
    auto made = options();
    made.data_dir = images.back();
    auto opened = engine::open(made);
    ASSERT_TRUE(opened) << opened.error().message;
    store_ = *std::move(opened);
    for (int i = 0; i <= kill; ++i) {
      EXPECT_NE(get(std::to_string(i)), "none") << i;
    }
  }
  store_.reset();
  for (const auto& image : images) {
    fs::remove_all(image);
  }
}

}  // namespace
}  // namespace waybill::engine
