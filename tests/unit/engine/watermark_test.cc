// The store never serves quietly after acknowledged commits have been lost (reliability: damaged logs).
#include "engine/watermark.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <iterator>

#include "engine/fixture.h"

namespace waybill::engine {
namespace {

class WatermarkTest : public EngineTest {
 protected:
  // Writes in a child process that then dies without any farewell, so that all is in the log alone.
  void write_and_die(int items) {
    store_.reset();
    const pid_t child = ::fork();
    if (child == 0) {
      open();
      (void)create(things());
      for (int i = 0; i < items; ++i) {
        put(R"({"id":{"S":")" + std::to_string(i) + R"("}})");
      }
      ::_exit(0);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    ASSERT_EQ(status, 0);
  }

  void damage_log() {
    std::filesystem::path largest;
    for (const auto& entry : std::filesystem::directory_iterator(directory_ + "/engine")) {
      if (entry.path().extension() == ".log" &&
          (largest.empty() || entry.file_size() > std::filesystem::file_size(largest))) {
        largest = entry.path();
      }
    }
    std::fstream file(largest, std::ios::in | std::ios::out | std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    const auto middle = static_cast<std::streamoff>(bytes.find_last_not_of('\0') / 2);
    file.clear();
    file.seekg(middle);
    const int byte = file.get();
    file.seekp(middle);
    file.put(static_cast<char>(byte ^ 1));
  }
};

TEST_F(WatermarkTest, AWholeLogOpens) {
  write_and_die(50);
  open();
  EXPECT_EQ(stats().items, 50);
}

TEST_F(WatermarkTest, ADamagedLogIsRefusedUntilTheLossIsAccepted) {
  write_and_die(50);
  damage_log();
  for (int attempt = 0; attempt < 2; ++attempt) {
    const auto refused = engine::open(options());
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().kind, ErrorKind::corruption);
    EXPECT_NE(refused.error().message.find("--accept-loss"), std::string::npos) << refused.error().message;
  }
  auto accepting = options();
  accepting.accept_loss = true;
  auto opened = engine::open(accepting);
  ASSERT_TRUE(opened) << opened.error().message;
  store_ = *std::move(opened);
  EXPECT_LT(stats().items, 50);
  put(R"({"id":{"S":"after"}})");
  reopen();
  EXPECT_EQ(get("after"), R"({"id":{"S":"after"}})");
}

TEST_F(WatermarkTest, ATornNoteLeavesTheOneBefore) {
  const std::string path = directory_ + "/mark";
  {
    auto mark = Watermark::open(path);
    ASSERT_TRUE(mark);
    EXPECT_EQ(mark->commit(), 0U);
    ASSERT_TRUE(mark->note(6));
    ASSERT_TRUE(mark->note(7));
    ASSERT_TRUE(mark->sync());
  }
  EXPECT_EQ(Watermark::open(path)->commit(), 7U);
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(512 + 8);
  file.put('x');
  file.close();
  EXPECT_EQ(Watermark::open(path)->commit(), 6U);
}

}  // namespace
}  // namespace waybill::engine
