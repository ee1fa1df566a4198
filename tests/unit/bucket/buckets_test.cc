#include "bucket/buckets.h"

#include "bucket/fixture.h"
#include "bucket/part_sizes.h"
#include "rules/system_tables.h"

namespace waybill::bucket {
namespace {

TEST_F(BucketTest, WhatIsPutIsFoundAndWhatItReplacesIsFreed) {
  ASSERT_TRUE(put("a", "one"));
  EXPECT_EQ(get("a"), "one");
  ASSERT_TRUE(put("a", "two"));
  EXPECT_EQ(get("a"), "two");
  EXPECT_EQ(contents_left(), 1U);
  const auto removed = buckets_->remove_object("photos", "a");
  ASSERT_TRUE(removed);
  EXPECT_TRUE(*removed);
  EXPECT_EQ(get("a"), "-");
  EXPECT_EQ(contents_left(), 0U);
  EXPECT_FALSE(*buckets_->remove_object("photos", "a"));
}

TEST_F(BucketTest, RowsComeBackAsTheyWere) {
  ObjectRow row{"photos",
                "k",
                "C",
                12,
                "e-3",
                77,
                99,
                {{{"content-type", "a/b"}}, {{"x", "y"}}},
                ToldChecksum{object::ChecksumAlgorithm::sha1, object::ChecksumType::composite, "abc-3"},
                "4*3"};
  const auto read = read_object_row(encode(row).view());
  EXPECT_EQ(read.bucket, row.bucket);
  EXPECT_EQ(read.key, row.key);
  EXPECT_EQ(read.bytes, row.bytes);
  EXPECT_EQ(read.etag, row.etag);
  EXPECT_EQ(read.modified_ms, row.modified_ms);
  EXPECT_EQ(read.expires_s, row.expires_s);
  EXPECT_EQ(read.description.headers, row.description.headers);
  EXPECT_EQ(read.description.metadata, row.description.metadata);
  EXPECT_EQ(read.checksum, row.checksum);
  EXPECT_EQ(read.part_sizes, row.part_sizes);
}

TEST_F(BucketTest, ConditionsAreDecidedOnWhatIsThere) {
  object::Conditions is_new;
  is_new.if_none_match = "*";
  const auto first = put("a", "one", is_new);
  ASSERT_TRUE(first);
  EXPECT_EQ(code_of(put("a", "two", is_new)), "PreconditionFailed");
  object::Conditions is_same;
  is_same.if_match = "\"" + first->etag + "\"";
  ASSERT_TRUE(put("a", "three", is_same));
  EXPECT_EQ(code_of(put("a", "four", is_same)), "PreconditionFailed");
  EXPECT_EQ(code_of(put("b", "four", is_same)), "NoSuchKey");
  EXPECT_EQ(code_of(buckets_->remove_object("photos", "a", is_same)), "PreconditionFailed");
  EXPECT_EQ(get("a"), "three");
  EXPECT_EQ(contents_left(), 1U);
}

TEST_F(BucketTest, ABucketWithObjectsStays) {
  ASSERT_TRUE(put("a", "one"));
  EXPECT_EQ(code_of(buckets_->remove_bucket("photos")), "BucketNotEmpty");
  EXPECT_EQ(code_of(buckets_->create_bucket("photos")), "BucketAlreadyOwnedByYou");
  EXPECT_EQ(code_of(buckets_->create_bucket("x")), "InvalidBucketName");
  ASSERT_TRUE(buckets_->remove_object("photos", "a"));
  EXPECT_TRUE(buckets_->remove_bucket("photos"));
  EXPECT_EQ(code_of(put("a", "one")), "NoSuchBucket");
  EXPECT_EQ(contents_left(), 0U);
}

// What a crash leaves between the content's commit and the row's.
TEST_F(BucketTest, ContentsWithoutARowAreSweptAtTheNextStart) {
  ASSERT_TRUE(put("kept", "one"));
  content("never named");
  EXPECT_EQ(contents_on_disk(), 2U);
  clock_.advance_ms(5);
  open_buckets();
  const auto swept = buckets_->sweep(clock_.wall_ms());
  ASSERT_TRUE(swept);
  EXPECT_EQ(contents_on_disk(), 1U);
  EXPECT_EQ(get("kept"), "one");
}

TEST_F(BucketTest, WhatWasFreedBeforeAStopIsTakenAwayAfterIt) {
  ASSERT_TRUE(put("a", "one"));
  const auto row = buckets_->find_object("photos", "a");
  buckets_.reset();  // nobody collects, though the row goes
  store::Transaction transaction;
  transaction.actions.push_back(
      remove_row(store_->find_table(rules::objects_table), key_of_object("photos", "a")));
  commit(std::move(transaction));
  EXPECT_EQ(contents_on_disk(), 1U);
  open_buckets();
  EXPECT_EQ(contents_left(), 0U);
}

TEST_F(BucketTest, ObjectsOfABucketWithATimeGoWithTheirContents) {
  ASSERT_TRUE(buckets_->ensure_bucket("temporary", "contract", {std::nullopt, {}, 60}));
  ASSERT_TRUE(buckets_->put_object({"temporary", "a", {}, {}}, content("soon gone")));
  ASSERT_TRUE(buckets_->put_object({"temporary", "b", {}, {}}, content("soon gone")));
  clock_.advance_ms(61'000);
  EXPECT_FALSE(*buckets_->find_object("temporary", "a"));
  // Written over before anybody has swept it.
  ASSERT_TRUE(buckets_->put_object({"temporary", "a", {}, {}}, content("new")));
  ASSERT_TRUE(buckets_->remove_object("temporary", "a"));
  for (int i = 0; i < 200 && contents_left() != 0; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));  // the store's own sweep
  }
  EXPECT_EQ(contents_left(), 0U);
  EXPECT_TRUE(buckets_->remove_bucket("temporary"));
}

TEST_F(BucketTest, LimitsOfABucketHoldForAllThatComesIn) {
  ASSERT_TRUE(buckets_->ensure_bucket("small", "contract", {4, {"image/png"}, {}}));
  const Description png{{{"content-type", "image/png"}}, {}};
  EXPECT_EQ(code_of(buckets_->put_object({"small", "a", png, {}}, content("12345"))), "EntityTooLarge");
  EXPECT_EQ(code_of(buckets_->put_object({"small", "a", {}, {}}, content("1"))), "InvalidRequest");
  EXPECT_TRUE(buckets_->put_object({"small", "a", png, {}}, content("1234")));
  ASSERT_TRUE(put("large", "12345"));
  EXPECT_EQ(code_of(buckets_->copy_object(**buckets_->find_object("photos", "large"), {"small", "b", png, {}},
                                          false)),
            "EntityTooLarge");
  EXPECT_EQ(contents_left(), 2U);
}

TEST_F(BucketTest, PartsBecomeOneObjectAndAreGone) {
  const auto upload = buckets_->create_upload({"photos", "big", {}, {}}, {});
  ASSERT_TRUE(upload);
  const std::string first(object::part_bytes_min, 'a');
  const auto one = buckets_->put_part(*upload, 1, content(first));
  const auto two = buckets_->put_part(*upload, 2, content("end"));
  const auto unused = buckets_->put_part(*upload, 3, content("unused"));
  ASSERT_TRUE(one && two && unused);
  Completion completion;
  completion.parts = {{1, one->md5, {}}, {2, two->md5, {}}};
  const auto made = buckets_->complete_upload(*upload, completion);
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(made->part_sizes, "5242880,3");
  EXPECT_EQ(get("big"), first + "end");
  EXPECT_EQ(contents_left(), 1U);
  EXPECT_EQ(code_of(buckets_->complete_upload(*upload, completion)), "InvalidPart");
  EXPECT_EQ(code_of(buckets_->put_part(*upload, 4, content("late"))), "NoSuchUpload");
  EXPECT_EQ(contents_left(), 1U);
}

TEST_F(BucketTest, AnUploadThatNobodyCompletesIsGivenUp) {
  const auto upload = buckets_->create_upload({"photos", "big", {}, {}}, {});
  ASSERT_TRUE(buckets_->put_part(*upload, 1, content("part")));
  clock_.advance_ms(int64_t{8} * 24 * 60 * 60 * 1000);
  EXPECT_EQ(code_of(buckets_->need_upload("photos", "big", upload->id)), "NoSuchUpload");
  for (int i = 0; i < 200 && contents_left() != 0; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));  // the store's own sweep
  }
  EXPECT_EQ(contents_left(), 0U);
}

TEST_F(BucketTest, ListingsGoByTheBytesOfKeys) {
  for (const auto* const key : {"b/2", "a", "b/1", "c", "b\xC3\xA4"}) {
    ASSERT_TRUE(put(key, key));
  }
  object::ListQuery query;
  query.delimiter = "/";
  query.entries_max = 2;
  const auto first = buckets_->list_objects("photos", query);
  ASSERT_TRUE(first);
  ASSERT_EQ(first->objects.size(), 1U);
  EXPECT_EQ(first->objects[0].key, "a");
  EXPECT_EQ(first->common_prefixes, std::vector<std::string>{"b/"});
  ASSERT_TRUE(first->is_truncated);
  query.position = first->next;
  const auto second = buckets_->list_objects("photos", query);
  ASSERT_EQ(second->objects.size(), 2U);
  EXPECT_EQ(second->objects[0].key, "b\xC3\xA4");
  EXPECT_FALSE(second->is_truncated);
}

TEST(PartSizes, AreShortAndFindTheirParts) {
  const std::vector<uint64_t> sizes = {8, 8, 8, 5};
  const std::string text = part_sizes(sizes);
  EXPECT_EQ(text, "8*3,5");
  EXPECT_EQ(count_parts(text), 4);
  const auto third = find_part(text, 3);
  ASSERT_TRUE(third);
  EXPECT_EQ(third->range, (object::ByteRange{16, 8}));
  EXPECT_EQ(find_part(text, 4)->range, (object::ByteRange{24, 5}));
  EXPECT_FALSE(find_part(text, 5));
  EXPECT_FALSE(find_part(text, 0));
}

}  // namespace
}  // namespace waybill::bucket
