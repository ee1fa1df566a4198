#include "text/word_counter.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include <filesystem>
#include <map>
#include <random>

#include "text/reference.h"
#include "text/run_merge.h"
#include "text/word_table.h"

namespace waybill::text {
namespace {

class WordCounterTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "waybill-text-XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override {
    EXPECT_TRUE(std::filesystem::is_empty(folder_));
    std::filesystem::remove_all(folder_);
  }

  std::string folder_;
};

// Words of all lengths, some of them far more often than others.
std::string draw_word(std::mt19937_64& random, uint64_t different) {
  const uint64_t number = random() % (random() % 2 == 0 ? different : 1 + different / 100);
  return std::to_string(number * 7919) + std::string(number % 23, 'x') + (number % 5 == 0 ? "é" : "");
}

TEST(WordTable, CountsLikeAMap) {
  std::mt19937_64 random(1);
  WordTable table(7);
  std::map<std::string, uint64_t> model;
  for (int round = 0; round < 100; ++round) {
    table.reserve(500);
    for (int i = 0; i < 500; ++i) {
      const auto word = draw_word(random, 20'000);
      table.add(word);
      ++model[word];
    }
  }
  ASSERT_EQ(table.size(), model.size());
  auto wanted = model.begin();
  for (const auto& entry : table.sorted()) {
    ASSERT_EQ(entry.word(), wanted->first);
    ASSERT_EQ(entry.count, wanted->second);
    ++wanted;
  }
  table.clear();
  EXPECT_EQ(table.size(), 0U);
  EXPECT_TRUE(table.sorted().empty());
}

TEST(WordTable, LowerCaseOfEveryAsciiCharacter) {
  for (int c = 1; c < 0x80; ++c) {
    const std::string word(16, static_cast<char>(c));
    const std::string lower(16, static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c));
    EXPECT_EQ(ascii_lower(make_short_word(word)), make_short_word(lower)) << c;
    for (std::size_t length = 0; length <= 16; ++length) {
      EXPECT_EQ(make_short_word_in_text(word.data(), length), make_short_word(word.substr(0, length)));
    }
  }
}

TEST_F(WordCounterTest, SpillsAndIsExact) {
  std::mt19937_64 random(2);
  // So little memory that there are runs of runs.
  WordCounter counter({std::size_t{1} << 17, folder_, 7});
  std::map<std::string, uint64_t> model;
  uint64_t total = 0;
  for (int round = 0; round < 1000; ++round) {
    ASSERT_TRUE(counter.make_room(300).has_value());
    for (int i = 0; i < 300; ++i) {
      const auto word = draw_word(random, 60'000);
      counter.add(word, static_cast<uint32_t>(word.size()));
      ++model[word];
      ++total;
    }
    ASSERT_TRUE(std::filesystem::is_empty(folder_));
  }
  const auto figures = **counter.finish({});
  EXPECT_EQ(figures.total_words, total);
  EXPECT_EQ(figures.unique_words, model.size());
  std::vector<CountedWord> wanted;
  for (const auto& [word, count] : model) {
    wanted.push_back({word, count});
  }
  std::sort(wanted.begin(), wanted.end(), [](const auto& a, const auto& b) {
    return a.count != b.count ? a.count > b.count : a.word < b.word;
  });
  wanted.resize(10);
  EXPECT_EQ(figures.top_words, wanted);
}

TEST_F(WordCounterTest, TheLimitWithoutAFolder) {
  WordCounter counter({std::size_t{1} << 20, {}, 7});
  Status room;
  for (int i = 0; room && i < 1'000'000; ++i) {
    room = counter.make_room(1);
    counter.add("word" + std::to_string(i), 1);
  }
  ASSERT_FALSE(room);
  EXPECT_EQ(room.error().kind, ErrorKind::limit_exceeded);
  EXPECT_EQ(room.error().message,
            "the text has more different words than 1 MiB of memory can hold; give a folder for temporary "
            "files, or allow more memory");
}

TEST_F(WordCounterTest, AFolderThatIsNotThere) {
  const auto writer = RunWriter::open(folder_ + "/none");
  ASSERT_FALSE(writer);
  EXPECT_EQ(writer.error().kind, ErrorKind::invalid);
  EXPECT_NE(writer.error().message.find("No such file or directory; give a folder"), std::string::npos);
}

TEST_F(WordCounterTest, AFullDisk) {
  // A limit on the size of files stands for a disk without room.
  ::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const rlimit small{1 << 20, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  auto writer = RunWriter::open(folder_);
  Status added;
  for (int i = 0; added && i < 1000; ++i) {
    added = writer->add(std::string(10'000, 'a'), 1);
  }
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  ASSERT_FALSE(added);
  EXPECT_EQ(added.error().kind, ErrorKind::unavailable);
  EXPECT_NE(added.error().message.find("make room there"), std::string::npos);
}

TEST_F(WordCounterTest, RunsComeBackAsTheyWereWritten) {
  auto writer = RunWriter::open(folder_);
  const std::string giant(300'000, 'z');
  ASSERT_TRUE(writer->add("a", 1).has_value());
  ASSERT_TRUE(writer->add("b", uint64_t{5} << 40).has_value());
  ASSERT_TRUE(writer->add(giant, 200).has_value());
  RunReader reader(*writer->finish());
  ASSERT_TRUE(*reader.next());
  EXPECT_EQ(reader.word(), "a");
  ASSERT_TRUE(*reader.next());
  EXPECT_EQ(reader.word(), "b");
  EXPECT_EQ(reader.count(), uint64_t{5} << 40);
  ASSERT_TRUE(*reader.next());
  EXPECT_EQ(reader.word(), giant);
  EXPECT_FALSE(*reader.next());
  EXPECT_FALSE(*reader.next());
}

TEST_F(WordCounterTest, ARunThatWasCutShort) {
  auto writer = RunWriter::open(folder_);
  ASSERT_TRUE(writer->add("word", 1).has_value());
  auto run = *writer->finish();
  ASSERT_EQ(::ftruncate(run.file.number(), 3), 0);
  RunReader reader(std::move(run));
  const auto next = reader.next();
  ASSERT_FALSE(next);
  EXPECT_EQ(next.error().kind, ErrorKind::unavailable);
}

TEST_F(WordCounterTest, MergesStop) {
  auto writer = RunWriter::open(folder_);
  ASSERT_TRUE(writer->add("word", 1).has_value());
  std::vector<text::Run> runs;
  runs.push_back(*writer->finish());
  std::stop_source source;
  source.request_stop();
  EXPECT_FALSE(
      *merge_runs(std::move(runs), source.get_token(), [](std::string_view, uint64_t) { return Status(); }));
}

TEST_F(WordCounterTest, AnalyzerSpills) {
  std::mt19937_64 random(3);
  std::string text;
  while (text.size() < 12'000'000) {
    text += std::to_string(random() % 3'000'000) + "w" + std::to_string(random() % 3) +
            (random() % 9 == 0 ? "\n" : " ");
  }
  const auto in_memory = analyze(text);
  const auto spilled = analyze(text, {folder_, words_bytes_min, 9});
  ASSERT_TRUE(in_memory && spilled);
  EXPECT_EQ(**spilled, **in_memory);
  EXPECT_EQ(analyze(text, {{}, words_bytes_min, 9}).error().kind, ErrorKind::limit_exceeded);
}

}  // namespace
}  // namespace waybill::text
