// The parent's side: children that misbehave in every way, many callers, and the end.
#include "media/studio.h"

#include <dirent.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <future>
#include <thread>

#include "media/fixture.h"

namespace waybill::media {
namespace {

using StudioTest = MediaTest;

// Pids of this process's children.
std::vector<pid_t> child_pids() {
  std::vector<pid_t> found;
  const std::string self = std::to_string(::getpid());
  for (const auto& thread : std::filesystem::directory_iterator("/proc/" + self + "/task")) {
    std::ifstream file(thread.path() / "children");
    for (pid_t pid = 0; file >> pid;) {
      found.push_back(pid);
    }
  }
  return found;
}

TEST_F(StudioTest, a_child_that_hangs_is_killed_and_cleaned_up_after) {
  misbehave("hang");
  options_.limits.wall_ms_max = 200;
  const auto error = convert_error("x");
  EXPECT_EQ(error.kind, ErrorKind::limit_exceeded);
  EXPECT_EQ(error.message, "the image could not be processed: it takes more than 200 ms");
}

TEST_F(StudioTest, a_crash_is_the_tasks_and_nobody_elses) {
  misbehave("crash");
  for (int i = 0; i < 3; ++i) {
    const auto error = convert_error("x");
    EXPECT_EQ(error.kind, ErrorKind::internal);
    EXPECT_EQ(error.message, "the image could not be processed: its decoder crashed");
  }
}

TEST_F(StudioTest, an_image_without_its_thumbnail_is_taken_back) {
  misbehave("between");
  const auto task = convert_task("x");
  write("image.webp", "in its place");
  EXPECT_FALSE(studio().convert(task));
  EXPECT_EQ(files(), 1);
}

TEST_F(StudioTest, an_image_of_earlier_stays_where_the_new_one_was_not_finished) {
  misbehave("crash");
  const auto task = convert_task("x");
  write("image.webp", "of earlier");
  EXPECT_FALSE(studio().convert(task));
  EXPECT_EQ(content("image.webp"), "of earlier");
  EXPECT_EQ(files(), 2);
}

TEST_F(StudioTest, processor_time_that_ran_out_is_told) {
  misbehave("burn");
  const auto error = convert_error("x");
  EXPECT_EQ(error.kind, ErrorKind::limit_exceeded);
  EXPECT_EQ(error.message, "the image could not be processed: it takes more than 30 s of processor time");
}

TEST_F(StudioTest, answers_that_make_no_sense_are_internal) {
  misbehave("flood");
  EXPECT_EQ(convert_error("x").kind, ErrorKind::internal);
  studio_.reset();
  misbehave("babble");
  EXPECT_FALSE(studio().convert(convert_task("x")));
}

TEST_F(StudioTest, children_that_cannot_start_are_told_and_tried_again) {
  options_.child = {"/no/such/program"};
  for (int i = 0; i < 2; ++i) {
    const auto error = convert_error("x");
    EXPECT_EQ(error.kind, ErrorKind::unavailable);
    EXPECT_EQ(error.message, "cannot start /no/such/program for images: No such file or directory");
  }
  studio_.reset();
  misbehave("not-ready");
  EXPECT_EQ(convert_error("x").kind, ErrorKind::unavailable);
  studio_.reset();
  misbehave("silent");
  options_.start_ms_max = 200;
  EXPECT_EQ(convert_error("x").kind, ErrorKind::unavailable);
}

TEST_F(StudioTest, children_stay_warm) {
  const auto input = write("in", file_of(photo(64, 64), ".jpg"));
  EXPECT_EQ(studio().load().children, 0U) << "none before there is work";
  ASSERT_TRUE(studio().analyse({input}));
  const auto before = child_pids();
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE(studio().analyse({input}));
  }
  EXPECT_EQ(child_pids(), before);
  EXPECT_EQ(before.size(), 1U);
}

TEST_F(StudioTest, a_child_outlives_the_thread_that_asked_for_it) {
  const auto input = write("in", file_of(photo(64, 64), ".jpg"));
  std::thread([&] { ASSERT_TRUE(studio().analyse({input})); }).join();
  const auto before = child_pids();
  ASSERT_TRUE(studio().analyse({input}));
  EXPECT_EQ(child_pids(), before);
}

TEST_F(StudioTest, a_child_that_dies_while_it_is_idle_is_replaced_unseen) {
  const auto input = write("in", file_of(photo(64, 64), ".jpg"));
  ASSERT_TRUE(studio().analyse({input}));
  const auto pids = child_pids();
  ASSERT_EQ(pids.size(), 1U);
  ::kill(pids.front(), SIGKILL);
  siginfo_t ended{};
  ::waitid(P_PID, static_cast<id_t>(pids.front()), &ended, WEXITED | WNOWAIT);
  const auto analysis = studio().analyse({input});
  EXPECT_TRUE(analysis) << analysis.error().message;
}

TEST_F(StudioTest, children_are_replaced_after_many_tasks) {
  options_.tasks_of_a_child_max = 2;
  const auto input = write("in", file_of(photo(64, 64), ".jpg"));
  ASSERT_TRUE(studio().analyse({input}));
  const auto first = child_pids();
  ASSERT_TRUE(studio().analyse({input}));
  ASSERT_TRUE(studio().analyse({input}));
  EXPECT_NE(child_pids(), first);
  EXPECT_EQ(child_pids().size(), 1U);
}

TEST_F(StudioTest, many_callers_share_few_children) {
  options_.children_max = 2;
  const auto good = write("good", file_of(photo(320, 200), ".jpg"));
  const auto bad = write("bad", "no image");
  Studio& shared = studio();
  std::atomic<int> right = 0;
  std::vector<std::thread> callers;
  for (int caller = 0; caller < 8; ++caller) {
    callers.emplace_back([&, caller] {
      for (int i = 0; i < 10; ++i) {
        const auto suffix = std::to_string(caller);
        const auto converted = shared.convert({good, path("image" + suffix), path("thumbnail" + suffix)});
        const auto refused = shared.analyse({bad});
        right += converted && !refused && refused.error().kind == ErrorKind::unsupported ? 1 : 0;
      }
    });
  }
  for (auto& caller : callers) {
    caller.join();
  }
  EXPECT_EQ(right, 80);
  EXPECT_EQ(studio().load().children, 2U);
  EXPECT_EQ(files(), 2 + 16);
}

TEST_F(StudioTest, callers_that_wait_and_work_are_let_go_at_the_end) {
  misbehave("hang");
  const auto task = convert_task("x");
  Studio& shared = studio();
  std::vector<std::future<Result<Converted>>> callers;
  for (int i = 0; i < 3; ++i) {
    callers.push_back(std::async(std::launch::async, [&] { return shared.convert(task); }));
  }
  // One of them has the child when it begins to write.
  while (files() == 1 || shared.load().waiting < 2) {
    std::this_thread::yield();
  }
  studio_.reset();
  for (auto& caller : callers) {
    const auto converted = caller.get();
    ASSERT_FALSE(converted);
    EXPECT_EQ(converted.error().kind, ErrorKind::unavailable);
  }
  EXPECT_TRUE(child_pids().empty());
  EXPECT_EQ(files(), 1);
}

TEST_F(StudioTest, its_end_ends_all_children) {
  ASSERT_TRUE(studio().analyse({write("in", file_of(photo(64, 64), ".jpg"))}));
  EXPECT_EQ(child_pids().size(), 1U);
  studio_.reset();
  EXPECT_TRUE(child_pids().empty());
}

}  // namespace
}  // namespace waybill::media
