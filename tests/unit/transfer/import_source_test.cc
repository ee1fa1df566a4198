#include "transfer/import_source.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "transfer/digest.h"
#include "transfer/manifest.h"
#include "transfer/scratch.h"

namespace waybill::transfer {
namespace {

class ImportSourceTest : public ScratchTest {
 protected:
  std::vector<std::string> keys(std::string_view prefix) const {
    std::vector<std::string> listed;
    const auto files = list_source(folder_, prefix);
    for (const auto& file : *files) {
      listed.push_back(file.key);
    }
    return listed;
  }

  void write_export(const std::string& id) const {
    write(id + "/data/1.json.gz", "one");
    write(id + "/data/stray.json.gz", "stray");
    const auto files = manifest_line({"moved/AWSDynamoDB/" + id + "/data/1.json.gz", 1, md5("one")});
    write(id + "/manifest-files.json", files);
    write(id + "/manifest-files.md5", base64(md5(files)));
  }

  static Status verify_all(const std::vector<SourceFile>& files) {
    return verify(files, [] { return true; });
  }
};

using Keys = std::vector<std::string>;

TEST_F(ImportSourceTest, FilesByTheBeginningOfTheirKeys) {
  write("a/2.json", "");
  write("a/1.json", "x");
  write("ab.json", "");
  write("import-errors/e.json", "");
  std::filesystem::create_symlink("/etc/passwd", path("a/link.json"));
  EXPECT_EQ(keys(""), (Keys{"a/1.json", "a/2.json", "ab.json"}));
  EXPECT_EQ(keys("a"), (Keys{"a/1.json", "a/2.json", "ab.json"}));
  EXPECT_EQ(keys("a/"), (Keys{"a/1.json", "a/2.json"}));
  EXPECT_EQ(keys("a/1"), (Keys{"a/1.json"}));
  EXPECT_EQ(list_source(folder_, "c").error().detail, "S3NoSuchKey");
  EXPECT_EQ(list_source(folder_, "c/d").error().detail, "S3NoSuchKey");
  EXPECT_EQ(list_source(path("c"), "").error().detail, "S3NoSuchBucket");
}

TEST_F(ImportSourceTest, AnExportIsWhatItsManifestSays) {
  write_export("AWSDynamoDB/id");
  EXPECT_EQ(keys("AWSDynamoDB/id"), (Keys{"AWSDynamoDB/id/data/1.json.gz"}));
  EXPECT_TRUE(verify_all(*list_source(folder_, "AWSDynamoDB/id")));
  write("AWSDynamoDB/id/data/1.json.gz", "other");
  EXPECT_EQ(verify_all(*list_source(folder_, "AWSDynamoDB/id")).error().detail, "ChecksumMismatch");
  std::filesystem::remove(path("AWSDynamoDB/id/data/1.json.gz"));
  EXPECT_EQ(list_source(folder_, "AWSDynamoDB/id").error().detail, "S3NoSuchKey");
  write("AWSDynamoDB/id/manifest-files.md5", "other");
  EXPECT_EQ(list_source(folder_, "AWSDynamoDB/id").error().detail, "ChecksumMismatch");
}

TEST_F(ImportSourceTest, ExportsThatCannotBeReadAreRefused) {
  write_export("id");
  write("id/manifest-summary.json", R"({"outputFormat":"DYNAMODB_JSON","exportType":"INCREMENTAL_EXPORT"})");
  EXPECT_EQ(list_source(path("id"), "").error().detail, "UnsupportedExport");
  write("id/manifest-summary.json", R"({"outputFormat":"DYNAMODB_JSON","exportType":"FULL_EXPORT"})");
  EXPECT_TRUE(list_source(path("id"), ""));
}

TEST_F(ImportSourceTest, TheOneExportOfAFolderIsFound) {
  EXPECT_EQ(*find_export_folder(folder_), std::nullopt);
  write_export("AWSDynamoDB/id");
  EXPECT_EQ(*find_export_folder(folder_), path("AWSDynamoDB/id"));
  EXPECT_EQ(*find_export_folder(path("AWSDynamoDB")), path("AWSDynamoDB/id"));
  EXPECT_EQ(*find_export_folder(path("AWSDynamoDB/id")), path("AWSDynamoDB/id"));
  write_export("AWSDynamoDB/other");
  EXPECT_FALSE(find_export_folder(folder_));
}

}  // namespace
}  // namespace waybill::transfer
