#include "text/analyzer.h"

#include <gtest/gtest.h>

#include <string>

#include "text/reference.h"
#include "text/safe_cut.h"
#include "text/samples.h"

namespace waybill::text {
namespace {

using Top = std::vector<CountedWord>;

Figures in_pieces(std::string_view bytes, std::mt19937_64& random, std::size_t piece_bytes_max) {
  auto analyzer = Analyzer::open({});
  while (!bytes.empty()) {
    const auto piece = bytes.substr(0, 1 + random() % piece_bytes_max);
    EXPECT_TRUE(analyzer->feed(piece).has_value());
    bytes.remove_prefix(piece.size());
  }
  return **analyzer->finish();
}

TEST(Analyzer, FourFigures) {
  const auto figures = figures_of("The cat and the hat.\r\nTHE END, and the rest");
  EXPECT_EQ(figures.total_words, 10U);
  EXPECT_EQ(figures.unique_words, 6U);
  EXPECT_DOUBLE_EQ(figures.average_word_length, 31.0 / 10);
  EXPECT_EQ(figures.top_words,
            (Top{{"the", 4}, {"and", 2}, {"cat", 1}, {"end", 1}, {"hat", 1}, {"rest", 1}}));
}

TEST(Analyzer, TenWordsAtMostAndTiesInOrder) {
  const auto figures = figures_of("l k j i h g f e d c b a é a");
  EXPECT_EQ(figures.unique_words, 13U);
  EXPECT_EQ(figures.top_words, (Top{{"a", 2},
                                    {"b", 1},
                                    {"c", 1},
                                    {"d", 1},
                                    {"e", 1},
                                    {"f", 1},
                                    {"g", 1},
                                    {"h", 1},
                                    {"i", 1},
                                    {"j", 1}}));
}

TEST(Analyzer, NoWords) {
  EXPECT_EQ(figures_of(""), Figures{});
  EXPECT_EQ(figures_of(" \r\n \t ... ---"), Figures{});
  EXPECT_EQ(figures_of("👨‍👩‍👧 🇩🇪 ©"), Figures{});
  EXPECT_EQ(figures_of("\xef\xbb\xbf"), Figures{});
}

TEST(Analyzer, SpellingsOfOneWord) {
  EXPECT_EQ(figures_of("Straße STRASSE strasse").top_words, (Top{{"strasse", 3}}));
  EXPECT_EQ(figures_of("É é E\u0301 e\u0301").top_words, (Top{{"é", 4}}));
  EXPECT_EQ(figures_of("ΟΔΟΣ οδος οδοσ").top_words, (Top{{"οδοσ", 3}}));
  EXPECT_EQ(figures_of("ﬁne FINE").top_words, (Top{{"fine", 2}}));
  // The languages of dotless i are not known from the text: I is i, and ı is itself.
  EXPECT_EQ(figures_of("I i ı İ i\u0307").top_words, (Top{{"i", 2}, {"i\u0307", 2}, {"ı", 1}}));
  EXPECT_EQ(figures_of("ВОДА вода Вода").top_words, (Top{{"вода", 3}}));
}

TEST(Analyzer, WhatCannotBeSeenIsNoPartOfAWord) {
  EXPECT_EQ(figures_of("co\u00adoperate cooperate\u200e").top_words, (Top{{"cooperate", 2}}));
  EXPECT_EQ(figures_of("«\u202fmot\u202f» mot").top_words, (Top{{"mot", 2}}));
  EXPECT_DOUBLE_EQ(figures_of("co\u00adop").average_word_length, 4);
  EXPECT_EQ(figures_of("10\u202f000").top_words, (Top{{"10\u202f000", 1}}));
  EXPECT_EQ(figures_of("می\u200cخواهم میخواهم").unique_words, 2U);
}

TEST(Analyzer, LengthInCharactersAsSeen) {
  EXPECT_DOUBLE_EQ(figures_of("Straße").average_word_length, 6);
  EXPECT_DOUBLE_EQ(figures_of("e\u0301te\u0301").average_word_length, 3);
  EXPECT_DOUBLE_EQ(figures_of("हिन्दी").average_word_length, 2);
  EXPECT_DOUBLE_EQ(figures_of("한국어").average_word_length, 3);
  EXPECT_DOUBLE_EQ(figures_of("𝐀𝐁").average_word_length, 2);
}

TEST(Analyzer, LongWordsAreCompared) {
  const std::string sixteen = "abcdefghijklmnop";
  const std::string seventeen = sixteen + "q";
  const auto figures =
      figures_of(sixteen + " " + seventeen + " ABCDEFGHIJKLMNOP " + seventeen + "r ABCDEFGHIJKLMNOPQ");
  EXPECT_EQ(figures.top_words, (Top{{sixteen, 2}, {seventeen, 2}, {seventeen + "r", 1}}));
}

TEST(Analyzer, FindsWhatIcuFindsInTheWhole) {
  for (uint64_t seed = 0; seed < 300; ++seed) {
    std::mt19937_64 random(seed);
    const auto text = awkward_text(random, 1 + random() % 400);
    ASSERT_EQ(figures_of(text), Reference::figures(text)) << "seed " << seed << "\n" << text;
  }
}

TEST(Analyzer, CutsDoNotMatter) {
  for (uint64_t seed = 0; seed < 300; ++seed) {
    std::mt19937_64 random(seed);
    const auto text = awkward_text(random, 1 + random() % 400);
    ASSERT_EQ(in_pieces(text, random, 1 + random() % 40), figures_of(text)) << "seed " << seed << "\n"
                                                                            << text;
  }
}

// Words, code points of every length, marks, line ends and what joins words.
constexpr std::string_view joints =
    "Don't 3.14 e\u0301te\u0301\r\nStraße\r\n\r\nнет co\u00adop 東京に\u3099 ภาษาไทย 👨\u200d👩\u200d👧 "
    "𝐀𝐁\r\nmi\u200cخ a_b 1,000.5 שׁלום\"ת @x \r 한국어 \n\u202fmot\u202f! हिन्दी end";

TEST(Analyzer, CutsAtEveryOffsetDoNotMatter) {
  const auto whole = Reference::figures(joints);
  std::string wide = "\xff\xfe";
  const auto units = icu::UnicodeString::fromUTF8({joints.data(), static_cast<int32_t>(joints.size())});
  wide.append(reinterpret_cast<const char*>(units.getBuffer()),
              static_cast<std::size_t>(units.length()) * sizeof(char16_t));
  const std::string marked = "\xef\xbb\xbf" + std::string(joints);
  for (const std::string_view text : {joints, std::string_view(wide), std::string_view(marked)}) {
    for (std::size_t cut = 0; cut <= text.size(); ++cut) {
      auto analyzer = Analyzer::open({});
      ASSERT_TRUE(analyzer->feed(text.substr(0, cut)).has_value());
      ASSERT_TRUE(analyzer->feed(text.substr(cut)).has_value());
      ASSERT_EQ(**analyzer->finish(), whole) << "cut at " << cut;
    }
    auto bytewise = Analyzer::open({});
    for (const char byte : text) {
      ASSERT_TRUE(bytewise->feed({&byte, 1}).has_value());
    }
    ASSERT_EQ(**bytewise->finish(), whole);
  }
}

// The end of the first stretch comes to lie at every offset of the text.
TEST(Analyzer, StretchesEndAtEveryOffset) {
  for (std::size_t before = 0; before <= joints.size(); ++before) {
    const std::size_t words = stretch_bytes_max - before;
    std::string text;
    while (text.size() + 2 <= words) {
      text += "a ";
    }
    text.append(words - text.size(), ' ').append(joints);
    auto whole = Reference::figures(joints);
    whole.average_word_length =
        whole.average_word_length * static_cast<double>(whole.total_words) + static_cast<double>(words / 2);
    whole.total_words += words / 2;
    whole.average_word_length /= static_cast<double>(whole.total_words);
    const auto figures = figures_of(text);
    ASSERT_EQ(figures.total_words, whole.total_words) << "offset " << before;
    ASSERT_EQ(figures.unique_words, whole.unique_words + 1) << "offset " << before;
    ASSERT_DOUBLE_EQ(figures.average_word_length, whole.average_word_length) << "offset " << before;
  }
}

// Texts that are longer than the stretches in which they are counted.
TEST(Analyzer, StretchesDoNotMatter) {
  for (uint64_t seed = 0; seed < 6; ++seed) {
    std::mt19937_64 random(seed);
    std::string text;
    while (text.size() < 3 * stretch_bytes_max) {
      text += awkward_text(random, 2000) + "\n";
    }
    const auto whole = Reference::figures(text);
    ASSERT_EQ(figures_of(text), whole) << "seed " << seed;
    ASSERT_EQ(in_pieces(text, random, 10'000), whole) << "seed " << seed;
  }
}

// Where no safe place comes, a text is cut all the same, and at the same places however it is fed.
TEST(Analyzer, WordsThatNeverEnd) {
  const std::size_t bytes = 10'000'000;
  const auto figures = figures_of("so " + std::string(bytes, 'a') + " b");
  // The stretch with the giant begins behind the space.
  EXPECT_EQ(figures.total_words, 2 + bytes / stretch_bytes_max + 1);
  EXPECT_EQ(figures.unique_words, 4U);
  EXPECT_EQ(figures.top_words[0],
            (CountedWord{std::string(stretch_bytes_max, 'a'), bytes / stretch_bytes_max}));

  std::string mixed;
  while (mixed.size() < 5 * stretch_bytes_max) {
    mixed += mixed.size() % 3 == 0 ? "é" : mixed.size() % 5 == 0 ? "a'b" : "ภาษา";
    if (mixed.size() % 50'000 == 0) {
      mixed += " ";
    }
  }
  for (uint64_t seed = 0; seed < 4; ++seed) {
    std::mt19937_64 random(seed);
    EXPECT_EQ(in_pieces(mixed, random, 100'000), figures_of(mixed));
  }
}

TEST(Analyzer, AnErrorStays) {
  auto analyzer = Analyzer::open({});
  std::string bytes(100'000, 'a');
  bytes[99'999] = '\0';
  const auto first = analyzer->feed(bytes);
  ASSERT_FALSE(first);
  EXPECT_EQ(analyzer->feed("more").error().message, first.error().message);
  EXPECT_EQ(analyzer->finish().error().message, first.error().message);
}

}  // namespace
}  // namespace waybill::text
