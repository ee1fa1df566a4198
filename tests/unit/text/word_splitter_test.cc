#include "text/word_splitter.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "text/reference.h"
#include "text/samples.h"

namespace waybill::text {
namespace {

using Words = std::vector<std::string>;

Words split(std::string_view text) {
  auto splitter = WordSplitter::open();
  WordSpans spans;
  EXPECT_TRUE(splitter->split(text, spans).has_value());
  Words words;
  for (const auto& span : spans) {
    words.emplace_back(text.substr(span.offset, span.length));
    const bool is_ascii = std::all_of(words.back().begin(), words.back().end(), [](char c) { return c > 0; });
    EXPECT_EQ(span.is_ascii != 0, is_ascii) << words.back();
  }
  return words;
}

Words reference(std::string_view text) {
  Words words;
  for (const auto& word : Reference::words(text)) {
    word.toUTF8String(words.emplace_back());
  }
  return words;
}

TEST(WordSplitter, English) {
  EXPECT_EQ(split("The quick (\"brown\") fox can't jump 32.3 feet, right?"),
            (Words{"The", "quick", "brown", "fox", "can't", "jump", "32.3", "feet", "right"}));
  EXPECT_EQ(split("well-known 1,000,000.50 e.g. snake_case _ ____ x_ 3a a3 rock'n'roll 'tis dogs' a''b"),
            (Words{"well", "known", "1,000,000.50", "e.g", "snake_case", "x_", "3a", "a3", "rock'n'roll",
                   "tis", "dogs", "a", "b"}));
  EXPECT_EQ(split("me@example.com @ 12:30 note:this a;b 1;2 3.a a.3"),
            (Words{"me", "example.com", "12", "30", "note", "this", "a", "b", "1;2", "3", "a", "a", "3"}));
  EXPECT_EQ(split(""), Words{});
  EXPECT_EQ(split(" \r\n\t.,;'"), Words{});
}

TEST(WordSplitter, OtherScripts) {
  EXPECT_EQ(split("L’été, c’est “beau” – non?"), (Words{"L’été", "c’est", "beau", "non"}));
  EXPECT_EQ(split("Привет, мир! Γειά σου"), (Words{"Привет", "мир", "Γειά", "σου"}));
  EXPECT_EQ(split("ภาษาไทยง่ายมาก"), (Words{"ภาษา", "ไทย", "ง่าย", "มาก"}));
  EXPECT_EQ(split("中文分词很有意思。"), reference("中文分词很有意思。"));
  EXPECT_EQ(split("我们今天去北京"), (Words{"我们", "今天", "去", "北京"}));
  EXPECT_EQ(split("私はカタカナを書く"), reference("私はカタカナを書く"));
  EXPECT_EQ(split("مرحبا بالعالم، كيف الحال؟"), (Words{"مرحبا", "بالعالم", "كيف", "الحال"}));
  EXPECT_EQ(split("हिन्दी में लिखा है।"), (Words{"हिन्दी", "में", "लिखा", "है"}));
  EXPECT_EQ(split("צה\"ל ג'ירפה"), (Words{"צה\"ל", "ג'ירפה"}));
  EXPECT_EQ(split("한국어 단어"), (Words{"한국어", "단어"}));
  EXPECT_EQ(split("a 👨‍👩‍👧 b 👍🏽 c 🇩🇪"), (Words{"a", "b", "c"}));
  EXPECT_EQ(split("e\u0301te\u0301 a\u0308"), (Words{"e\u0301te\u0301", "a\u0308"}));
}

// The short way through letters and digits, and the cuts between what is for ICU and what is not, change
// nothing of what ICU finds in the whole.
TEST(WordSplitter, FindsWhatIcuFinds) {
  for (uint64_t seed = 0; seed < 3000; ++seed) {
    std::mt19937_64 random(seed);
    const auto text = awkward_text(random, 1 + random() % 120);
    ASSERT_EQ(split(text), reference(text)) << "seed " << seed << "\n" << text;
  }
}

// Each character alone, and before and behind a letter, a digit and a space.
TEST(WordSplitter, FindsWhatIcuFindsOfEveryCharacter) {
  std::string text;
  for (char32_t c = 1; c < 0x20000; ++c) {
    if (c < 0xd800 || c >= 0xe000) {
      std::string one;
      icu::UnicodeString(static_cast<UChar32>(c)).toUTF8String(one);
      text += one + "a" + one + "b 1" + one + "2" + one + " " + one + "\n";
    }
  }
  const auto found = split(text);
  const auto wanted = reference(text);
  const auto [wrong, right] = std::mismatch(found.begin(), found.end(), wanted.begin(), wanted.end());
  ASSERT_EQ(found.end() - wrong, 0) << *wrong << " for " << *right;
  ASSERT_EQ(found.size(), wanted.size());
}

}  // namespace
}  // namespace waybill::text
