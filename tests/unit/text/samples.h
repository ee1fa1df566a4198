#pragma once

#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace waybill::text {

// Bits of text that meet every rule of word boundaries, and some that ICU adds.
inline const std::vector<std::string_view>& awkward_bits() {
  static const std::vector<std::string_view> bits = {
      "a",          "B",       "z",      "Q",      "7",        "0",        "_",
      "__",         ".",       ",",      ";",      ":",        "'",        "\"",
      "@",          "#",       "-",      "/",      " ",        "  ",       "\t",
      "\n",         "\r\n",    "\r",     "\f",     "\v",       "don't",    "3.14",
      "1,000",      "e.g.",    "x_1",    "a@b.c",  "é",        "e\u0301",  "É",
      "ß",          "ẞ",       "ﬁ",      "İ",      "ı",        "Ω",        "ς",
      "Я",          "ё",       "\u0301", "\u0308", "\u00ad",   "\u200b",   "\u200c",
      "\u200d",     "\u200e",  "\u200f", "\u2060", "\ufeff",   "\u202f",   "\u00a0",
      "\u2019",     "\u2018",  "\u201c", "\u201d", "\u2013",   "\u2014",   "\u2026",
      "\u00b7",     "\u2027",  "\ufe13", "\uff1a", "\ufe55",   "\uff0c",   "\uff07",
      "\uff0e",     "\u037e",  "\u0589", "\u066c", "\u203f",   "\ufe4f",   "א",
      "ב",          "שלום",    "צה\"ל",  "ג'",     "\u05f3",   "\u05f4",   "\u05b0",
      "م",          "مرحبا",   "\u064b", "٣",      "٫",        "क",        "\u093f",
      "\u094d",     "हिन्दी",   "ক",      "\u09be", "த",        "\u0bbf",   "ก",
      "\u0e31",     "ภาษาไทย", "๕",      "ฯ",      "ๆ",        "ລາວ",      "ខ្មែរ",
      "မြန်မာ",      "\u17d2",  "中",     "一",     "中文分词", "々",       "〇",
      "〆",         "漢字",    "ひ",     "らがな", "カ",       "カタカナ", "ー",
      "ｶ",          "ﾞ",       "\u3099", "\u30fb", "、",       "。",       "「",
      "」",         "\u3000",  "한",     "한국어", "ᄒ",       "ᅡ",        "ᆫ",
      "ㄅ",         "𠀀",      "𛀁",     "ㇰ",     "😀",       "👍🏽",     "👨‍👩‍👧",
      "🇩🇪",         "🇫",       "🏽",     "❤️",      "\u20e3",   "©",        "™",
      "𝐀",          "𝟘",       "𐐨",      "𐐀",      "𞤀",        "ꙮ",        "Ꭰ",
      "ꭰ",          "\u0345",  "\u0f71", "ༀ",      "\u0600",   "\u06dd",   "\U000e0001",
      "\U000e0020", "\u2028",  "\u0085", "\u180e", "\u1680",   "\u2000",   "\u00aa",
      "\u02d7",     "\u055b",  "ʼ",      "ǅ",      "ŉ",        "ΰ",        "Ⅷ",
      "①",          "ⓐ",       "²",      "½",      "ꜱ",        "ⴀ",
  };
  return bits;
}

// A text of `bits`, some of which come often: with spaces, so that there are words, or hardly any.
inline std::string awkward_text(std::mt19937_64& random, std::size_t bits) {
  const auto& pool = awkward_bits();
  const auto draw = [&](std::size_t below) { return static_cast<std::size_t>(random() % below); };
  // Some texts have all bits, some just a few of them over and over.
  std::vector<std::string_view> chosen;
  const std::size_t choice = 2 + draw(random() % 2 == 0 ? 8 : pool.size());
  for (std::size_t i = 0; i < choice; ++i) {
    chosen.push_back(pool[draw(pool.size())]);
  }
  const std::size_t space_one_in = 1 + draw(12);
  const bool is_mostly_ascii = random() % 3 == 0;
  std::string text;
  for (std::size_t i = 0; i < bits; ++i) {
    if (is_mostly_ascii && draw(10) > 0) {
      text += pool[draw(32)];
    } else {
      text += chosen[draw(chosen.size())];
    }
    if (draw(space_one_in) == 0) {
      text += draw(8) == 0 ? "\n" : " ";
    }
  }
  return text;
}

}  // namespace waybill::text
