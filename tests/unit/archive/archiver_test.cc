// Records whose time is over end in files that can be read again.
#include "archive/archiver.h"

#include <filesystem>

#include "rules/fixture.h"
#include "transfer/compression.h"

namespace waybill::archive {
namespace {

class ArchiverTest : public rules::RulesTest {
 protected:
  Archiver::Options options() { return {&clock_, directory_ + "/archive", 3'600'000}; }

  std::vector<std::string> files() {
    std::vector<std::string> found;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(directory_ + "/archive")) {
      if (entry.is_regular_file()) {
        found.push_back(std::filesystem::relative(entry.path(), directory_ + "/archive").string());
      }
    }
    return found;
  }

  std::string content(const std::string& file) {
    auto source = transfer::open_source(directory_ + "/archive/" + file, transfer::Compression::gzip);
    std::string text;
    while (*(*source)->read(text)) {
    }
    return text;
  }
};

constexpr std::string_view job = R"({"PK":{"S":"PROJECT#p"},"SK":{"S":"JOB#j"},"asset_type":{"S":"3D"})";

TEST_F(ArchiverTest, A9_a_job_is_archived_when_its_time_is_over) {
  use("asset-creator");
  ASSERT_EQ(put(std::string(job) + "}"), "");
  ASSERT_EQ(put(std::string(job) + R"(,"status":{"S":"canceled"}})"), "");
  Archiver archiver(*store_, options());
  EXPECT_EQ(*archiver.run_once(), 0U);
  clock_.advance_ms(int64_t{91} * 86'400'000);
  ASSERT_TRUE(eventually([&] { return rows(rules::archive_table).size() == 1; }));
  EXPECT_EQ(*archiver.run_once(), 1U);
  EXPECT_TRUE(rows(rules::archive_table).empty());
  ASSERT_EQ(files().size(), 1U);
  EXPECT_TRUE(files().front().starts_with("asset-creator/2027/04/16/")) << files().front();
  const std::string line = content(files().front());
  EXPECT_TRUE(line.starts_with(R"({"Item":{"PK":{"S":"PROJECT#p"},"SK":{"S":"JOB#j"},)")) << line;
  EXPECT_NE(line.find(R"("Record":"asset-creator/job/p,j","ArchivedAt":"2027-04-16T08:00:00.000Z"})"),
            std::string::npos)
      << line;
}

TEST_F(ArchiverTest, a_file_is_named_by_its_first_record_and_has_lines_as_of_an_export) {
  use("asset-creator");
  const Waiting first{"c", 7, start_ms, "c/r/1", engine::item_of(R"({"id":{"S":"1"}})")};
  EXPECT_EQ(file_of(first), "c/2027/01/15/00000000000000000007.json.gz");
  EXPECT_EQ(line_of(first),
            R"({"Item":{"id":{"S":"1"}},"Record":"c/r/1","ArchivedAt":"2027-01-15T08:00:00.000Z"})"
            "\n");
}

}  // namespace
}  // namespace waybill::archive
