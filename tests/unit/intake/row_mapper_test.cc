// Items made of rows, and mappings held against contracts (I9).
#include "intake/row_mapper.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "contract/reader.h"
#include "intake/change_table.h"
#include "intake/item_requests.h"
#include "intake/progress.h"
#include "intake/sql.h"
#include "item/json.h"

namespace waybill::intake {
namespace {

constexpr uint32_t uuid_oid = 2950;
constexpr uint32_t text_oid = 1043;
constexpr uint32_t int_oid = 23;
constexpr uint32_t jsonb_oid = 3802;
constexpr uint32_t timestamptz_oid = 1184;

std::string file_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// The mapping of the document's table, with the contract that it is for.
class GalleryTest : public testing::Test {
 protected:
  void SetUp() override {
    mapping_ = read_mapping(file_text(WAYBILL_SHARE "/import/gallery_images.yaml"), problems_);
    const auto contract =
        contract::read_contract(file_text(WAYBILL_CONTRACTS "/image-service.yaml"), problems_);
    ASSERT_TRUE(contract && problems_.empty());
    shape_.table = "ImageMetadata";
    shape_.record = *contract->find("image");
    for (const auto& [attribute, text] : shape_.record->key) {
      shape_.key.push_back({attribute, item::Type::string, text});
    }
    for (const auto& name : columns_of(mapping_)) {
      const bool is_uuid = name == "id" || name == "user_id" || name == "album_id";
      const bool is_number = name == "file_size" || name == "width" || name == "height";
      const bool may_be_null = name != "id" && name != "user_id" && name != "original_filename" &&
                               name != "mime_type" && name != "file_size" && name != "s3_key";
      columns_.push_back({name,
                          is_uuid                 ? uuid_oid
                          : is_number             ? int_oid
                          : name == "tags"        ? jsonb_oid
                          : name.ends_with("_at") ? timestamptz_oid
                                                  : text_oid,
                          may_be_null});
    }
  }

  RowMapper mapper() { return RowMapper::compile(mapping_, shape_, columns_, problems_); }

  // A row of these columns; the others are NULL.
  std::vector<std::optional<std::string_view>> row(
      std::initializer_list<std::pair<std::string_view, std::string_view>> values) {
    std::vector<std::optional<std::string_view>> made(columns_.size());
    for (const auto& [name, value] : values) {
      const auto column = std::ranges::find(columns_, name, &Column::name);
      made.at(static_cast<std::size_t>(column - columns_.begin())) = value;
    }
    return made;
  }

  std::string problem() {
    problems_.clear();
    static_cast<void>(mapper());
    return problems_.empty() ? "" : problems_.front().what;
  }

  Attribute& attribute(std::string_view name) {
    return *std::ranges::find(mapping_.attributes, name, &Attribute::name);
  }

  Mapping mapping_;
  Shape shape_;
  std::vector<Column> columns_;
  contract::Problems problems_;
};

TEST_F(GalleryTest, I9_a_row_becomes_the_item_of_the_document) {
  const auto made = mapper();
  ASSERT_TRUE(problems_.empty()) << problems_.front().what;
  const auto item = made.item_of(row({{"id", "11111111-2222-4333-8444-555555555555"},
                                      {"user_id", "99999999-2222-4333-8444-555555555555"},
                                      {"original_filename", "duck.jpg"},
                                      {"mime_type", "image/jpeg"},
                                      {"file_size", "1234"},
                                      {"s3_key", "images/a.webp"},
                                      {"tags", R"(["lego", "duck"])"},
                                      {"created_at", "2025-01-15 10:30:00.123456+00"},
                                      {"updated_at", "2025-01-16 10:30:00+00"}}));
  ASSERT_TRUE(item) << item.error().message;
  const auto text = [&](std::string_view name) {
    const auto value = item->view().find(name);
    return value ? std::string(value->bytes()) : "-";
  };
  const std::string id = text("id");
  EXPECT_EQ(id.size(), 26U);
  EXPECT_EQ(text("PK"), "IMAGE#" + id);
  EXPECT_EQ(text("SK"), "METADATA");
  EXPECT_EQ(text("fileSize"), "1234");
  EXPECT_EQ(text("albumId"), "-");
  EXPECT_EQ(text("thumbnailKey"), "images/99999999-2222-4333-8444-555555555555/thumbnails/" + id + ".webp");
  EXPECT_EQ(text("processingStatus"), "completed");
  EXPECT_EQ(text("createdAt"), "2025-01-15T10:30:00.123Z");
  EXPECT_EQ(text("uploadedAt"), "2025-01-15T10:30:00.123Z");
  EXPECT_EQ(text("version"), "1");
  EXPECT_TRUE(made.has_its_key(item->view()));
  const auto key = made.key_of(
      row({{"id", "11111111-2222-4333-8444-555555555555"}, {"created_at", "2025-01-15 10:30:00.123456+00"}}));
  ASSERT_TRUE(key);
  EXPECT_EQ(key->encoded, key_in(shape_, item->view()).encoded);
  EXPECT_EQ(identity_columns(mapping_, shape_), (std::vector<std::string>{"id", "created_at"}));
}

TEST_F(GalleryTest, I9_a_mapping_that_does_not_fit_its_contract_is_refused) {
  EXPECT_EQ(problem(), "");
  attribute("thumbnailKey").if_null.reset();
  EXPECT_EQ(problem(),
            "the attribute \"thumbnailKey\" can be null, and the contract would then put something of "
            "its own there");
  attribute("thumbnailKey").column = "s3_key";
  EXPECT_EQ(problem(), "");
  attribute("title").name = "aspectRatio";
  EXPECT_EQ(problem(), "the attribute \"aspectRatio\" is computed by the contract");
  attribute("aspectRatio").name = "PK";
  EXPECT_EQ(problem(), "the attribute \"PK\" is part of the key, which the contract makes");
  attribute("PK").name = "title";
  attribute("fileSize").name = "size";
  EXPECT_EQ(problem(), "the record \"image\" requires \"fileSize\", and no attribute gives it");
  attribute("size").name = "fileSize";
  attribute("title").column = "titel";
  EXPECT_EQ(problem(), "the attribute \"title\" is made of the column \"titel\", which is not there");
  attribute("title").column = "title";
  mapping_.attributes.erase(mapping_.attributes.begin());
  EXPECT_NE(problem().find("the key \"PK\" is made of \"id\", which no attribute gives"), std::string::npos);
}

TEST_F(GalleryTest, a_row_that_cannot_be_an_item_says_why) {
  const auto made = mapper();
  EXPECT_EQ(made.item_of(row({{"id", "x"}, {"created_at", "infinity"}})).error().message,
            "id: \"infinity\" is no moment");
  EXPECT_EQ(made.item_of(row({{"created_at", "2025-01-15 10:30:00+00"}})).error().message,
            "thumbnailKey: an attribute that its text is made of is missing");
}

TEST_F(GalleryTest, expired_rows_are_known_by_the_tables_attribute) {
  shape_.ttl = "ttl";
  item::Item item;
  item::append_name(item.encoded, "ttl");
  item::append_scalar(item.encoded, item::Type::number, "1000");
  EXPECT_TRUE(is_expired(shape_, item.view(), 1001));
  EXPECT_FALSE(is_expired(shape_, item.view(), 999));
  EXPECT_FALSE(is_expired(shape_, item.view(), 1'000'000'000));
  shape_.ttl.clear();
  EXPECT_FALSE(is_expired(shape_, item.view(), 1001));
}

TEST_F(GalleryTest, pages_go_by_the_key_and_never_by_counting) {
  EXPECT_EQ(page_statement(mapping_.source, {"id", "odd\"name"}, 10, false),
            R"(SELECT "id", "odd""name" FROM "gallery_images" ORDER BY "id" LIMIT 10)");
  mapping_.source.schema = "app";
  mapping_.source.key.push_back({"b", {}});
  EXPECT_EQ(
      page_statement(mapping_.source, {"id"}, 10, true),
      R"(SELECT "id" FROM "app"."gallery_images" WHERE ("id", "b") > ($1, $2) ORDER BY "id", "b" LIMIT 10)");
  EXPECT_EQ(
      rows_statement(mapping_.source, {"id"}, {"uuid", "integer"}),
      R"(SELECT "id" FROM "app"."gallery_images" WHERE ("id", "b") IN (SELECT k1::uuid, k2::integer FROM )"
      R"(unnest($1::text[], $2::text[]) AS wanted(k1, k2)))");
  EXPECT_EQ(literal("it's a \\"), R"(E'it''s a \\')");
}

TEST_F(GalleryTest, change_tables_of_two_mappings_of_one_table_differ) {
  const ChangeTable first(mapping_, "public");
  mapping_.target.record = "other";
  const ChangeTable second(mapping_, "public");
  EXPECT_NE(first.name(), second.name());
  EXPECT_TRUE(first.name().starts_with("\"public\".\"waybill_changes_gallery_images_")) << first.name();
  mapping_.source.table = std::string(63, 'x');
  EXPECT_LE(ChangeTable(mapping_, "public").channel().size() + 4, 63U);
}

TEST(Progress, is_what_was_written_and_nothing_else_is_taken_for_one) {
  Progress progress;
  progress.fingerprint = "f";
  progress.was_prepared = true;
  progress.last_key = {"a\"b", "ü"};
  progress.rows = 12;
  progress.written = 10;
  progress.rejected = 1;
  progress.expired = 1;
  progress.checksum = digest_of("x");
  progress.is_complete = true;
  const auto read = parse_progress(progress_text(progress));
  ASSERT_TRUE(read);
  EXPECT_EQ(progress_text(*read), progress_text(progress));
  EXPECT_EQ(read->last_key, progress.last_key);
  for (const std::string_view wrong :
       {"", "{}", "[]", R"({"version":2})", R"({"version":1,"fingerprint":"f"})"}) {
    EXPECT_FALSE(parse_progress(wrong)) << wrong;
  }
}

}  // namespace
}  // namespace waybill::intake
