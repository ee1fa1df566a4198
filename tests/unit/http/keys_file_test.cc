#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdio>
#include <fstream>
#include <string>
#include <utility>

#include "access/policy.h"
#include "http/signature.h"

namespace waybill::http {
namespace {

class KeysFile : public testing::Test {
 protected:
  ~KeysFile() override { std::remove(path_.c_str()); }

  Result<std::vector<AccessKey>> read(const std::string& text, mode_t mode = 0600) {
    std::remove(path_.c_str());
    std::ofstream(path_) << text;
    chmod(path_.c_str(), mode);
    return read_keys_file(path_);
  }

  std::string path_ = testing::TempDir() + "waybill_keys_test.json";
};

TEST_F(KeysFile, GivesItsKeys) {
  const auto keys =
      read(R"({"keys":[{"id":"A1","secret":"0123456789abcdef"},{"id":"b-2","secret":"fedcba9876543210"}]})");
  ASSERT_TRUE(keys);
  ASSERT_EQ(keys->size(), 2u);
  EXPECT_EQ((*keys)[1].id, "b-2");
  EXPECT_EQ((*keys)[1].secret, "fedcba9876543210");
}

TEST_F(KeysFile, GivesPoliciesToThoseThatHaveThem) {
  const auto keys = read(R"({
      "policies":{"project":{"tables":["{tenant}-*"],"verbs":["read"]}},
      "keys":[{"id":"A","secret":"0123456789abcdef"},
              {"id":"B","secret":"0123456789abcdef","tenant":"prj_001","policy":"project"},
              {"id":"C","secret":"0123456789abcdef","policy":[{"queues":["q"],"verbs":["write"]}]}]})");
  ASSERT_TRUE(keys) << keys.error().message;
  EXPECT_EQ((*keys)[0].policy, nullptr);
  EXPECT_EQ((*keys)[1].policy->tenant(), "prj_001");
  EXPECT_TRUE((*keys)[1].policy->knows_table("prj_001-jobs"));
  EXPECT_FALSE((*keys)[1].policy->knows_table("prj_002-jobs"));
  EXPECT_TRUE((*keys)[2].policy->may_use_queue(access::Verb::write, "q"));
}

TEST_F(KeysFile, RefusesAPolicyThatCannotBeMeant) {
  const std::pair<const char*, const char*> faults[] = {
      {R"("tenant":"prj_001")", "no \"policy\""},
      {R"("tenant":"*","policy":{})", "its \"tenant\" must have"},
      {R"("policy":"none")", "there is no policy of the name \"none\""},
      {R"("policy":"again")", "there is no policy of the name \"again\""},
      {R"("policy":{"tables":["a"]})", "key A: its policy: \"verbs\" is missing"},
      {R"("polcy":{})", "\"polcy\" means nothing here"},
  };
  for (const auto& [more, expected] : faults) {
    const auto keys = read(R"({"policies":{"again":"none"},"keys":[{"id":"A","secret":"0123456789abcdef",)" +
                           std::string(more) + "}]}");
    ASSERT_FALSE(keys) << more;
    EXPECT_NE(keys.error().message.find(expected), std::string::npos) << keys.error().message;
    EXPECT_EQ(keys.error().message.find("0123456789abcde"), std::string::npos);
  }
  EXPECT_FALSE(read(R"({"keys":[{"id":"A","secret":"0123456789abcdef"}],"polices":{}})"));
}

TEST_F(KeysFile, IsForItsOwnerAlone) {
  const std::string good = R"({"keys":[{"id":"A1","secret":"0123456789abcdef"}]})";
  EXPECT_TRUE(read(good, 0400));
  for (const mode_t mode : {0640, 0604, 0660, 0601, 0620}) {
    const auto keys = read(good, mode);
    ASSERT_FALSE(keys);
    EXPECT_NE(keys.error().message.find("chmod 600 " + path_), std::string::npos);
  }
}

TEST_F(KeysFile, SaysWhatIsWrong) {
  for (const char* const text :
       {"", "x", "[]", "{}", R"({"keys":[]})", R"({"keys":{}})", R"({"keys":[1]})",
        R"({"keys":[{"id":"A"}]})", R"({"keys":[{"id":1,"secret":"0123456789abcdef"}]})",
        R"({"keys":[{"id":"","secret":"0123456789abcdef"}]})",
        R"({"keys":[{"id":"a/b","secret":"0123456789abcdef"}]})", R"({"keys":[{"id":"A","secret":"short"}]})",
        R"({"keys":[{"id":"A","secret":"0123456789abcdef"},{"id":"A","secret":"0123456789abcdeg"}]})"}) {
    const auto keys = read(text);
    ASSERT_FALSE(keys) << text;
    EXPECT_TRUE(keys.error().message.starts_with("keys file " + path_ + ": ")) << keys.error().message;
    EXPECT_EQ(keys.error().message.find("0123456789abcde"), std::string::npos);
  }
  EXPECT_NE(read_keys_file("/nowhere/keys").error().message.find("No such file"), std::string::npos);
  EXPECT_NE(read_keys_file("/tmp").error().message.find("not a regular file"), std::string::npos);
}

}  // namespace
}  // namespace waybill::http
