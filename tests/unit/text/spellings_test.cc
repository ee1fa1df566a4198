// That what is remembered of spellings is what WordForms says of them.
#include "text/spellings.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace waybill::text {
namespace {

Spellings open_spellings() {
  return {*WordForms::open(), 7};
}

void expect_same(Spellings& spellings, WordForms& forms, std::string_view spelling, std::size_t readable) {
  const auto found = spellings.find(spelling, readable);
  const auto wanted = forms.make(spelling);
  ASSERT_TRUE(found.has_value() && wanted.has_value());
  ASSERT_EQ(found->folded, wanted->folded) << spelling;
  ASSERT_EQ(found->length, wanted->length) << spelling;
}

// Of every length, at the end of a text and before more of it, and at second sight.
TEST(Spellings, OfEveryLength) {
  auto spellings = open_spellings();
  auto forms = *WordForms::open();
  const std::string letters = "ÄÖÜßéèêëñÇ";
  for (int sight = 0; sight < 2; ++sight) {
    for (std::size_t count = 1; count <= 40; ++count) {
      std::string spelling;
      for (std::size_t letter = 0; letter < count; ++letter) {
        spelling += letters.substr(letter % 10 * 2, 2);
      }
      for (const std::string ascii : {"", "a"}) {
        const std::string word = spelling + ascii;
        const std::string text = word + " and what comes behind it";
        expect_same(spellings, forms, std::string_view(text).substr(0, word.size()), text.size());
        const std::vector<char> alone(word.begin(), word.end());  // nothing may be read behind it
        expect_same(spellings, forms, {alone.data(), alone.size()}, alone.size());
      }
    }
  }
}

TEST(Spellings, FormsThatAreLongerThanTheSpelling) {
  auto spellings = open_spellings();
  auto forms = *WordForms::open();
  for (int sight = 0; sight < 3; ++sight) {
    for (const std::string_view word : {"ﬃﬃﬃﬃﬃﬃﬃﬃ", "ΐΐΐΐΐΐΐΐΐΐΐΐ", "ᾳᾳᾳᾳᾳᾳᾳᾳ", "ẞẞẞẞẞẞẞẞ"}) {
      expect_same(spellings, forms, word, word.size());
    }
  }
}

// More different ones than are remembered, so that they are forgotten on the way.
TEST(Spellings, MoreThanAreRemembered) {
  auto spellings = open_spellings();
  auto forms = *WordForms::open();
  std::mt19937_64 random(3);
  for (int n = 0; n < 150'000; ++n) {
    const std::string word = "Ж" + std::to_string(n) + (n % 50 == 0 ? "и то что длиннее" : "");
    ASSERT_TRUE(spellings.find(word, word.size()).has_value());
    if (n % 100 == 0) {
      expect_same(spellings, forms, word, word.size());
      const std::string before = "Ж" + std::to_string(random() % 150'000);
      expect_same(spellings, forms, before, before.size());
    }
  }
}

}  // namespace
}  // namespace waybill::text
