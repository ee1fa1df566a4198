#include <gtest/gtest.h>

#include <random>
#include <string>

#include "engine/encryption/cipher.h"
#include "engine/encryption/file_header.h"

namespace waybill::engine::encryption {
namespace {

KeyRing ring_of(const std::string& digits) {
  std::string text;
  for (const char digit : digits) {
    text += std::string(64, digit) + "\n";
  }
  return *KeyRing::parse(text);
}

std::string text_of(const Secret& secret) {
  return {reinterpret_cast<const char*>(secret.data()), key_bytes};
}

class FileHeader : public ::testing::Test {
 protected:
  std::string opened(std::string_view header, const KeyRing& keys) {
    const auto key = open_header(header, keys);
    return key ? text_of(*key) : key.error().message;
  }

  SystemEntropy entropy_;
};

TEST_F(FileHeader, GivesTheFilesKeyToWhoHasTheMasterKey) {
  const auto keys = ring_of("a");
  const auto made = make_header(keys, entropy_);
  EXPECT_EQ(made.bytes.size(), header_bytes);
  EXPECT_EQ(content_of(made.bytes), Content::sealed);
  EXPECT_EQ(opened(made.bytes, keys), text_of(made.file_key));
  EXPECT_EQ(opened(made.bytes, ring_of("ba")), text_of(made.file_key));
  EXPECT_EQ(made.bytes.find(text_of(made.file_key)), std::string::npos);
  EXPECT_NE(text_of(make_header(keys, entropy_).file_key), text_of(made.file_key));
}

TEST_F(FileHeader, AWrongKeyIsNoticed) {
  const auto made = make_header(ring_of("a"), entropy_);
  const auto refused = open_header(made.bytes, ring_of("b"));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message,
            "it is encrypted with key " + ring_of("a").ids() + ", which is not among the given keys");
}

TEST_F(FileHeader, EveryChangedBitIsNoticed) {
  const auto keys = ring_of("a");
  const auto made = make_header(keys, entropy_);
  for (std::size_t at = 0; at < 84; ++at) {
    std::string changed = made.bytes;
    changed[at] = static_cast<char>(changed[at] ^ 4);
    if (at < 16) {
      EXPECT_EQ(content_of(changed), Content::plain) << at;
    } else {
      EXPECT_FALSE(open_header(changed, keys)) << at;
    }
  }
}

TEST_F(FileHeader, OneThatIsCutShortIsAnEmptyFile) {
  const auto made = make_header(ring_of("a"), entropy_);
  for (std::size_t size = 0; size < header_bytes; size += size < 100 ? 1 : 97) {
    EXPECT_EQ(content_of(std::string_view(made.bytes).substr(0, size)), Content::empty) << size;
  }
  EXPECT_EQ(content_of(std::string(header_bytes, '\0')), Content::empty);
  EXPECT_EQ(content_of(std::string(10, '\0')), Content::empty);
  EXPECT_EQ(content_of("MANIFEST-000001\n"), Content::plain);
  EXPECT_EQ(content_of(std::string(3 * header_bytes, 'x')), Content::plain);
}

// At every moment of a change of keys, and whatever is left of the write that was cut short, the file opens.
TEST_F(FileHeader, AChangeOfKeysCanBeCutAnywhere) {
  std::string header;
  const auto first = ring_of("a");
  auto made = make_header(first, entropy_);
  header = made.bytes;
  const std::string key = text_of(made.file_key);
  for (const std::string order : {"ba", "cb", "ac"}) {
    const auto keys = ring_of(order);
    const auto writes = rewrap(header, keys, entropy_);
    ASSERT_TRUE(writes);
    ASSERT_EQ(writes->size(), 2);
    for (const auto& write : *writes) {
      std::string torn = header;
      for (std::size_t cut = 0; cut <= write.bytes.size(); cut += cut < 100 ? 1 : 333) {
        torn.replace(write.offset, cut, write.bytes, 0, cut);
        ASSERT_EQ(content_of(torn), Content::sealed);
        ASSERT_EQ(opened(torn, keys), key) << order << " " << cut;
        // What is cut goes on from there, and ends under the new key alone.
        std::string mended = torn;
        const auto rest = rewrap(mended, keys, entropy_);
        ASSERT_TRUE(rest);
        for (const auto& step : *rest) {
          mended.replace(step.offset, step.bytes.size(), step.bytes);
        }
        ASSERT_EQ(opened(mended, ring_of(order.substr(0, 1))), key) << order << " " << cut;
        ASSERT_EQ(key_ids_of(mended).size(), 1);
      }
      header.replace(write.offset, write.bytes.size(), write.bytes);
    }
    EXPECT_EQ(opened(header, ring_of(order.substr(0, 1))), key);
    EXPECT_NE(opened(header, ring_of(order.substr(1))), key);
    EXPECT_TRUE(rewrap(header, keys, entropy_)->empty());
  }
}

TEST(FileCipher, AnyPartMeetsItsOwnPartOfTheStream) {
  std::mt19937_64 random(7);
  Secret key;
  for (std::size_t i = 0; i < key_bytes; ++i) {
    key.data()[i] = static_cast<unsigned char>(random());
  }
  std::string plain(100'000, '\0');
  for (char& byte : plain) {
    byte = static_cast<char>(random());
  }
  std::string whole(plain.size(), '\0');
  Cipher(key).apply(0, plain.data(), whole.data(), plain.size());
  EXPECT_NE(whole, plain);
  Cipher cipher(key);
  const SharedCipher shared(key);
  for (int i = 0; i < 2000; ++i) {
    const std::size_t offset = random() % plain.size();
    const std::size_t count = std::min(random() % 70, plain.size() - offset);
    std::string part = plain.substr(offset, count);
    cipher.apply(offset, part.data(), part.data(), count);
    ASSERT_EQ(part, whole.substr(offset, count)) << offset;
    shared.apply(offset, part.data(), part.data(), count);
    ASSERT_EQ(part, plain.substr(offset, count)) << offset;
  }
}

// NIST SP 800-38A, F.5.5: AES-256-CTR. The standard's counter begins elsewhere than ours; its first block is
// taken as a file's own, so only the block function and the order of bytes are compared here.
TEST(FileCipher, IsTheStandardsAes) {
  Secret key;
  for (std::size_t i = 0; i < key_bytes; ++i) {
    key.data()[i] = static_cast<unsigned char>(i);
  }
  std::string zeros(16, '\0');
  Cipher(key).apply(0, zeros.data(), zeros.data(), zeros.size());
  // AES-256 of the zero block under 00 01 … 1f.
  const std::string expected("\xf2\x90\x00\xb6\x2a\x49\x9f\xd0\xa9\xf3\x9a\x6a\xdd\x2e\x77\x80", 16);
  EXPECT_EQ(zeros, expected);
}

}  // namespace
}  // namespace waybill::engine::encryption
