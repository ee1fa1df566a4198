#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "engine/encryption/key_ring.h"
#include "engine/encryption/key_source.h"

namespace waybill::engine::encryption {
namespace {

const std::string hex_key(64, 'a');
const std::string other_hex_key(64, '7');

std::string problem_of(std::string_view text) {
  const auto ring = KeyRing::parse(text);
  return ring ? "none" : ring.error().message;
}

TEST(EncryptionKeys, OneKeyInEachOfItsForms) {
  const std::string raw(32, '\xaa');
  const std::string base64 = "qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqo=";
  const auto from_hex = KeyRing::parse(hex_key + "\n");
  const auto from_raw = KeyRing::parse(raw);
  const auto from_base64 = KeyRing::parse(base64);
  const auto without_padding = KeyRing::parse(base64.substr(0, 43));
  ASSERT_TRUE(from_hex && from_raw && from_base64 && without_padding);
  const KeyId id = from_hex->current().id;
  EXPECT_EQ(from_raw->current().id, id);
  EXPECT_EQ(from_base64->current().id, id);
  EXPECT_EQ(without_padding->current().id, id);
}

TEST(EncryptionKeys, TheFirstIsTheCurrentOne) {
  const auto ring = KeyRing::parse("# made in March\r\n" + hex_key + "  # new\n\n" + other_hex_key);
  ASSERT_TRUE(ring) << ring.error().message;
  const auto other = KeyRing::parse(other_hex_key);
  EXPECT_EQ(ring->current().id, KeyRing::parse(hex_key)->current().id);
  EXPECT_NE(ring->find(other->current().id), nullptr);
  EXPECT_EQ(other->find(ring->current().id), nullptr);
  EXPECT_EQ(KeyRing::parse(hex_key + "," + other_hex_key)->ids(), ring->ids());
}

TEST(EncryptionKeys, AnIdSaysNothingOfItsKey) {
  const auto ring = KeyRing::parse(hex_key);
  EXPECT_EQ(ring->current().id.text().size(), 16);
  EXPECT_EQ(ring->current().id.text().find("aaaa"), std::string::npos);
}

TEST(EncryptionKeys, WhatIsNoKeyIsRefusedWithoutBeingRepeated) {
  EXPECT_EQ(problem_of(""), "there is no key; make one with: openssl rand -hex 32");
  EXPECT_EQ(problem_of("# nothing\n"), "there is no key; make one with: openssl rand -hex 32");
  for (const std::string& text : {std::string("hunter2"), std::string(32, 'a'), hex_key + "0",
                                  hex_key.substr(1), std::string(44, '='), std::string(43, '!')}) {
    EXPECT_EQ(
        problem_of(text),
        "line 1 is not a key of 32 bytes in hexadecimal or base64; make one with: openssl rand -hex 32");
  }
  EXPECT_EQ(problem_of(hex_key + "\n" + hex_key).find("line 2 holds key "), 0);
}

class KeyFile : public ::testing::Test {
 protected:
  void SetUp() override { path_ = std::filesystem::temp_directory_path() / "waybill-key-file-test"; }
  void TearDown() override { std::filesystem::remove(path_); }

  Result<KeyRing> read(const std::string& text, mode_t mode) {
    std::ofstream(path_) << text;
    ::chmod(path_.c_str(), mode);
    return read_key_file(path_);
  }

  std::string path_;
};

TEST_F(KeyFile, IsReadWhereItIsItsOwnersAlone) {
  const auto keys = read(hex_key, 0600);
  ASSERT_TRUE(keys) << keys.error().message;
  for (const mode_t mode : {0640, 0604, 0660}) {
    const auto refused = read(hex_key, mode);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().message,
              "encryption key file " + path_ + ": can be read by others; run: chmod 600 " + path_);
  }
}

TEST_F(KeyFile, ProblemsNameTheFile) {
  EXPECT_EQ(read("secret words", 0600).error().message.find("encryption key file " + path_ + ": line 1 is"),
            0);
  EXPECT_NE(read_key_file(path_ + "-missing").error().message.find("cannot be opened"), std::string::npos);
}

TEST(EncryptionKeys, ThoseOfTheEnvironmentAreTakenOutOfIt) {
  ::setenv(key_variable, hex_key.c_str(), 1);
  const char* where = std::getenv(key_variable);
  const auto keys = take_environment_keys();
  ASSERT_TRUE(keys && keys->has_value());
  EXPECT_EQ(std::getenv(key_variable), nullptr);
  EXPECT_EQ(*where, '\0');
  const auto again = take_environment_keys();
  ASSERT_TRUE(again);
  EXPECT_FALSE(again->has_value());
}

}  // namespace
}  // namespace waybill::engine::encryption
