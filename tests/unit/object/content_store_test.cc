#include "object/content_store.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <map>
#include <thread>

#include "base/bytes.h"
#include "object/scratch.h"

namespace waybill::object {
namespace {

namespace fs = std::filesystem;

class ContentStoreTest : public StoreTest {};

TEST_F(ContentStoreTest, GivesBackWhatWasWritten) {
  auto store = open();
  for (const std::size_t size : {0UL, 1UL, 65535UL, 65536UL, 65537UL, 3 * 65536UL, 1'000'000UL}) {
    const std::string bytes = random_bytes(size, size);
    auto writer = store.begin({size, {checksum_algorithms, checksum_algorithms + 5}});
    ASSERT_TRUE(writer);
    for (std::size_t at = 0; at < size; at += 10'007) {
      ASSERT_TRUE(writer->append(std::string_view(bytes).substr(at, 10'007)));
    }
    const auto stored = writer->commit({size, hash_of(HashKind::md5, bytes), {}});
    ASSERT_TRUE(stored) << stored.error().detail;
    EXPECT_EQ(stored->bytes, size);
    EXPECT_EQ(stored->md5, hash_of(HashKind::md5, bytes));
    ASSERT_EQ(stored->checksums.size(), 5U);
    for (const auto& checksum : stored->checksums) {
      EXPECT_EQ(checksum, checksum_of(checksum.algorithm, bytes));
    }
    EXPECT_EQ(get(store, stored->id), bytes);
    EXPECT_TRUE(store.read(stored->id)->verify());
  }
  EXPECT_TRUE(files_in("incoming").empty());
}

TEST_F(ContentStoreTest, Ranges) {
  auto store = open();
  const std::string bytes = random_bytes(1, 5 * block_bytes + 1234);
  const auto reader = store.read(put(store, bytes));
  std::mt19937_64 random(8);
  for (int round = 0; round < 2000; ++round) {
    const auto offset = random() % (bytes.size() + 10);
    std::string out(random() % (random() % 4 == 0 ? 4 * block_bytes : 1000), 'x');
    const auto got = reader->read(offset, out);
    ASSERT_TRUE(got);
    out.resize(*got);
    ASSERT_EQ(out, offset < bytes.size() ? bytes.substr(offset, out.size()) : "");
  }
  std::string whole(bytes.size() + 100, 'x');
  EXPECT_EQ(*reader->read(0, whole), bytes.size());
}

// More sums than a reader keeps: they are read as they are needed.
TEST_F(ContentStoreTest, LargeContents) {
  auto store = open();
  const std::string piece = random_bytes(1, 4 * 1024 * 1024 + 3);
  auto writer = store.begin({no_limit, {}});
  constexpr int pieces = 70;
  for (int i = 0; i < pieces; ++i) {
    ASSERT_TRUE(writer->append(piece));
  }
  const auto stored = writer->commit();
  const auto reader = store.read(stored->id);
  ASSERT_TRUE(reader->verify());
  std::string out(piece.size(), '\0');
  ASSERT_TRUE(reader->read(piece.size() * 60, out));
  EXPECT_EQ(out, piece);
  ASSERT_TRUE(reader->read(piece.size() * 69 + 17, std::span(out).first(100)));
  EXPECT_EQ(out.substr(0, 100), piece.substr(17, 100));
}

TEST_F(ContentStoreTest, WhatIsNotAsExpectedIsNotKept) {
  auto store = open();
  const auto refused = [&](const Expected& expected) {
    auto writer = store.begin({100, {ChecksumAlgorithm::crc32}});
    EXPECT_TRUE(writer->append("hello"));
    auto stored = writer->commit(expected);
    EXPECT_FALSE(stored);
    EXPECT_EQ(writer->append("x").error().kind, stored.error().kind);
    return stored.error().kind;
  };
  EXPECT_EQ(refused({4, {}, {}}), ErrorKind::incomplete_body);
  EXPECT_EQ(refused({6, {}, {}}), ErrorKind::incomplete_body);
  EXPECT_EQ(refused({5, hash_of(HashKind::md5, "hellO"), {}}), ErrorKind::bad_digest);
  EXPECT_EQ(refused({{}, {}, {checksum_of(ChecksumAlgorithm::crc32, "hellO")}}), ErrorKind::bad_digest);
  EXPECT_EQ(refused({{}, {}, {checksum_of(ChecksumAlgorithm::sha1, "hello")}}), ErrorKind::invalid);
  EXPECT_TRUE(files_in("incoming").empty());
  EXPECT_TRUE(files_in("contents").empty());
}

TEST_F(ContentStoreTest, TheLimitHolds) {
  auto store = open();
  auto writer = store.begin({10, {}});
  EXPECT_TRUE(writer->append("0123456789"));
  EXPECT_TRUE(writer->append(""));
  EXPECT_EQ(writer->append("x").error().kind, ErrorKind::too_large);
  EXPECT_EQ(writer->commit().error().kind, ErrorKind::too_large);
}

TEST_F(ContentStoreTest, AnUploadThatEndsWithoutCommitLeavesNothing) {
  auto store = open();
  {
    auto writer = store.begin({no_limit, {}});
    ASSERT_TRUE(writer->append(random_bytes(1, 200'000)));
    EXPECT_EQ(files_in("incoming").size(), 1U);
    const ContentWriter moved = *std::move(writer);
    EXPECT_EQ(files_in("incoming").size(), 1U);
  }
  EXPECT_TRUE(files_in("incoming").empty());
  EXPECT_TRUE(files_in("contents").empty());
}

TEST_F(ContentStoreTest, ACommittedWriterIsOver) {
  auto store = open();
  auto writer = store.begin({no_limit, {}});
  ASSERT_TRUE(writer->append("x"));
  ASSERT_TRUE(writer->commit());
  EXPECT_FALSE(writer->append("y"));
  EXPECT_FALSE(writer->commit());
  EXPECT_EQ(files_in("contents").size(), 1U);
}

TEST_F(ContentStoreTest, RemovedWhileItIsRead) {
  auto store = open();
  const std::string bytes = random_bytes(1, 300'000);
  const auto id = put(store, bytes);
  const auto reader = store.read(id);
  EXPECT_TRUE(*store.remove(id));
  EXPECT_FALSE(*store.remove(id));
  EXPECT_EQ(store.read(id).error().kind, ErrorKind::not_found);
  std::string out(bytes.size(), '\0');
  ASSERT_TRUE(reader->read(0, out));
  EXPECT_EQ(out, bytes);
}

TEST_F(ContentStoreTest, WritersAndReadersOutliveTheStore) {
  auto writer = [&] {
    auto store = open();
    return *store.begin({no_limit, {}});
  }();
  ASSERT_TRUE(writer.append("late"));
  EXPECT_EQ(try_open().error().kind, ErrorKind::in_use);
  const auto stored = writer.commit();
  ASSERT_TRUE(stored);
  {
    const auto gone = std::move(writer);
  }
  auto store = open();
  EXPECT_EQ(get(store, stored->id), "late");
}

TEST_F(ContentStoreTest, OnlyTheOwnerCanReadIt) {
  auto store = open();
  const auto id = put(store, "secret");
  struct stat about{};
  for (const auto& path : {folder(), folder() + "/incoming", folder() + "/contents",
                           fs::path(path_of(id)).parent_path().string()}) {
    ASSERT_EQ(::stat(path.c_str(), &about), 0);
    EXPECT_EQ(about.st_mode & 07777, 0700U) << path;
  }
  ASSERT_EQ(::stat(path_of(id).c_str(), &about), 0);
  EXPECT_EQ(about.st_mode & 07777, 0600U);
}

TEST_F(ContentStoreTest, LeftoversAreGoneAfterAStart) {
  {
    const auto store = open();
  }
  overwrite(folder() + "/incoming/01ARZ3NDEKTSV4RRFFQ69G5FAV", "half of something");
  overwrite(folder() + "/incoming/README", "not ours");
  const auto store = open();
  EXPECT_EQ(files_in("incoming"), (std::vector<std::string>{folder() + "/incoming/README"}));
}

TEST_F(ContentStoreTest, LinksAreNotFollowed) {
  auto store = open();
  const auto id = put(store, "mine");
  const std::string elsewhere = scratch_ + "/elsewhere";
  fs::rename(path_of(id), elsewhere);
  fs::create_symlink(elsewhere, path_of(id));
  EXPECT_FALSE(store.read(id));
  EXPECT_TRUE(*store.remove(id));  // the link, not what it leads to
  EXPECT_TRUE(fs::exists(elsewhere));

  // A whole folder of contents that is a link.
  fs::create_directory(scratch_ + "/trap");
  fs::copy_file(elsewhere, scratch_ + "/trap/" + id.text());
  fs::remove_all(fs::path(path_of(id)).parent_path());
  fs::create_directory_symlink(scratch_ + "/trap", fs::path(path_of(id)).parent_path());
  EXPECT_FALSE(store.read(id));
  EXPECT_FALSE(store.remove(id));
  EXPECT_TRUE(fs::exists(scratch_ + "/trap/" + id.text()));
  EXPECT_FALSE(store.sweep([](const ContentId&) { return Result<bool>(false); }, INT64_MAX));
  EXPECT_TRUE(fs::exists(scratch_ + "/trap/" + id.text()));
}

TEST_F(ContentStoreTest, ALinkInPlaceOfIncomingIsRefused) {
  {
    const auto store = open();
  }
  fs::remove_all(folder() + "/incoming");
  fs::create_directory(scratch_ + "/trap");
  fs::create_directory_symlink(scratch_ + "/trap", folder() + "/incoming");
  EXPECT_FALSE(try_open());
}

TEST_F(ContentStoreTest, APipeInPlaceOfAContentHoldsNobodyUp) {
  auto store = open();
  const auto id = put(store, "mine");
  fs::remove(path_of(id));
  ASSERT_EQ(::mkfifo(path_of(id).c_str(), 0600), 0);
  EXPECT_EQ(store.read(id).error().kind, ErrorKind::corruption);
}

TEST_F(ContentStoreTest, AFolderThatCannotBeMadeIsNamed) {
  const auto store = ContentStore::open({"/nonexistent/objects", &clock_, &entropy_, nullptr});
  EXPECT_EQ(store.error().kind, ErrorKind::invalid);
  EXPECT_NE(store.error().message.find("/nonexistent/objects"), std::string::npos);
}

TEST_F(ContentStoreTest, IdsAreOurs) {
  auto store = open();
  const auto id = put(store, "x");
  EXPECT_EQ(ContentId::parse(id.text()), id);
  EXPECT_EQ(id.committed_ms(), clock_.wall_ms());
  for (const auto text :
       {"", "../../../../etc/passwd", "01ARZ3NDEKTSV4RRFFQ69G5FA", "01ARZ3NDEKTSV4RRFFQ69G5FAVV",
        "01ARZ3NDEKTSV4RRFFQ69G5F/V", "01arz3ndektsv4rrffq69g5fav", "81ARZ3NDEKTSV4RRFFQ69G5FAV",
        "01ARZ3NDEKTSV4RRFFQ69G5FAU"}) {
    EXPECT_FALSE(ContentId::parse(text)) << text;
  }
}

// Every bit of a small file, and one bit of every block of a larger one.
TEST_F(ContentStoreTest, FlippedBitsAreNoticed) {
  auto store = open();
  const std::string small = random_bytes(1, 100);
  const auto id = put(store, small);
  const std::string good = file_text(path_of(id));
  for (std::size_t bit = 0; bit < good.size() * 8; ++bit) {
    auto bad = good;
    bad[bit / 8] = static_cast<char>(bad[bit / 8] ^ (1 << (bit % 8)));
    overwrite(path_of(id), bad);
    const auto reader = store.read(id);
    std::string out(small.size(), 'x');
    const auto got = reader ? reader->read(0, out) : Result<std::size_t>(reader.error());
    ASSERT_FALSE(got) << bit;
    ASSERT_EQ(got.error().kind, ErrorKind::corruption) << bit;
    ASSERT_NE(got.error().detail.find(id.text()), std::string::npos);
    ASSERT_TRUE(!reader || out == std::string(small.size(), '\0'));
  }
  for (const std::size_t length : {0UL, 1UL, 35UL, 100UL, good.size() - 1}) {
    overwrite(path_of(id), std::string_view(good).substr(0, length));
    EXPECT_EQ(store.read(id).error().kind, ErrorKind::corruption);
  }
  overwrite(path_of(id), good + "x");
  EXPECT_EQ(store.read(id).error().kind, ErrorKind::corruption);
}

TEST_F(ContentStoreTest, OnlyRangesThatTouchTheDamageFail) {
  auto store = open();
  const std::string bytes = random_bytes(1, 4 * block_bytes + 77);
  const auto id = put(store, bytes);
  auto bad = file_text(path_of(id));
  bad[2 * block_bytes + 5] ^= 1;
  overwrite(path_of(id), bad);
  const auto reader = store.read(id);
  std::string out(bytes.size(), '\0');
  EXPECT_FALSE(reader->read(0, out));
  EXPECT_FALSE(reader->verify());
  EXPECT_FALSE(reader->read(2 * block_bytes + 1000, std::span(out).first(1)));
  EXPECT_FALSE(reader->read(3 * block_bytes - 1, std::span(out).first(2)));
  ASSERT_TRUE(reader->read(0, std::span(out).first(2 * block_bytes)));
  EXPECT_EQ(out.substr(0, 2 * block_bytes), bytes.substr(0, 2 * block_bytes));
  out.resize(block_bytes + 77);
  ASSERT_TRUE(reader->read(3 * block_bytes, out));
  EXPECT_EQ(out, bytes.substr(3 * block_bytes));
}

TEST_F(ContentStoreTest, SweepRemovesWhatNoRowKnows) {
  auto store = open();
  const auto known = put(store, "known");
  const auto forgotten = put(store, "forgotten");
  clock_.advance_ms(10'000);
  const auto young = put(store, "young");
  overwrite(folder() + "/contents/" + known.folder() + "/note.txt", "not ours");
  int asked = 0;
  const auto is_known = [&](const ContentId& id) {
    ++asked;
    return Result<bool>(id == known);
  };
  const auto report = store.sweep(is_known, clock_.wall_ms());
  ASSERT_TRUE(report);
  EXPECT_EQ(report->seen, 3U);
  EXPECT_EQ(report->removed, 1U);
  EXPECT_EQ(report->foreign, 1U);
  EXPECT_EQ(asked, 2);
  EXPECT_EQ(get(store, known), "known");
  EXPECT_EQ(get(store, young), "young");
  EXPECT_EQ(store.read(forgotten).error().kind, ErrorKind::not_found);
  // Whoever cannot say whether a row is there does not lose contents.
  const auto doubtful = [](const ContentId&) {
    return Result<bool>(Error{ErrorKind::unavailable, "later", {}});
  };
  EXPECT_EQ(store.sweep(doubtful, INT64_MAX).error().kind, ErrorKind::unavailable);
  EXPECT_EQ(get(store, known), "known");
}

// The age of a content counts from its commit: a long upload is not old when it is done.
TEST_F(ContentStoreTest, ALongUploadIsYoungWhenItIsCommitted) {
  auto store = open();
  auto writer = store.begin({no_limit, {}});
  ASSERT_TRUE(writer->append("slow"));
  clock_.advance_ms(7'200'000);
  const auto stored = writer->commit();
  EXPECT_EQ(stored->id.committed_ms(), clock_.wall_ms());
}

TEST_F(ContentStoreTest, Joins) {
  auto store = open();
  std::mt19937_64 random(9);
  for (int round = 0; round < 30; ++round) {
    std::vector<ContentId> parts;
    std::string expected;
    for (auto left = random() % 6; left > 0; --left) {
      const uint64_t size = random() % 3 == 0 ? block_bytes * (random() % 4) : random() % 200'000;
      const std::string bytes = random_bytes(random(), size);
      parts.push_back(put(store, bytes));
      expected += bytes;
    }
    const auto joined = store.join(parts);
    ASSERT_TRUE(joined) << joined.error().detail;
    ASSERT_EQ(joined->bytes, expected.size());
    ASSERT_EQ(get(store, joined->id), expected);
    const auto reader = store.read(joined->id);
    for (int range = 0; range < 50 && !expected.empty(); ++range) {
      const auto offset = random() % expected.size();
      std::string out(random() % 100'000, '\0');
      const auto got = reader->read(offset, out);
      ASSERT_TRUE(got) << got.error().detail;
      out.resize(*got);
      ASSERT_EQ(out, expected.substr(offset, out.size()));
    }
    // Joined contents are contents: they join again, and parts may come twice.
    const std::vector<ContentId> twice{joined->id, joined->id};
    ASSERT_EQ(get(store, store.join(twice)->id), expected + expected);
  }
}

TEST_F(ContentStoreTest, HundredsOfParts) {
  auto store = open();
  std::vector<ContentId> parts;
  std::string expected;
  for (int i = 0; i < 700; ++i) {
    const std::string bytes =
        random_bytes(static_cast<uint64_t>(i), 1 + static_cast<std::size_t>(i) * 7 % 3000);
    parts.push_back(put(store, bytes));
    expected += bytes;
  }
  const auto joined = store.join(parts);
  ASSERT_TRUE(joined);
  for (const auto& part : parts) {
    ASSERT_TRUE(*store.remove(part));
  }
  EXPECT_EQ(get(store, joined->id), expected);
  std::string out(10, '\0');
  ASSERT_TRUE(store.read(joined->id)->read(expected.size() / 2, out));
  EXPECT_EQ(out, expected.substr(expected.size() / 2, 10));
}

TEST_F(ContentStoreTest, DamageOfAPartIsNotJoinedAway) {
  auto store = open();
  const std::vector<ContentId> parts{put(store, random_bytes(1, 100'000)), put(store, random_bytes(2, 1000))};
  auto bad = file_text(path_of(parts[1]));
  bad[500] ^= 4;
  overwrite(path_of(parts[1]), bad);
  const auto joined = store.join(parts);
  ASSERT_TRUE(joined);
  const auto reader = store.read(joined->id);
  EXPECT_EQ(reader->verify().error().kind, ErrorKind::corruption);
  std::string out(100'000, '\0');
  EXPECT_TRUE(reader->read(0, out));
}

TEST_F(ContentStoreTest, JoinOfAPartThatIsGone) {
  auto store = open();
  const std::vector<ContentId> parts{put(store, "a"), put(store, "b")};
  ASSERT_TRUE(*store.remove(parts[1]));
  EXPECT_EQ(store.join(parts).error().kind, ErrorKind::not_found);
  EXPECT_TRUE(files_in("incoming").empty());
  EXPECT_EQ(files_in("contents").size(), 1U);
}

TEST_F(ContentStoreTest, ManyThreads) {
  auto store = open();
  std::vector<std::thread> threads;
  std::mutex mutex;
  std::map<ContentId, uint64_t> stored;
  for (uint64_t thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&, thread] {
      for (uint64_t i = 0; i < 50; ++i) {
        const uint64_t seed = thread * 1000 + i;
        const auto id = put(store, random_bytes(seed, seed * 37 % 100'000));
        const std::lock_guard lock(mutex);
        EXPECT_TRUE(stored.emplace(id, seed).second);
      }
    });
  }
  for (auto& thread : threads) {
    thread.join();
  }
  for (const auto& [id, seed] : stored) {
    ASSERT_EQ(get(store, id), random_bytes(seed, seed * 37 % 100'000));
  }
  EXPECT_EQ(stored.size(), 200U);
}

}  // namespace
}  // namespace waybill::object
