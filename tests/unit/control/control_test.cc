#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <vector>

#include "control/client.h"
#include "control/server.h"

namespace waybill::control {
namespace {

class ControlTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "waybill-control-XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    directory_ = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }

  void listen(Handlers handlers) {
    auto made = Server::listen(socket_path(directory_), std::move(handlers));
    ASSERT_TRUE(made) << made.error().message;
    server_ = *std::move(made);
  }

  Result<std::string> call(const std::string& request) {
    return control::call(directory_, request, [&](const Step& step) { steps_.push_back(step); });
  }

  std::string directory_;
  std::unique_ptr<Server> server_;
  std::vector<Step> steps_;
};

Result<std::string> count_to(const json::Value& request, Progress& progress) {
  const auto last = static_cast<uint64_t>(request.find("to")->integer().value());
  for (uint64_t i = 1; i <= last; ++i) {
    if (!progress.report({"counting \"it\"", i, last})) {
      return Error{ErrorKind::unavailable, "nobody listens", {}};
    }
  }
  return std::string(R"({"counted":)" + std::to_string(last) + "}");
}

TEST_F(ControlTest, ACommandTellsHowFarItIsAndThenItsResult) {
  listen({{"count", count_to}});
  const auto result = call(R"({"command":"count","to":3})");
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(*result, R"({"counted":3})");
  ASSERT_EQ(steps_.size(), 3U);
  EXPECT_EQ(steps_[1].what, "counting \"it\"");
  EXPECT_EQ(steps_[1].done, 2U);
  EXPECT_EQ(steps_[1].total, 3U);
}

TEST_F(ControlTest, WhatGoesWrongIsSaid) {
  EXPECT_EQ(call("{}").error().kind, ErrorKind::unavailable);
  listen({{"fail",
           [](const json::Value&, Progress&) -> Result<std::string> { return invalid("no \"room\""); }}});
  EXPECT_EQ(call(R"({"command":"fail"})").error().message, "no \"room\"");
  EXPECT_EQ(call(R"({"command":"other"})").error().message, "this server knows no command other");
  EXPECT_EQ(call("nonsense").error().message, "a request is one line of JSON with a command");
}

TEST_F(ControlTest, TheSocketIsForItsOwnerAloneAndGoesWithTheServer) {
  directory_ += "/" + std::string(120, 'd');  // longer than a socket's address
  std::filesystem::create_directories(directory_);
  for (int round = 0; round < 2; ++round) {
    listen({{"count", count_to}});
    struct stat status{};
    ASSERT_EQ(::stat(socket_path(directory_).c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777, 0600U);
    EXPECT_TRUE(call(R"({"command":"count","to":0})"));
    server_.reset();
    EXPECT_FALSE(std::filesystem::exists(socket_path(directory_)));
  }
  directory_ = std::filesystem::path(directory_).parent_path();
}

TEST_F(ControlTest, ACommandThatIsUnderWayEndsWithTheServer) {
  std::atomic<bool> begun{false};
  listen({{"wait", [&](const json::Value&, Progress& progress) -> Result<std::string> {
             begun = true;
             while (progress.report({"waiting", 0, 0})) {
               std::this_thread::sleep_for(std::chrono::milliseconds(1));
             }
             return Error{ErrorKind::unavailable, "cut off", {}};
           }}});
  std::thread caller(
      [&] { EXPECT_FALSE(control::call(directory_, R"({"command":"wait"})", [](const Step&) {})); });
  while (!begun) {
    std::this_thread::yield();
  }
  server_.reset();
  caller.join();
}

}  // namespace
}  // namespace waybill::control
