// The file system that RocksDB is given where a store is encrypted.
#include <gtest/gtest.h>
#include <rocksdb/env.h>

#include <filesystem>
#include <fstream>
#include <random>

#include "engine/encryption/encrypted_file_system.h"
#include "engine/encryption/file_rewriter.h"

namespace waybill::engine::encryption {
namespace {

namespace fs = std::filesystem;
using rocksdb::FileOptions;
using rocksdb::IOOptions;
using rocksdb::Slice;

KeyRingPtr ring_of(const std::string& digits) {
  std::string text;
  for (const char digit : digits) {
    text += std::string(64, digit) + "\n";
  }
  return std::make_shared<const KeyRing>(*KeyRing::parse(text));
}

class EncryptedFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "waybill-encryption-XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    directory_ = pattern;
    path_ = directory_ + "/000001.sst";
  }
  void TearDown() override { fs::remove_all(directory_); }

  std::shared_ptr<EncryptedFileSystem> system(
      const std::string& keys = "a",
      EncryptedFileSystem::PlainFiles plain = EncryptedFileSystem::PlainFiles::refused) {
    return std::make_shared<EncryptedFileSystem>(rocksdb::FileSystem::Default(), ring_of(keys), entropy_,
                                                 plain);
  }

  void write(EncryptedFileSystem& files, const std::string& text) {
    ASSERT_TRUE(rocksdb::WriteStringToFile(&files, text, path_, true).ok());
  }

  std::string read(EncryptedFileSystem& files) {
    std::string text;
    const auto status = rocksdb::ReadFileToString(&files, path_, &text);
    return status.ok() ? text : status.ToString();
  }

  uint64_t size(EncryptedFileSystem& files) {
    uint64_t bytes = 0;
    EXPECT_TRUE(files.GetFileSize(path_, IOOptions(), &bytes, nullptr).ok());
    return bytes;
  }

  std::string raw() const {
    std::ifstream file(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  SystemEntropy entropy_;
  std::string directory_;
  std::string path_;
};

TEST_F(EncryptedFiles, RandomAppendsComeBackByAnyWayOfReading) {
  const auto files = system();
  std::mt19937_64 random(11);
  std::unique_ptr<rocksdb::FSWritableFile> out;
  ASSERT_TRUE(files->NewWritableFile(path_, FileOptions(), &out, nullptr).ok());
  std::string written;
  for (int i = 0; i < 200; ++i) {
    std::string part(random() % (i % 50 == 0 ? 3'000'000 : 5000), '\0');
    for (char& byte : part) {
      byte = static_cast<char>(random());
    }
    ASSERT_TRUE(out->Append(part, IOOptions(), nullptr).ok());
    written += part;
    ASSERT_EQ(out->GetFileSize(IOOptions(), nullptr), written.size());
  }
  ASSERT_TRUE(out->Close(IOOptions(), nullptr).ok());
  EXPECT_EQ(size(*files), written.size());
  EXPECT_EQ(raw().size(), written.size() + header_bytes);
  EXPECT_TRUE(read(*files) == written);

  std::unique_ptr<rocksdb::FSRandomAccessFile> in;
  ASSERT_TRUE(files->NewRandomAccessFile(path_, FileOptions(), &in, nullptr).ok());
  std::string scratch(10'000, '\0');
  for (int i = 0; i < 1000; ++i) {
    const uint64_t offset = random() % written.size();
    const std::size_t count = random() % scratch.size();
    Slice found;
    ASSERT_TRUE(in->Read(offset, count, IOOptions(), &found, scratch.data(), nullptr).ok());
    ASSERT_TRUE(found.ToString() == written.substr(offset, count)) << offset;
  }
  std::array<rocksdb::FSReadRequest, 2> requests;
  requests[0] = {17, 1001, scratch.data(), {}, {}};
  requests[1] = {4099, 3, scratch.data() + 1001, {}, {}};
  ASSERT_TRUE(in->MultiRead(requests.data(), requests.size(), IOOptions(), nullptr).ok());
  EXPECT_TRUE(requests[0].result.ToString() == written.substr(17, 1001));
  EXPECT_TRUE(requests[1].result.ToString() == written.substr(4099, 3));
  EXPECT_EQ(requests[1].offset, 4099);

  std::unique_ptr<rocksdb::FSSequentialFile> walk;
  ASSERT_TRUE(files->NewSequentialFile(path_, FileOptions(), &walk, nullptr).ok());
  ASSERT_TRUE(walk->Skip(12'345).ok());
  Slice found;
  ASSERT_TRUE(walk->Read(77, IOOptions(), &found, scratch.data(), nullptr).ok());
  EXPECT_TRUE(found.ToString() == written.substr(12'345, 77));
}

TEST_F(EncryptedFiles, NothingReadableIsOnDisk) {
  const auto files = system();
  write(*files, "a secret that nobody may find");
  EXPECT_EQ(raw().find("secret"), std::string::npos);
  std::shared_ptr<rocksdb::Logger> logger;
  ASSERT_TRUE(files->NewLogger(path_, IOOptions(), &logger, nullptr).ok());
  logger->SetInfoLogLevel(rocksdb::InfoLogLevel::WARN_LEVEL);
  rocksdb::Warn(logger, "a secret in a log");
  logger->Flush();
  ASSERT_TRUE(logger->Close().ok());
  EXPECT_EQ(raw().find("secret"), std::string::npos);
  EXPECT_NE(read(*files).find("a secret in a log"), std::string::npos);
}

TEST_F(EncryptedFiles, AFileCutAndGoneOnWithIsWhole) {
  const auto files = system();
  write(*files, "0123456789");
  std::unique_ptr<rocksdb::FSWritableFile> out;
  ASSERT_TRUE(files->ReopenWritableFile(path_, FileOptions(), &out, nullptr).ok());
  ASSERT_TRUE(out->Append("abc", IOOptions(), nullptr).ok());
  ASSERT_TRUE(out->Close(IOOptions(), nullptr).ok());
  EXPECT_EQ(read(*files), "0123456789abc");
  ASSERT_TRUE(files->ReopenWritableFile(path_, FileOptions(), &out, nullptr).ok());
  ASSERT_TRUE(out->Truncate(4, IOOptions(), nullptr).ok());
  ASSERT_TRUE(out->Close(IOOptions(), nullptr).ok());
  EXPECT_EQ(read(*files), "0123");
}

TEST_F(EncryptedFiles, AHeaderThatACrashCutIsAnEmptyFile) {
  const auto files = system();
  write(*files, "text");
  for (const uintmax_t left : {8191, 4097, 100, 15, 1, 0}) {
    fs::resize_file(path_, left);
    EXPECT_EQ(size(*files), 0) << left;
    EXPECT_EQ(read(*files), "") << left;
  }
  std::unique_ptr<rocksdb::FSWritableFile> out;
  ASSERT_TRUE(files->ReopenWritableFile(path_, FileOptions(), &out, nullptr).ok());
  ASSERT_TRUE(out->Append("new", IOOptions(), nullptr).ok());
  ASSERT_TRUE(out->Close(IOOptions(), nullptr).ok());
  EXPECT_EQ(read(*files), "new");
}

TEST_F(EncryptedFiles, WrongKeysDamageAndPlainFilesAreErrors) {
  write(*system(), "text");
  EXPECT_NE(read(*system("b")).find("which is not among the given keys"), std::string::npos);
  {
    std::fstream file(path_, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(60);
    file.put('\0').put('\1');
  }
  EXPECT_NE(read(*system()).find("its encryption header is damaged"), std::string::npos);
  std::ofstream(path_) << "a plain file";
  EXPECT_NE(read(*system()).find("it is not encrypted, but this store is"), std::string::npos);
  EXPECT_EQ(read(*system("a", EncryptedFileSystem::PlainFiles::accepted)), "a plain file");
}

TEST_F(EncryptedFiles, FilesChangeTheirKeyWhileTheyAreReadAndWritten) {
  const auto files = system("a");
  std::unique_ptr<rocksdb::FSWritableFile> out;
  ASSERT_TRUE(files->NewWritableFile(path_, FileOptions(), &out, nullptr).ok());
  ASSERT_TRUE(out->Append("before, ", IOOptions(), nullptr).ok());
  std::unique_ptr<rocksdb::FSRandomAccessFile> in;
  ASSERT_TRUE(files->NewRandomAccessFile(path_, FileOptions(), &in, nullptr).ok());

  files->use(ring_of("ba"));
  ASSERT_TRUE(rewrap_file(path_, *ring_of("ba"), entropy_));
  ASSERT_TRUE(out->Append("after", IOOptions(), nullptr).ok());
  ASSERT_TRUE(out->Close(IOOptions(), nullptr).ok());
  std::string scratch(100, '\0');
  Slice found;
  ASSERT_TRUE(in->Read(0, 100, IOOptions(), &found, scratch.data(), nullptr).ok());
  EXPECT_EQ(found.ToString(), "before, after");
  EXPECT_EQ(read(*system("b")), "before, after");
  EXPECT_NE(read(*system("a")).find("not among"), std::string::npos);
}

TEST_F(EncryptedFiles, APlainFileIsReplacedByItsEncryptedCopy) {
  std::string text;
  for (int i = 0; i < 400'000; ++i) {
    text += "plain " + std::to_string(i);
  }
  std::ofstream(path_) << text;
  const auto files = system("a", EncryptedFileSystem::PlainFiles::accepted);
  std::unique_ptr<rocksdb::FSRandomAccessFile> in;
  ASSERT_TRUE(files->NewRandomAccessFile(path_, FileOptions(), &in, nullptr).ok());

  int pauses = 0;
  const auto give_up = [&] { return ++pauses < 2; };
  ASSERT_TRUE(seal_file(path_, *ring_of("a"), entropy_, files->names_mutex(), give_up));
  EXPECT_EQ(raw().size(), text.size());  // given up: nothing has changed, and nothing is left
  EXPECT_FALSE(fs::exists(path_ + std::string(copy_suffix)));

  ASSERT_TRUE(seal_file(path_, *ring_of("a"), entropy_, files->names_mutex(), [] { return true; }));
  EXPECT_EQ(raw().find("plain 5"), std::string::npos);
  EXPECT_TRUE(read(*system("a")) == text);
  EXPECT_EQ(size(*files), text.size());
  std::string scratch(100, '\0');
  Slice found;
  ASSERT_TRUE(in->Read(0, 7, IOOptions(), &found, scratch.data(), nullptr).ok());
  EXPECT_EQ(found.ToString(), "plain 0");  // whoever had it open reads on

  // One that RocksDB deletes meanwhile does not come back.
  std::ofstream(path_) << text;
  const auto delete_it = [&] { return files->DeleteFile(path_, IOOptions(), nullptr).ok() || true; };
  ASSERT_TRUE(seal_file(path_, *ring_of("a"), entropy_, files->names_mutex(), delete_it));
  EXPECT_TRUE(fs::is_empty(directory_));
}

}  // namespace
}  // namespace waybill::engine::encryption
