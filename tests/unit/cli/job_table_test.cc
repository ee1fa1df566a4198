// Tables as people see them: aligned, fitted to the terminal, and harmless to it.
#include <gtest/gtest.h>

#include "cli/job/table.h"
#include "cli/job/text_width.h"
#include "cli/job/time_words.h"

namespace waybill::cli::job {
namespace {

Screen screen_of(std::size_t width) {
  return {.width = width, .colours = false, .now_ms = 0};
}

Table jobs_table() {
  Table table;
  table.columns = {{.title = "ID", .is_whole = true},
                   {.title = "status", .is_whole = true},
                   {.title = "note"},
                   {.title = "attempts", .is_number = true}};
  table.rows = {{{"one"}, {"queued"}, {"a note that is long enough to be cut"}, {"1"}},
                {{"two"}, {"done", Colour::green}, {""}, {"12"}}};
  return table;
}

TEST(JobTable, AlignsColumnsAndNumbersToTheRight) {
  EXPECT_EQ(jobs_table().text_on(screen_of(0)),
            "ID   status  note                                  attempts\n"
            "one  queued  a note that is long enough to be cut         1\n"
            "two  done                                                12\n");
}

TEST(JobTable, CutsCellsBeforeItLeavesColumnsOut) {
  EXPECT_EQ(jobs_table().text_on(screen_of(40)),
            "ID   status  note               attempts\n"
            "one  queued  a note that is l…         1\n"
            "two  done                             12\n");
  EXPECT_TRUE(jobs_table().left_out_on(screen_of(40)).empty());
}

TEST(JobTable, LeavesColumnsOutFromTheRight) {
  EXPECT_EQ(jobs_table().text_on(screen_of(24)),
            "ID   status  note\n"
            "one  queued  a note tha…\n"
            "two  done\n");
  EXPECT_EQ(jobs_table().left_out_on(screen_of(24)), std::vector<std::string>{"attempts"});
}

TEST(JobTable, KeepsOneColumnOnTheNarrowestScreen) {
  EXPECT_EQ(jobs_table().text_on(screen_of(2)), "ID\no…\nt…\n");
}

TEST(JobTable, NoLineIsWiderThanTheScreen) {
  for (std::size_t width = 1; width < 80; ++width) {
    const auto text = jobs_table().text_on(screen_of(width));
    for (std::size_t begin = 0; begin < text.size();) {
      const auto end = text.find('\n', begin);
      EXPECT_LE(width_of(text.substr(begin, end - begin)), width);
      begin = end + 1;
    }
  }
}

TEST(JobTable, PaintsOnlyWhereTheScreenHasColours) {
  Table table;
  table.columns = {{.title = "s"}};
  table.rows = {{{"done", Colour::green}}};
  EXPECT_EQ(table.text_on(screen_of(0)), "s\ndone\n");
  EXPECT_EQ(table.text_on({.width = 0, .colours = true, .now_ms = 0}),
            "\033[1ms\033[0m\n\033[32mdone\033[0m\n");
}

TEST(JobTable, RecordsCannotCommandTheTerminal) {
  EXPECT_EQ(printable("a\033[2Jb\x07"), "a?[2Jb?");
  EXPECT_EQ(printable("one\ntwo\tthree"), "one two three");
  EXPECT_EQ(printable("\xC2\x9B"
                      "31m"),
            "?31m");
  EXPECT_EQ(printable("\xE2\x80\xAE"
                      "x"),
            "?x");
  EXPECT_EQ(printable("\xFF\xC0\x80\xE2\x82"), "?????");
  EXPECT_EQ(printable("grüße €"), "grüße €");
}

TEST(JobTable, WideLettersTakeTwoPlaces) {
  EXPECT_EQ(width_of("grüße"), 5U);
  EXPECT_EQ(width_of("写真"), 4U);
  EXPECT_EQ(width_of("e\xCC\x81"), 1U);
  EXPECT_EQ(cut_to("写真です", 4), "写…");
  EXPECT_EQ(cut_to("abc", 3), "abc");
  EXPECT_EQ(cut_to("abcd", 1), "…");
}

TEST(TimeWords, NameTheLargestUnit) {
  constexpr int64_t now = 1'800'000'000'000;
  const auto ago = [&](int64_t seconds) { return age_words(now - seconds * 1000, now); };
  EXPECT_EQ(age_words(now, now), "now");
  EXPECT_EQ(age_words(now - 999, now), "now");
  EXPECT_EQ(ago(1), "1s ago");
  EXPECT_EQ(ago(59), "59s ago");
  EXPECT_EQ(ago(60), "1m ago");
  EXPECT_EQ(ago(3 * 60 + 59), "3m ago");
  EXPECT_EQ(ago(3600), "1h ago");
  EXPECT_EQ(ago(47 * 3600), "1d ago");
  EXPECT_EQ(ago(40 * 86'400), "40d ago");
  EXPECT_EQ(ago(800LL * 86'400), "2y ago");
  EXPECT_EQ(ago(-120), "in 2m");
}

}  // namespace
}  // namespace waybill::cli::job
