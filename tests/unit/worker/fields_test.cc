// What workers write into records, and what they read out of them.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "worker/crew.h"
#include "worker/image_worker.h"
#include "worker/photo_worker.h"
#include "worker/text_worker.h"
#include "worker/trouble.h"
#include "worker/work_folder.h"
#include "worker/workers.h"

namespace waybill::worker {
namespace {

TEST(Fields, OfATextAreTheDocuments) {
  text::Figures figures;
  figures.total_words = 1200;
  figures.unique_words = 340;
  figures.average_word_length = 4.7;
  figures.top_words = {{"the", 80}, {"and", 45}};
  EXPECT_EQ(result_fields(figures),
            R"({"result":{"totalWords":1200,"uniqueWords":340,"avgWordLength":4.7,)"
            R"("top10Words":[{"word":"the","count":80},{"word":"and","count":45}]}})");
}

TEST(Fields, OfAnImageAreWhatItIs) {
  media::Converted converted;
  converted.original = {800, 600, 12'345, media::Format::avif};
  converted.image = {800, 600, 6'789, media::Format::webp};
  EXPECT_EQ(
      image_fields(converted),
      R"({"width":800,"height":600,"fileSize":12345,"mimeType":"image/avif","processedSize":6789,"format":"webp"})");
}

TEST(Fields, OfAPhotoAreTheDocuments) {
  media::Analysis analysis;
  analysis.labels = {{"Blue", 0.93}};
  analysis.description = "A picture.";
  analysis.safe_search = {media::Likelihood::unlikely, media::Likelihood::very_unlikely};
  EXPECT_EQ(analysis_fields(analysis),
            R"({"analysisResult":{"labels":[{"name":"Blue","confidence":0.93}],"description":"A picture.",)"
            R"("safeSearch":{"adult":"UNLIKELY","violence":"VERY_UNLIKELY"}}})");
  EXPECT_EQ(edit_fields("u/j/0.jpeg", {40, 30, 999, media::Format::jpeg}),
            R"({"s3FinalKey":"u/j/0.jpeg","editResult":{"s3Key":"u/j/0.jpeg","width":40,"height":30,)"
            R"("format":"jpeg","size":999}})");
}

TEST(Fields, TheFinalKeyIsThatOfTheContent) {
  const auto path = testing::TempDir() + "final_key_" + std::to_string(::getpid());
  std::ofstream(path) << "123456789";
  EXPECT_EQ(*final_key("user", "job", path, media::Format::png), "user/job/15e2b0d3c33891eb.png");
  std::filesystem::remove(path);
  EXPECT_FALSE(final_key("user", "job", path, media::Format::png));
}

TEST(Settings, AreFilledInFromTheRecord) {
  json::Parser parser;
  const auto record = *parser.parse_copy(R"({"userId":"u1","version":7,"tags":[]})");
  EXPECT_EQ(filled_in("uploads/{userId}/{version}", record), "uploads/u1/7");
  EXPECT_EQ(filled_in("plain", record), "plain");
  EXPECT_EQ(filled_in("a/{missing}", record), "");
  EXPECT_EQ(filled_in("a/{tags}", record), "");
  EXPECT_EQ(filled_in("open {", record), "open {");
}

TEST(Trouble, IsFinalUnlessItMayPass) {
  EXPECT_TRUE(failure_of(passing_trouble("A", "m")).retry);
  EXPECT_FALSE(failure_of(final_trouble("A", "m")).retry);
  EXPECT_EQ(failure_of(final_trouble("A", "m")).code, "A");
  EXPECT_EQ(failure_of({ErrorKind::internal, "m", ""}).code, "FAILED");
  EXPECT_EQ(failure_of(image_trouble({ErrorKind::too_large, "m", ""})).code, "IMAGE_TOO_LARGE");
  EXPECT_TRUE(failure_of(image_trouble({ErrorKind::unavailable, "m", ""})).retry);
  EXPECT_FALSE(failure_of(object_trouble({ErrorKind::not_found, "m", ""}, "the upload")).retry);
  EXPECT_TRUE(failure_of(object_trouble({ErrorKind::unavailable, "m", ""}, "the upload")).retry);
}

TEST(Workers, AreKnownByName) {
  for (const auto name : worker_names()) {
    EXPECT_NE(make_worker(name), nullptr) << name;
  }
  EXPECT_EQ(make_worker("video"), nullptr);
  EXPECT_EQ(*read_worker_list("--workers", "none"), std::vector<std::string>());
  EXPECT_EQ(*read_worker_list("--workers", "text,photo"), (std::vector<std::string>{"text", "photo"}));
  EXPECT_FALSE(read_worker_list("--workers", "text,"));
  EXPECT_FALSE(read_worker_list("--workers", ""));
}

TEST(WorkFolder, IsGoneWithItsOwnerAndWithTheNextOne) {
  const auto parent = testing::TempDir() + "work_folder_" + std::to_string(::getpid());
  ManualClock clock(SystemClock().wall_ms());
  std::string path;
  {
    const auto folder = WorkFolder::open(parent, clock);
    ASSERT_TRUE(folder) << folder.error().message;
    path = folder->path();
    std::ofstream(path + "/file") << "x";
    clock.advance_ms(3'600'000);
    ASSERT_TRUE(WorkFolder::open(parent, clock));
    EXPECT_TRUE(std::filesystem::exists(path + "/file")) << "it is in use";
  }
  EXPECT_FALSE(std::filesystem::exists(path));
  std::filesystem::create_directories(parent + "/waybill-work-killed/job");
  std::filesystem::create_directories(parent + "/somebody-else");
  ASSERT_TRUE(WorkFolder::open(parent, clock));
  EXPECT_FALSE(std::filesystem::exists(parent + "/waybill-work-killed"));
  EXPECT_TRUE(std::filesystem::exists(parent + "/somebody-else"));
  std::filesystem::remove_all(parent);
}

}  // namespace
}  // namespace waybill::worker
