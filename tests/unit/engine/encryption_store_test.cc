// A whole store under encryption: what may be opened how, changes of keys, and data that was plain before.
#include <gtest/gtest.h>

#include <atomic>
#include <fstream>
#include <thread>

#include "engine/encryption/key_door.h"
#include "engine/encryption/store_encryption.h"
#include "engine/fixture.h"

namespace waybill::engine {
namespace {

namespace fs = std::filesystem;
using encryption::KeyDoor;
using encryption::KeyRing;

KeyRing ring_of(const std::string& digits) {
  std::string text;
  for (const char digit : digits) {
    text += std::string(64, digit) + "\n";
  }
  return *KeyRing::parse(text);
}

std::string id_of(char digit) {
  return ring_of(std::string(1, digit)).ids();
}

class EncryptedStore : public EngineTest {
 protected:
  void SetUp() override {
    EngineTest::SetUp();
    store_.reset();
    fs::remove_all(directory_);
  }

  // Opens with the keys of these digits, "" for none; the problem or "".
  std::string open_with(const std::string& digits, bool encrypt_existing = false) {
    store_.reset();
    door_ = digits.empty() ? nullptr : std::make_unique<KeyDoor>(ring_of(digits));
    auto made = options();
    made.encryption_keys = door_.get();
    made.encrypt_existing = encrypt_existing;
    auto opened = engine::open(made);
    if (!opened) {
      return opened.error().message;
    }
    store_ = *std::move(opened);
    return "";
  }

  void put_some(int from, int to) {
    for (int i = from; i < to; ++i) {
      put(R"({"id":{"S":"findable-)" + std::to_string(i) + R"("},"owner":{"S":"findable"},"at":{"N":"1"}})");
    }
  }

  bool has_all(int count) {
    for (int i = 0; i < count; ++i) {
      if (get("findable-" + std::to_string(i)) == "none") {
        return false;
      }
    }
    return true;
  }

  // Files in which something readable stands.
  int readable_files() const {
    int count = 0;
    for (const auto& entry : fs::recursive_directory_iterator(directory_)) {
      if (!entry.is_regular_file()) {
        continue;
      }
      std::ifstream file(entry.path(), std::ios::binary);
      const std::string bytes{std::istreambuf_iterator<char>(file), {}};
      for (const char* text : {"findable", "things", "by_owner", "rocksdb"}) {
        if (bytes.find(text) != std::string::npos) {
          ++count;
          break;
        }
      }
    }
    return count;
  }

  std::string state() const { return encryption::describe(*encryption::look_at_store(directory_)); }
  bool is_under(char digit) const {
    const auto text = state();
    return text.starts_with(directory_ + ": encrypted\nkey " + id_of(digit)) &&
           text.find("key", text.find("key") + 1) == std::string::npos;
  }
  std::string noted() const {
    std::ifstream file(directory_ + "/encryption");
    return {std::istreambuf_iterator<char>(file), {}};
  }

  std::unique_ptr<KeyDoor> door_;
};

TEST_F(EncryptedStore, KeepsNothingReadable) {
  ASSERT_EQ(open_with("a"), "");
  ASSERT_TRUE(create(things()));
  put_some(0, 100);
  EXPECT_EQ(readable_files(), 0);
  ASSERT_EQ(open_with("a"), "");
  EXPECT_TRUE(has_all(100));
  store_.reset();
  EXPECT_EQ(readable_files(), 0);
}

TEST_F(EncryptedStore, ThatNothingIsFoundMeansSomething) {
  ASSERT_EQ(open_with(""), "");
  ASSERT_TRUE(create(things()));
  put_some(0, 10);
  EXPECT_GT(readable_files(), 1);
}

TEST_F(EncryptedStore, IsRefusedWithoutItsKey) {
  ASSERT_EQ(open_with("a"), "");
  ASSERT_TRUE(create(things()));
  put_some(0, 10);
  const std::string store = "the store in " + directory_;
  EXPECT_EQ(open_with(""), store + " is encrypted with key " + id_of('a') +
                               ". Give it with --encryption-key-file FILE, or in WAYBILL_ENCRYPTION_KEY");
  EXPECT_EQ(open_with("b"), store + " is encrypted with key " + id_of('a') +
                                ", which is not among the given keys (" + id_of('b') +
                                "). Add it to the key file; without it the data cannot be read");
  fs::remove(directory_ + "/encryption");
  EXPECT_NE(open_with("").find("is encrypted with key " + id_of('a')), std::string::npos);
  EXPECT_NE(open_with("b").find("key " + id_of('a') + " is still needed"), std::string::npos);
  EXPECT_EQ(open_with("a"), "");
  EXPECT_TRUE(has_all(10));
  EXPECT_NE(noted().find("state encrypted\nkey " + id_of('a')), std::string::npos);
}

TEST_F(EncryptedStore, ANoteThatWasChangedIsRefused) {
  ASSERT_EQ(open_with("a"), "");
  store_.reset();
  std::string text = noted();
  std::ofstream(directory_ + "/encryption") << text.replace(text.find("encrypted"), 9, "converting");
  EXPECT_NE(open_with("a").find("was changed after it was written"), std::string::npos);
  std::ofstream(directory_ + "/encryption") << "something else";
  EXPECT_NE(open_with("a").find("/encryption is damaged"), std::string::npos);
  fs::remove(directory_ + "/encryption");
  EXPECT_EQ(open_with("a"), "");
}

TEST_F(EncryptedStore, KeysChangeWhileWritesGoOn) {
  ASSERT_EQ(open_with("a"), "");
  ASSERT_TRUE(create(things()));
  std::atomic<bool> stop{false};
  std::atomic<int> written{0};
  std::thread writer([&] {
    for (; !stop; ++written) {
      put_some(written, written + 1);
    }
  });
  std::string current = "a";
  for (const char next : {'b', 'c', 'd'}) {
    ASSERT_TRUE(door_->change(ring_of(next + current)));
    EXPECT_TRUE(eventually([&] { return noted().find(id_of(next)) != std::string::npos; }));
    EXPECT_TRUE(is_under(next)) << state();
    current = std::string(1, next);
    ASSERT_TRUE(door_->change(ring_of(current)));
  }
  stop = true;
  writer.join();
  ASSERT_EQ(open_with("d"), "");
  EXPECT_TRUE(has_all(written));
  EXPECT_NE(open_with("a"), "");
}

TEST_F(EncryptedStore, AKeyThatIsNeededCannotBeTakenAway) {
  ASSERT_EQ(open_with("a"), "");
  ASSERT_TRUE(create(things()));
  const auto changed = door_->change(ring_of("b"));
  ASSERT_FALSE(changed);
  EXPECT_NE(changed.error().message.find("key " + id_of('a') + " is still needed"), std::string::npos);
  put_some(0, 10);
  ASSERT_EQ(open_with("a"), "");
  EXPECT_TRUE(has_all(10));
}

// Stopped at random moments, a change of keys goes on at the next start and ends.
TEST_F(EncryptedStore, AChangeOfKeysThatIsCutShortGoesOn) {
  ASSERT_EQ(open_with("a"), "");
  ASSERT_TRUE(create(things()));
  put_some(0, 50);
  std::string keys = "a";
  for (const char next : {'b', 'c', 'd', 'e', 'f'}) {
    keys = next + keys;
    ASSERT_TRUE(door_->change(ring_of(keys)));
    std::this_thread::sleep_for(std::chrono::milliseconds(next % 3));
    ASSERT_EQ(open_with(keys), "");
  }
  EXPECT_TRUE(eventually([&] { return noted().find(id_of('f')) != std::string::npos; }));
  EXPECT_TRUE(is_under('f')) << state();
  ASSERT_EQ(open_with("f"), "");
  EXPECT_TRUE(has_all(50));
}

TEST_F(EncryptedStore, APlainStoreIsEncryptedWhileItIsOpen) {
  ASSERT_EQ(open_with(""), "");
  ASSERT_TRUE(create(things()));
  put_some(0, 200);
  EXPECT_NE(open_with("a").find("is not encrypted, and a key was given. Start with --encrypt-existing"),
            std::string::npos);
  ASSERT_EQ(open_with("a", true), "");
  put_some(200, 300);
  ASSERT_EQ(open_with("a"), "");  // the flag is not needed again
  put_some(300, 400);
  EXPECT_TRUE(has_all(400));
  EXPECT_TRUE(eventually([&] { return noted().find("state encrypted") != std::string::npos; })) << state();
  EXPECT_TRUE(is_under('a')) << state();
  EXPECT_EQ(readable_files(), 0);
  EXPECT_TRUE(has_all(400));
  ASSERT_EQ(open_with("a"), "");
  EXPECT_TRUE(has_all(400));
  EXPECT_EQ(all("by_owner").size(), 400);
}

// The state of a disk after a crash at any moment of a conversion: some files plain, some encrypted, a copy
// half made, and a note or none.
TEST_F(EncryptedStore, AConversionThatWasCutShortGoesOn) {
  ASSERT_EQ(open_with(""), "");
  ASSERT_TRUE(create(things()));
  put_some(0, 50);
  ASSERT_EQ(open_with("a", true), "");
  store_.reset();
  std::ofstream(directory_ + "/engine/000999.sst.sealing") << "half a copy, findable";
  fs::remove(directory_ + "/encryption");
  ASSERT_EQ(open_with("a"), "");
  EXPECT_TRUE(eventually([&] { return readable_files() == 0; })) << state();
  EXPECT_TRUE(has_all(50));
}

TEST_F(EncryptedStore, AFileWhoseHeaderACrashCutDoesNotKeepItShut) {
  ASSERT_EQ(open_with("a"), "");
  ASSERT_TRUE(create(things()));
  put_some(0, 50);
  store_.reset();
  for (const int size : {0, 7, 16, 100, 5000}) {
    // The next log, table and manifest, as a kill just after their creation leaves them.
    for (const char* name : {"000900.log", "000901.sst", "MANIFEST-000902", "000903.dbtmp"}) {
      const std::string path = directory_ + "/engine/" + name;
      fs::copy_file(directory_ + "/engine/IDENTITY", path, fs::copy_options::overwrite_existing);
      fs::resize_file(path, static_cast<uintmax_t>(size));
    }
    ASSERT_EQ(open_with("a"), "") << size;
    EXPECT_TRUE(has_all(50));
    store_.reset();
  }
}

}  // namespace
}  // namespace waybill::engine
