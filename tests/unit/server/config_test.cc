#include "server/config.h"

#include <gtest/gtest.h>

namespace waybill::server {
namespace {

TEST(Config, ReadsAddresses) {
  EXPECT_EQ(parse_address("127.0.0.1:8000")->port, 8000);
  EXPECT_EQ(parse_address("[::1]:80")->host, "::1");
  EXPECT_EQ(parse_address("localhost:0")->host, "localhost");
  for (const std::string_view wrong : {"", ":", "8000", ":8000", "host:", "host:x", "host:70000", "host:80x",
                                       "::1:80", "host:-1", "[]:80"}) {
    EXPECT_FALSE(parse_address(wrong)) << wrong;
  }
}

TEST(Config, KnowsLoopback) {
  EXPECT_TRUE(is_loopback("127.0.0.1"));
  EXPECT_TRUE(is_loopback("127.8.9.1"));
  EXPECT_TRUE(is_loopback("::1"));
  EXPECT_TRUE(is_loopback("localhost"));
  EXPECT_FALSE(is_loopback("0.0.0.0"));
  EXPECT_FALSE(is_loopback("::"));
  EXPECT_FALSE(is_loopback("127.example.com"));
  EXPECT_FALSE(is_loopback("10.0.0.1"));
}

TEST(Config, OtherAddressesNeedKeys) {
  Config config;
  EXPECT_TRUE(check(config));
  config.host = "0.0.0.0";
  EXPECT_FALSE(check(config));
  config.keys_file = "keys.json";
  EXPECT_TRUE(check(config));
}

TEST(Config, MetricsAreOpenOrBehindAToken) {
  Config config;
  config.metrics_open = true;
  EXPECT_TRUE(check(config));
  config.metrics_token_file = "token";
  EXPECT_FALSE(check(config));
  config.metrics_open = false;
  EXPECT_TRUE(check(config));
}

TEST(Config, AlarmsHaveThresholdsThatMakeSense) {
  Config config;
  config.alarm_depth = 0;
  config.alarm_age_seconds = 31'536'000;
  config.dead_letter_alarm_depth = 1;
  EXPECT_TRUE(check(config));
  config.alarm_age_seconds = -1;
  EXPECT_FALSE(check(config));
  config.alarm_age_seconds = std::nullopt;
  config.alarm_webhook_secret_file = "secret";
  EXPECT_FALSE(check(config));
  config.alarm_webhook = "http://localhost/";
  EXPECT_TRUE(check(config));
  config.alarm_webhook = "ftp://localhost/";
  EXPECT_FALSE(check(config));
}

}  // namespace
}  // namespace waybill::server
