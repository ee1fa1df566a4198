// Contents in S3: the same promises as in a folder, with a server that plays S3 and can be made to misbehave.
#include "depot/s3_place.h"

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <thread>

#include "base/descriptor.h"
#include "depot/incoming_upload.h"
#include "depot/remote_content.h"
#include "fake_s3.h"
#include "object/content_store.h"

namespace waybill::depot {
namespace {

using object::ContentId;
using object::ContentStore;

constexpr uint64_t no_limit = uint64_t{1} << 40;
constexpr std::size_t MB = 1 << 20;
constexpr const char* secret = "a-secret-that-nobody-may-see";

const SystemClock system_clock;

std::string random_bytes(uint64_t seed, std::size_t count) {
  std::mt19937_64 random(seed);
  std::string bytes(count, '\0');
  for (char& c : bytes) {
    c = static_cast<char>(random());
  }
  return bytes;
}

class S3PlaceTest : public testing::Test {
 protected:
  S3PlaceTest() : place_(std::make_shared<S3Place>(options(s3_.url()))), store_(place_) {}

  S3Place::Options options(const std::string& url) {
    S3Place::Options options;
    options.connection.endpoint = url;
    options.connection.key = {"id", secret};
    options.connection.clock = &system_clock;
    options.location = {"bucket", "some/prefix/"};
    options.patience = {
        .connect_ms = 500, .silence_ms = 500, .answer_ms = 5'000, .copy_ms = 5'000, .trying_again_ms = 400};
    options.clock = &clock_;
    options.entropy = &entropy_;
    return options;
  }

  ContentId put(std::string_view bytes) {
    auto writer = store_.begin({no_limit, {}});
    EXPECT_TRUE(writer && writer->append(bytes));
    auto stored = writer->commit();
    EXPECT_TRUE(stored) << stored.error().detail;
    return stored->id;
  }

  std::string get(const ContentId& id) {
    const auto reader = store_.read(id);
    EXPECT_TRUE(reader) << reader.error().detail;
    std::string bytes(reader->bytes(), '\0');
    for (std::size_t done = 0; done < bytes.size();) {
      const auto got = reader->read(done, std::span(bytes).subspan(done, std::min(MB, bytes.size() - done)));
      EXPECT_TRUE(got) << got.error().detail;
      if (!got) {
        return "";
      }
      done += *got;
    }
    return bytes;
  }

  static std::string key_of(const ContentId& id) { return "some/prefix/" + id.text(); }

  ManualClock clock_{1'700'000'000'000};
  SystemEntropy entropy_;
  FakeS3 s3_;
  std::shared_ptr<S3Place> place_;
  ContentStore store_;
};

bool is_delete(const SeenRequest& request) {
  return request.method == "DELETE";
}
bool is_get(const SeenRequest& request) {
  return request.method == "GET";
}
bool is_copy(const SeenRequest& request) {
  return request.headers.contains("x-amz-copy-source");
}
bool is_completion(const SeenRequest& request) {
  return request.method == "POST" && request.target.find("uploadId=") != std::string::npos;
}

TEST_F(S3PlaceTest, GivesBackWhatWasWritten) {
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{1}, std::size_t{65'536}, 3 * MB, 8 * MB - 700, 8 * MB, 20 * MB + 3}) {
    const auto bytes = random_bytes(size, size);
    const auto id = put(bytes);
    EXPECT_EQ(get(id), bytes) << size;
    EXPECT_TRUE(s3_.objects.contains(key_of(id)));
  }
  EXPECT_TRUE(s3_.uploads.empty());
}

TEST_F(S3PlaceTest, ASmallContentIsOneRequestEachWay) {
  const auto bytes = random_bytes(1, 100'000);
  const auto id = put(bytes);
  ASSERT_EQ(s3_.seen().size(), 1U);
  const auto request = s3_.seen()[0];
  EXPECT_EQ(request.method, "PUT");
  EXPECT_EQ(request.headers.at("x-amz-checksum-crc32c").size(), 8U);
  EXPECT_EQ(request.headers.at("x-amz-content-sha256").size(), 64U);
  EXPECT_TRUE(request.headers.at("authorization").starts_with("AWS4-HMAC-SHA256 Credential=id/"));
  EXPECT_EQ(get(id), bytes);
  EXPECT_EQ(s3_.seen().size(), 2U);
}

TEST_F(S3PlaceTest, Ranges) {
  const auto bytes = random_bytes(2, 3 * MB + 77);
  const auto id = put(bytes);
  const auto reader = store_.read(id);
  ASSERT_TRUE(reader);
  for (const auto& [offset, count] :
       std::vector<std::pair<std::size_t, std::size_t>>{{0, 1}, {65'535, 2}, {MB - 3, MB}, {3 * MB, 77}}) {
    std::string out(count, '\0');
    const auto got = reader->read(offset, out);
    ASSERT_TRUE(got) << got.error().detail;
    EXPECT_EQ(out, bytes.substr(offset, count)) << offset;
  }
  std::string behind(10, 'x');
  EXPECT_EQ(*reader->read(bytes.size(), behind), 0U);
}

TEST_F(S3PlaceTest, WhoReadsOnIsReadAheadFor) {
  const auto bytes = random_bytes(3, 16 * MB);
  const auto id = put(bytes);
  EXPECT_EQ(get(id), bytes);
  EXPECT_LE(s3_.count(is_get), 7U);  // the end, the first MB, and four at a time
}

TEST_F(S3PlaceTest, SumsOfLargeContentsAreNotAskedForOneByOne) {
  // More than 256 MiB have more sums than a reader keeps.
  const std::string piece = random_bytes(4, 8 * MB);
  std::vector<ContentId> parts(34, put(piece));
  const auto joined = store_.join(parts);
  ASSERT_TRUE(joined) << joined.error().detail;
  EXPECT_EQ(joined->bytes, 34 * piece.size());
  const auto before = s3_.count(is_get);
  const auto reader = store_.read(joined->id);
  ASSERT_TRUE(reader) << reader.error().detail;
  std::string out(MB, '\0');
  for (std::size_t i = 0; i < 32; ++i) {
    ASSERT_TRUE(reader->read(i * MB, out));
    EXPECT_EQ(out, piece.substr(i % 8 * MB, MB));
  }
  EXPECT_LE(s3_.count(is_get) - before, 12U);
}

TEST_F(S3PlaceTest, JoinsByCopyingWhatIsLargeEnough) {
  const std::vector<std::string> pieces = {random_bytes(5, 5 * MB), random_bytes(6, 9 * MB + 5),
                                           random_bytes(7, 777)};
  std::vector<ContentId> ids;
  for (const auto& piece : pieces) {
    ids.push_back(put(piece));
  }
  const auto joined = store_.join(ids);
  ASSERT_TRUE(joined) << joined.error().detail;
  EXPECT_EQ(get(joined->id), pieces[0] + pieces[1] + pieces[2]);
  EXPECT_EQ(s3_.count(is_copy), 2U);
  EXPECT_TRUE(s3_.uploads.empty());
}

TEST_F(S3PlaceTest, JoinsSmallOnesAndThoseBetween) {
  const std::vector<std::string> pieces = {random_bytes(8, 100), random_bytes(9, 11 * MB),
                                           random_bytes(10, 7), random_bytes(11, 6 * MB),
                                           random_bytes(12, 2 * MB)};
  std::vector<ContentId> ids;
  std::string whole;
  for (const auto& piece : pieces) {
    ids.push_back(put(piece));
    whole += piece;
  }
  const auto joined = store_.join(ids);
  ASSERT_TRUE(joined) << joined.error().detail;
  EXPECT_EQ(get(joined->id), whole);
  const auto one = store_.join(std::span(ids).first(1));
  ASSERT_TRUE(one);
  EXPECT_EQ(get(one->id), pieces[0]);
  EXPECT_NE(one->id, ids[0]);
}

TEST_F(S3PlaceTest, JoinsWhereTheServerCannotCopy) {
  const std::vector<std::string> pieces = {random_bytes(30, 6 * MB), random_bytes(31, 9 * MB + 5),
                                           random_bytes(32, 777)};
  std::vector<ContentId> ids;
  for (const auto& piece : pieces) {
    ids.push_back(put(piece));
  }
  for (const bool tells : {true, false}) {
    s3_.set_mishap([tells](const SeenRequest& request) -> std::optional<http::Response> {
      if (!is_copy(request)) {
        return {};
      }
      return tells ? FakeS3::error(501, "NotImplemented") : answer_with(200, "");  // taken for an empty part
    });
    store_ = ContentStore(std::make_shared<S3Place>(options(s3_.url())));
    const auto before = s3_.count(is_copy);
    const auto joined = store_.join(ids);
    ASSERT_TRUE(joined) << joined.error().detail;
    EXPECT_EQ(get(joined->id), pieces[0] + pieces[1] + pieces[2]);
    EXPECT_EQ(s3_.count(is_copy) - before, 1U);  // asked once, and not again
  }
}

TEST_F(S3PlaceTest, WhatIsNotCommittedLeavesNothing) {
  {
    auto writer = store_.begin({no_limit, {}});
    ASSERT_TRUE(writer && writer->append(random_bytes(13, 20 * MB)));
    EXPECT_EQ(s3_.uploads.size(), 1U);
    EXPECT_TRUE(s3_.objects.empty());
  }
  EXPECT_TRUE(s3_.uploads.empty());
  auto limited = store_.begin({10 * MB, {}});
  ASSERT_TRUE(limited);
  EXPECT_FALSE(limited->append(random_bytes(13, 20 * MB)));
  auto expected = store_.begin({no_limit, {}});
  ASSERT_TRUE(expected && expected->append("short"));
  EXPECT_EQ(expected->commit({.bytes = 6, .md5 = {}, .checksums = {}}).error().kind,
            ErrorKind::incomplete_body);
  EXPECT_TRUE(s3_.objects.empty());
}

TEST_F(S3PlaceTest, PassingTroubleIsTriedAgain) {
  int failures = 2;
  s3_.set_mishap([&](const SeenRequest&) -> std::optional<http::Response> {
    return failures-- > 0 ? std::optional(FakeS3::error(503, "SlowDown")) : std::nullopt;
  });
  const auto id = put("content");
  failures = 1;
  EXPECT_EQ(get(id), "content");
  EXPECT_EQ(s3_.objects.size(), 1U);
}

TEST_F(S3PlaceTest, LastingTroubleIsAnErrorThatSaysWhatToDo) {
  const auto id = put("content");
  s3_.set_mishap([](const SeenRequest&) { return FakeS3::error(500, "InternalError"); });
  auto writer = store_.begin({no_limit, {}});
  ASSERT_TRUE(writer && writer->append("more"));
  const auto stored = writer->commit();
  ASSERT_FALSE(stored);
  EXPECT_EQ(stored.error().kind, ErrorKind::unavailable);
  EXPECT_NE(stored.error().detail.find("status 500 InternalError"), std::string::npos);
  EXPECT_EQ(stored.error().detail.find(secret), std::string::npos);
  EXPECT_EQ(store_.read(id).error().kind, ErrorKind::unavailable);
  EXPECT_EQ(store_.remove(id).error().kind, ErrorKind::unavailable);
  EXPECT_EQ(store_.sweep([](const ContentId&) { return false; }, INT64_MAX).error().kind,
            ErrorKind::unavailable);
  s3_.set_mishap({});
  EXPECT_EQ(s3_.objects.size(), 1U);
}

TEST_F(S3PlaceTest, RefusalsAreNotTriedAgain) {
  s3_.set_mishap([](const SeenRequest&) { return FakeS3::error(403, "SignatureDoesNotMatch"); });
  auto writer = store_.begin({no_limit, {}});
  ASSERT_TRUE(writer && writer->append("more"));
  const auto stored = writer->commit();
  ASSERT_FALSE(stored);
  EXPECT_EQ(stored.error().kind, ErrorKind::unavailable);
  EXPECT_NE(stored.error().detail.find("SignatureDoesNotMatch"), std::string::npos);
  EXPECT_EQ(s3_.seen().size(), 1U);
}

TEST_F(S3PlaceTest, ABucketThatIsGoneIsNoMissingContent) {
  const auto id = put("content");
  s3_.set_mishap([](const SeenRequest&) { return FakeS3::error(404, "NoSuchBucket"); });
  EXPECT_EQ(store_.read(id).error().kind, ErrorKind::unavailable);
  s3_.set_mishap({});
  ASSERT_TRUE(store_.remove(id));
  EXPECT_EQ(store_.read(id).error().kind, ErrorKind::not_found);
}

TEST_F(S3PlaceTest, APartThatFailsEndsTheUpload) {
  s3_.set_mishap([](const SeenRequest& request) -> std::optional<http::Response> {
    const bool is_third = request.target.find("partNumber=3") != std::string::npos;
    return is_third ? std::optional(FakeS3::error(500, "InternalError")) : std::nullopt;
  });
  {
    auto writer = store_.begin({no_limit, {}});
    ASSERT_TRUE(writer);
    EXPECT_EQ(writer->append(random_bytes(14, 30 * MB)).error().kind, ErrorKind::unavailable);
    EXPECT_FALSE(writer->commit());
  }
  EXPECT_TRUE(s3_.uploads.empty());
  EXPECT_TRUE(s3_.objects.empty());
}

TEST_F(S3PlaceTest, ACompletionThatFailsBehindStatus200) {
  s3_.set_mishap([](const SeenRequest& request) -> std::optional<http::Response> {
    return is_completion(request) ? std::optional(FakeS3::error(200, "InternalError")) : std::nullopt;
  });
  {
    auto writer = store_.begin({no_limit, {}});
    ASSERT_TRUE(writer && writer->append(random_bytes(15, 9 * MB)));
    EXPECT_EQ(writer->commit().error().kind, ErrorKind::unavailable);
  }
  EXPECT_TRUE(s3_.uploads.empty());
  EXPECT_TRUE(s3_.objects.empty());
}

TEST_F(S3PlaceTest, ACompletionWhoseAnswerWasLost) {
  bool is_lost = true;
  s3_.set_mishap([&](const SeenRequest& request) -> std::optional<http::Response> {
    if (!is_completion(request) || !std::exchange(is_lost, false)) {
      return {};
    }
    s3_.serve(request);
    return FakeS3::error(500, "InternalError");
  });
  const auto bytes = random_bytes(16, 9 * MB);
  EXPECT_EQ(get(put(bytes)), bytes);
  EXPECT_FALSE(is_lost);
}

TEST_F(S3PlaceTest, DamageIsNoticed) {
  const auto small = put(random_bytes(17, 1'000));
  const auto large = put(random_bytes(18, 3 * MB));
  s3_.objects[key_of(small)][500] ^= 1;
  s3_.objects[key_of(large)][2 * MB + 5] ^= 1;
  std::string out(1'000, '\0');
  EXPECT_EQ(store_.read(small)->read(0, out).error().kind, ErrorKind::corruption);
  EXPECT_TRUE(store_.read(large)->read(0, out));
  EXPECT_EQ(store_.read(large)->verify().error().kind, ErrorKind::corruption);
  // Bytes that are gone.
  s3_.objects[key_of(large)].pop_back();
  EXPECT_EQ(store_.read(large).error().kind, ErrorKind::corruption);
  s3_.objects[key_of(small)].clear();
  EXPECT_FALSE(store_.read(small));
}

TEST_F(S3PlaceTest, AnswersThatAreNotWhatWasAskedFor) {
  const auto id = put(random_bytes(19, 3 * MB));
  const auto reader = store_.read(id);
  ASSERT_TRUE(reader);
  std::string out(100'000, '\0');
  s3_.set_mishap([](const SeenRequest&) { return answer_with(200, std::string(10'000'000, 'x')); });
  EXPECT_EQ(reader->read(0, out).error().kind, ErrorKind::unavailable);
  EXPECT_EQ(store_.read(id).error().kind, ErrorKind::unavailable);
  s3_.set_mishap([](const SeenRequest&) {
    auto response = answer_with(206, "short");
    response.headers.emplace_back("Content-Range", "bytes 0-4/100");
    return response;
  });
  EXPECT_FALSE(reader->read(0, out));
}

TEST_F(S3PlaceTest, AServerThatDoesNotCountFromTheEnd) {
  const auto bytes = random_bytes(22, 3 * MB);
  const auto id = put(bytes);
  s3_.set_mishap([this](SeenRequest request) -> std::optional<http::Response> {
    auto& range = request.headers["range"];
    if (range.starts_with("bytes=-")) {
      range.insert(6, "0");  // the first bytes in place of the last
      return s3_.serve(request);
    }
    return {};
  });
  EXPECT_EQ(get(id), bytes);
}

TEST_F(S3PlaceTest, RemovedWhileItIsRead) {
  const auto bytes = random_bytes(20, 3 * MB);
  const auto id = put(bytes);
  {
    const auto reader = store_.read(id);
    ASSERT_TRUE(reader);
    ASSERT_TRUE(store_.remove(id));
    std::string out(bytes.size(), '\0');
    ASSERT_TRUE(reader->read(0, out));
    EXPECT_EQ(out, bytes);
    EXPECT_EQ(s3_.objects.size(), 1U);
  }
  for (int i = 0; i < 500 && s3_.count(is_delete) == 0; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_EQ(s3_.count(is_delete), 1U);
  EXPECT_TRUE(s3_.objects.empty());
}

TEST_F(S3PlaceTest, SweepRemovesWhatNoRowKnows) {
  std::vector<ContentId> ids;
  for (int i = 0; i < 5; ++i) {
    ids.push_back(put("content " + std::to_string(i)));
    clock_.advance_ms(1'000);
  }
  s3_.objects["some/prefix/waybill-owner"] = "owner x\n";
  s3_.objects["some/prefix/foreign"] = "somebody's";
  s3_.objects["some/other"] = "somebody's";
  s3_.uploads["left"].key = key_of(ids[0]);
  s3_.uploads["foreign"].key = "some/prefix/foreign";
  s3_.uploads["young"].key = key_of(ids[4]);
  const auto report = store_.sweep([&](const ContentId& id) { return id == ids[1]; }, ids[4].committed_ms());
  ASSERT_TRUE(report) << report.error().detail;
  EXPECT_EQ(report->seen, 5U);
  EXPECT_EQ(report->removed, 3U);
  EXPECT_EQ(report->foreign, 1U);
  EXPECT_EQ(s3_.objects.size(), 5U);
  EXPECT_TRUE(s3_.objects.contains(key_of(ids[1])));
  EXPECT_TRUE(s3_.objects.contains(key_of(ids[4])));
  EXPECT_FALSE(s3_.uploads.contains("left"));
  EXPECT_EQ(s3_.uploads.size(), 2U);
}

TEST_F(S3PlaceTest, ALongUploadIsYoungWhenItIsCommitted) {
  auto writer = store_.begin({no_limit, {}});
  ASSERT_TRUE(writer && writer->append(random_bytes(21, 9 * MB)));
  constexpr int64_t hours_ms = 2 * 60 * 60 * 1000;
  clock_.advance_ms(hours_ms);
  const auto nobody = [](const ContentId&) { return false; };
  ASSERT_TRUE(store_.sweep(nobody, clock_.wall_ms() - hours_ms / 2));
  EXPECT_EQ(s3_.uploads.size(), 1U);  // it is being made
  const auto stored = writer->commit();
  ASSERT_TRUE(stored) << stored.error().detail;
  ASSERT_TRUE(store_.sweep(nobody, clock_.wall_ms() - hours_ms / 2));
  EXPECT_EQ(s3_.objects.size(), 1U);
  clock_.advance_ms(hours_ms);
  {
    const auto gone = std::move(writer);
  }
  ASSERT_TRUE(store_.sweep(nobody, clock_.wall_ms() - hours_ms / 2));
  EXPECT_TRUE(s3_.objects.empty());
}

TEST_F(S3PlaceTest, AServerThatDoesNotAnswer) {
  const Descriptor silent(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof(address);
  auto* const where = reinterpret_cast<sockaddr*>(&address);
  ASSERT_EQ(::bind(silent.number(), where, length), 0);
  ASSERT_EQ(::listen(silent.number(), 8), 0);
  ASSERT_EQ(::getsockname(silent.number(), where, &length), 0);
  auto wanted = options("http://127.0.0.1:" + std::to_string(ntohs(address.sin_port)));
  wanted.patience.answer_ms = 300;
  wanted.patience.silence_ms = 300;
  ContentStore store(std::make_shared<S3Place>(wanted));
  auto writer = store.begin({no_limit, {}});
  ASSERT_TRUE(writer && writer->append("content"));
  EXPECT_EQ(writer->commit().error().kind, ErrorKind::unavailable);
  EXPECT_EQ(store.read(*ContentId::parse("01HF7YAT00000000000000000A")).error().kind, ErrorKind::unavailable);
}

class ClaimTest : public S3PlaceTest {
 protected:
  ClaimTest() : folder_(testing::TempDir() + "claim_test_" + std::to_string(::getpid())) {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  ~ClaimTest() override { std::filesystem::remove_all(folder_); }

  std::string file() const { return folder_ + "/objects-in-s3"; }
  Status claim_at(const std::string& prefix) {
    auto wanted = options(s3_.url());
    wanted.location.prefix = prefix;
    S3Place place(wanted);
    return claim(place.bucket(), {file(), folder_ + "/objects", entropy_, clock_});
  }

  std::string folder_;
};

TEST_F(ClaimTest, AServerComesBack) {
  EXPECT_TRUE(check_not_elsewhere(file()));
  ASSERT_TRUE(claim_at("a/"));
  ASSERT_TRUE(claim_at("a/"));
  EXPECT_TRUE(s3_.objects.contains("a/waybill-owner"));
  const auto elsewhere = check_not_elsewhere(file());
  ASSERT_FALSE(elsewhere);
  EXPECT_NE(elsewhere.error().message.find("--objects s3://bucket/a"), std::string::npos);
  // The mark was lost, or never written.
  s3_.objects.erase("a/waybill-owner");
  ASSERT_TRUE(claim_at("a/"));
  EXPECT_TRUE(s3_.objects.contains("a/waybill-owner"));
}

TEST_F(ClaimTest, TwoServersDoNotShareAPlace) {
  ASSERT_TRUE(claim_at("a/"));
  std::filesystem::remove(file());
  const auto second = claim_at("a/");
  ASSERT_FALSE(second);
  EXPECT_NE(second.error().message.find("another server's"), std::string::npos);
  EXPECT_TRUE(claim_at("b/"));
}

TEST_F(ClaimTest, AServerThatMovesTakesItsMarkAlong) {
  ASSERT_TRUE(claim_at("a/"));
  const auto moved = claim_at("b/");
  ASSERT_FALSE(moved);
  EXPECT_NE(moved.error().message.find("s3://bucket/a"), std::string::npos);
  s3_.objects["b/waybill-owner"] = s3_.objects["a/waybill-owner"];
  ASSERT_TRUE(claim_at("b/"));
  ASSERT_TRUE(claim_at("b/"));
}

TEST_F(ClaimTest, ContentsInTheFolderAreNotLeftBehind) {
  std::filesystem::create_directories(folder_ + "/objects/contents/A");
  ASSERT_TRUE(claim_at("a/"));
  std::filesystem::remove(file());
  s3_.objects.clear();
  std::ofstream(folder_ + "/objects/contents/A/01HF7YAT00000000000000000A") << "content";
  const auto refused = claim_at("a/");
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("aws s3 cp"), std::string::npos);
  EXPECT_TRUE(s3_.objects.empty());
}

TEST_F(ClaimTest, ABucketThatIsNotThereIsNamed) {
  s3_.set_mishap([](const SeenRequest&) { return FakeS3::error(404, "NoSuchBucket"); });
  const auto refused = claim_at("a/");
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("NoSuchBucket"), std::string::npos);
  EXPECT_NE(refused.error().message.find("--objects-endpoint"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(file()));
}

}  // namespace
}  // namespace waybill::depot
