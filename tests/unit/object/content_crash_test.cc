// A process that uploads and joins is killed at random moments. After a new start nothing half-made can be
// seen, all that it had reported as committed is there byte for byte, and a sweep leaves exactly that.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <map>

#include "object/scratch.h"

namespace waybill::object {
namespace {

constexpr int rounds = 40;

// What the child reports when a commit has returned: the content's bytes follow from the seed.
struct Report {
  std::array<char, 26> id;
  uint64_t seed;
};

std::string content_of(uint64_t seed) {
  return random_bytes(seed, seed % 5 == 0 ? seed % 400'000 : seed % 3000);
}

class ContentCrashTest : public StoreTest {
 protected:
  // Never returns: uploads until it is killed.
  [[noreturn]] void upload_for_ever(int pipe, uint64_t seed) {
    auto store = open();
    for (;; ++seed) {
      const std::string bytes = content_of(seed);
      auto first = store.begin({no_limit, {}});
      auto second = store.begin({no_limit, {}});
      const auto cut = bytes.size() / 2;
      if (!first->append(std::string_view(bytes).substr(0, cut)) ||
          !second->append(std::string_view(bytes).substr(cut))) {
        ::_exit(1);
      }
      const std::vector<ContentId> parts{first->commit()->id, second->commit()->id};
      const auto joined = store.join(parts);
      Report report{{}, seed};
      std::copy_n(joined->id.text().data(), report.id.size(), report.id.data());
      if (::write(pipe, &report, sizeof(report)) != sizeof(report)) {
        ::_exit(1);
      }
    }
  }

  // Starts a child, kills it after so long, and takes down what it reported.
  void run_and_kill(uint64_t seed, useconds_t after_us) {
    int pipe[2];
    ASSERT_EQ(::pipe(pipe), 0);
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      ::close(pipe[0]);
      upload_for_ever(pipe[1], seed);
    }
    ::close(pipe[1]);
    ::usleep(after_us);
    ::kill(child, SIGKILL);
    Report report{};
    while (::read(pipe[0], &report, sizeof(report)) == sizeof(report)) {
      committed_.emplace(std::string(report.id.data(), report.id.size()), report.seed);
    }
    ::close(pipe[0]);
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status)) << "the child ended by itself";
  }

  void check() {
    auto store = open();
    ASSERT_TRUE(files_in("incoming").empty());
    for (const auto& path : files_in("contents")) {
      const auto id = ContentId::parse(std::filesystem::path(path).filename().string());
      ASSERT_TRUE(id);
      const auto reader = store.read(*id);
      ASSERT_TRUE(reader) << reader.error().detail;
      ASSERT_TRUE(reader->verify());
    }
    const auto report = store.sweep(
        [&](const ContentId& id) { return Result<bool>(committed_.contains(id.text())); }, INT64_MAX);
    ASSERT_TRUE(report);
    ASSERT_EQ(report->seen - report->removed, committed_.size());
    ASSERT_EQ(report->foreign, 0U);
    ASSERT_EQ(files_in("contents").size(), committed_.size());
    for (const auto& [id, seed] : committed_) {
      ASSERT_EQ(get(store, *ContentId::parse(id)), content_of(seed));
    }
  }

  std::map<std::string, uint64_t> committed_;
};

TEST_F(ContentCrashTest, KilledAtRandomMoments) {
  const uint64_t seed = entropy_.next() % 1'000'000;
  std::printf("seed %llu\n", static_cast<unsigned long long>(seed));
  std::mt19937_64 random(seed);
  for (int round = 0; round < rounds; ++round) {
    clock_.advance_ms(1000);  // a new process does not know the ids of the one before
    run_and_kill(random() % 1'000'000'000, static_cast<useconds_t>(random() % 30'000));
    if (HasFatalFailure()) {
      return;
    }
    check();
    if (HasFatalFailure()) {
      return;
    }
  }
  std::printf("%zu contents committed by %d processes\n", committed_.size(), rounds);
  EXPECT_GT(committed_.size(), 0U);
}

}  // namespace
}  // namespace waybill::object
