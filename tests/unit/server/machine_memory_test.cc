#include "server/machine_memory.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace waybill::server {
namespace {

constexpr uint64_t gibibyte = 1ULL << 30;

class MachineMemoryTest : public testing::Test {
 protected:
  void SetUp() override {
    root_ = testing::TempDir() + "machine-memory-" + std::to_string(::getpid());
    std::filesystem::create_directories(root_ + "/proc");
    std::filesystem::create_directories(root_ + "/sys/fs/cgroup/memory");
    write("/proc/meminfo", "HugePages_Total:   0\nMemTotal:       16777216 kB\nMemFree:        1 kB\n");
  }
  void TearDown() override { std::filesystem::remove_all(root_); }

  void write(const std::string& path, const std::string& text) const { std::ofstream(root_ + path) << text; }

  std::string root_;
};

TEST_F(MachineMemoryTest, IsTheMachinesWhereNothingLimitsIt) {
  EXPECT_EQ(machine_memory_bytes(root_), 16 * gibibyte);
  write("/sys/fs/cgroup/memory.max", "max\n");
  EXPECT_EQ(machine_memory_bytes(root_), 16 * gibibyte);
}

TEST_F(MachineMemoryTest, IsTheControlGroupsWhereThatIsLess) {
  write("/sys/fs/cgroup/memory.max", "2147483648\n");
  EXPECT_EQ(machine_memory_bytes(root_), 2 * gibibyte);
}

TEST_F(MachineMemoryTest, TheOlderControlGroupsCountToo) {
  write("/sys/fs/cgroup/memory/memory.limit_in_bytes", "1073741824\n");
  EXPECT_EQ(machine_memory_bytes(root_), 1 * gibibyte);
  write("/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  EXPECT_EQ(machine_memory_bytes(root_), 16 * gibibyte);
}

TEST_F(MachineMemoryTest, TheStoreTakesThreeFifthsAndSomethingAtLeast) {
  EXPECT_EQ(default_store_memory_mb(16 * gibibyte), 9830U);
  EXPECT_EQ(default_store_memory_mb(1 * gibibyte), 614U);
  EXPECT_EQ(default_store_memory_mb(400 * (gibibyte / 1024)), 256U);
  EXPECT_EQ(default_store_memory_mb(0), 256U);
}

}  // namespace
}  // namespace waybill::server
