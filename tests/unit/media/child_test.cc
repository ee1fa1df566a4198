// What a child takes from itself, seen from outside; and how its end is told.
#include <signal.h>
#include <sys/wait.h>

#include <fstream>
#include <sstream>

#include "media/fixture.h"
#include "media/vips.h"

namespace waybill::media {
namespace {

using ChildTest = MediaTest;

std::string proc(pid_t pid, const std::string& file) {
  std::ifstream in("/proc/" + std::to_string(pid) + "/" + file);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

ChildProcess ready_child(const Limits& limits) {
  auto child = ChildProcess::start({WAYBILL_MEDIA_CHILD});
  EXPECT_TRUE(child);
  std::string answer;
  EXPECT_EQ(child->exchange(limits_line(limits), SystemClock(), 10'000, answer),
            ChildProcess::Outcome::answered);
  EXPECT_EQ(answer, R"({"result":{}})");
  return std::move(*child);
}

TEST_F(ChildTest, bounds_itself) {
  Limits limits;
  limits.memory_bytes_max = 800 << 20;
  limits.output_bytes_max = 12'345'678;
  const auto child = ready_child(limits);
  const auto status = proc(child.pid(), "status");
  EXPECT_NE(status.find("NoNewPrivs:\t1"), std::string::npos);
  EXPECT_NE(status.find("Seccomp:\t2"), std::string::npos);
  const auto set = proc(child.pid(), "limits");
  EXPECT_NE(set.find("12345678             12345678"), std::string::npos) << set;
#if !__has_feature(address_sanitizer)
  EXPECT_NE(set.find("838860800            838860800"), std::string::npos) << set;
  EXPECT_NE(set.find("Max core file size        0                    0"), std::string::npos) << set;
#endif
}

TEST_F(ChildTest, does_not_know_its_parents_secrets) {
  ::setenv("AWS_SECRET_ACCESS_KEY", "hidden", 1);
  const auto child = ready_child({});
  ::unsetenv("AWS_SECRET_ACCESS_KEY");
  EXPECT_EQ(proc(child.pid(), "environ").find("hidden"), std::string::npos);
}

TEST_F(ChildTest, answers_what_it_does_not_understand_and_ends_with_its_line) {
  auto child = ready_child({});
  std::string answer;
  for (const auto* line : {"", "{}", "no json", R"({"part":".p","analyse":{"input":"/no/such/file"}})"}) {
    ASSERT_EQ(child.exchange(line, SystemClock(), 10'000, answer), ChildProcess::Outcome::answered) << line;
    EXPECT_TRUE(answer.starts_with(R"({"error":{"kind":")")) << answer;
  }
  child.interrupt();
  siginfo_t ended{};
  ASSERT_EQ(::waitid(P_PID, static_cast<id_t>(child.pid()), &ended, WEXITED | WNOWAIT), 0);
  EXPECT_EQ(ended.si_code, CLD_EXITED);
  EXPECT_EQ(ended.si_status, 0);
}

TEST_F(ChildTest, without_memory_for_libvips_says_so) {
  auto child = ChildProcess::start({WAYBILL_MEDIA_CHILD});
  ASSERT_TRUE(child);
  std::string answer;
  EXPECT_EQ(child->exchange(R"({"limits":{}})", SystemClock(), 10'000, answer),
            ChildProcess::Outcome::answered);
  EXPECT_TRUE(answer.starts_with(R"({"error":{"kind":"invalid")")) << answer;
#if !__has_feature(address_sanitizer)
  Limits limits;
  limits.memory_bytes_max = 20 << 20;
  auto poor = ChildProcess::start({WAYBILL_MEDIA_CHILD});
  ASSERT_TRUE(poor);
  EXPECT_EQ(poor->exchange(limits_line(limits), SystemClock(), 10'000, answer),
            ChildProcess::Outcome::answered);
  EXPECT_TRUE(answer.starts_with(R"({"error":{"kind":"unavailable","message":"images cannot be processed: )"))
      << answer;
#endif
}

TEST_F(ChildTest, end_is_told_by_its_signal) {
  const auto by_signal = [](int signal) { return describe_end(signal, {}); };
  EXPECT_EQ(by_signal(SIGXCPU).kind, ErrorKind::limit_exceeded);
  EXPECT_EQ(by_signal(SIGXCPU).detail, "signal XCPU");
  EXPECT_EQ(by_signal(SIGABRT).kind, ErrorKind::limit_exceeded);
  EXPECT_EQ(by_signal(SIGTRAP).kind, ErrorKind::limit_exceeded);
  EXPECT_EQ(by_signal(SIGKILL).kind, ErrorKind::unavailable);
  EXPECT_EQ(by_signal(SIGSEGV).kind, ErrorKind::internal);
  EXPECT_EQ(describe_end(3 << 8, {}).detail, "exit status 3");
}

// Our own look at the first bytes comes before this; here libvips itself is asked, as a mistake of ours
// would. Runs in a process of its own, which has no use for other loaders afterwards.
TEST_F(ChildTest, other_loaders_cannot_be_reached) {
  const std::string svg = "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>";
  const std::string ppm = "P6 1 1 255\nabc";
  const std::string png = file_of(photo(9, 9), ".png");
  const auto opens = [](const std::string& bytes) {
    VipsImage* image = vips_image_new_from_buffer(bytes.data(), bytes.size(), "", nullptr);
    if (image != nullptr) {
      g_object_unref(image);
    }
    return image != nullptr;
  };
  ::testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_TRUE(opens(svg));
  EXPECT_TRUE(opens(ppm));
  EXPECT_EXIT(
      {
        const bool loaded = load_vips().has_value();
        ::_exit(loaded && opens(png) && !opens(svg) && !opens(ppm) ? 0 : 1);
      },
      ::testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace waybill::media
