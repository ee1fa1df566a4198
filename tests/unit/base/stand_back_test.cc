#include "base/stand_back.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <thread>

namespace waybill {
namespace {

int nice_of_this_thread() {
  return ::getpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()));
}

TEST(StandBack, IsOfOneThreadAndNeverGoesForward) {
  const int before = nice_of_this_thread();
  std::thread([&] {
    stand_back(before + 3);
    EXPECT_EQ(nice_of_this_thread(), before + 3);
    stand_back(before + 1);
    EXPECT_EQ(nice_of_this_thread(), before + 3);
    stand_back(1000);
    EXPECT_EQ(nice_of_this_thread(), 19);
  }).join();
  EXPECT_EQ(nice_of_this_thread(), before);
}

}  // namespace
}  // namespace waybill
