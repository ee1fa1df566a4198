// Whose key signs the requests of a worker.
#include "client/connection.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace waybill::client {
namespace {

class KeyTest : public testing::Test {
 protected:
  KeyTest() {
    for (const char* name :
         {"WAYBILL_ACCESS_KEY_ID", "WAYBILL_SECRET_ACCESS_KEY", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY",
          "AWS_SESSION_TOKEN", "AWS_PROFILE", "AWS_REGION", "AWS_DEFAULT_REGION"}) {
      ::unsetenv(name);
    }
    path_ = testing::TempDir() + "credentials_" + std::to_string(::getpid());
    ::setenv("AWS_SHARED_CREDENTIALS_FILE", path_.c_str(), 1);
  }
  ~KeyTest() override { std::filesystem::remove(path_); }

  std::string path_;
};

TEST_F(KeyTest, WithoutAnyOneThatAServerWithoutKeysTakes) {
  EXPECT_EQ(find_key().id, "any");
  EXPECT_EQ(find_objects_key().id, "any");
  EXPECT_EQ(find_region(), "us-east-1");
}

TEST_F(KeyTest, OfAFileByItsProfile) {
  std::ofstream(path_) << "# mine\n[default]\naws_access_key_id = A\naws_secret_access_key=a b=c\r\n"
                          "[work]\n  aws_access_key_id=B\naws_secret_access_key = b\naws_session_token = t\n";
  EXPECT_EQ(find_key().id, "A");
  EXPECT_EQ(find_key().secret, "a b=c");
  ::setenv("AWS_PROFILE", "work", 1);
  EXPECT_EQ(find_key().id, "B");
  EXPECT_EQ(find_key().session_token, "t");
  ::setenv("AWS_PROFILE", "nothing", 1);
  EXPECT_EQ(find_key().id, "any");
}

TEST_F(KeyTest, OwnOnesFirstAndForObjectsThoseOfAws) {
  ::setenv("AWS_ACCESS_KEY_ID", "A", 1);
  ::setenv("AWS_SECRET_ACCESS_KEY", "a", 1);
  EXPECT_EQ(find_key().id, "A");
  ::setenv("WAYBILL_ACCESS_KEY_ID", "W", 1);
  EXPECT_EQ(find_key().id, "A") << "a key without its secret is none";
  ::setenv("WAYBILL_SECRET_ACCESS_KEY", "w", 1);
  EXPECT_EQ(find_key().id, "W");
  EXPECT_EQ(find_objects_key().id, "A");
}

TEST(Endpoint, IsAUrl) {
  EXPECT_EQ(*read_endpoint("--endpoint", "http://a:1//"), "http://a:1");
  EXPECT_EQ(read_endpoint("--endpoint", "a:1").error().message,
            "--endpoint takes a URL that begins with http:// or https://");
}

}  // namespace
}  // namespace waybill::client
