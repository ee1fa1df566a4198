// Metrics name queues and tables: where keys are asked for, they are not for everybody.
#include "server/metrics_access.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace waybill::server {
namespace {

class MetricsAccessTest : public testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove(file_); }

  void write_token(const std::string& text, mode_t mode = 0600) {
    std::ofstream(file_) << text;
    ::chmod(file_.c_str(), mode);
    config_.metrics_token_file = file_;
  }
  bool allows(const std::string& authorization = "") {
    http::Request request;
    if (!authorization.empty()) {
      request.headers.push_back({"Authorization", authorization});
    }
    return MetricsAccess::from(config_)->allows(request);
  }

  const std::string file_ = testing::TempDir() + "metrics-token-" + std::to_string(::getpid());
  Config config_;
};

TEST_F(MetricsAccessTest, IsOpenWithoutKeys) {
  EXPECT_TRUE(allows());
}

TEST_F(MetricsAccessTest, IsClosedWithKeys) {
  config_.keys_file = "keys.json";
  EXPECT_FALSE(allows());
  EXPECT_FALSE(allows("Bearer "));
  EXPECT_EQ(MetricsAccess::from(config_)->refusal().status, 403);
  config_.metrics_open = true;
  EXPECT_TRUE(allows());
}

TEST_F(MetricsAccessTest, IsForThoseWhoHaveTheToken) {
  write_token("open-sesame\n");
  for (const bool with_keys : {false, true}) {
    config_.keys_file = with_keys ? "keys.json" : "";
    EXPECT_TRUE(allows("Bearer open-sesame"));
    EXPECT_TRUE(allows("bearer open-sesame"));
    for (const char* wrong : {"", "Bearer", "Bearer ", "Bearer open-sesam", "Bearer open-sesame2",
                              "Bearer Open-sesame", "Basic open-sesame", "open-sesame"}) {
      EXPECT_FALSE(allows(wrong)) << wrong;
    }
    EXPECT_EQ(MetricsAccess::from(config_)->refusal().status, 401);
  }
}

TEST_F(MetricsAccessTest, RefusesATokenThatIsNone) {
  write_token(" \n");
  EXPECT_FALSE(MetricsAccess::from(config_));
  write_token("two words");
  EXPECT_FALSE(MetricsAccess::from(config_));
  write_token("for-all-to-see", 0644);
  EXPECT_FALSE(MetricsAccess::from(config_));
  std::filesystem::remove(file_);
  EXPECT_FALSE(MetricsAccess::from(config_));
}

}  // namespace
}  // namespace waybill::server
