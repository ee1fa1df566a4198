#include "plain/texts.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <span>
#include <string>
#include <vector>

namespace waybill::bench {
namespace {

constexpr std::size_t vocabulary = 60'000;
constexpr std::size_t piece_bytes = 1 << 20;

using Syllables = std::span<const std::string_view>;

constexpr std::string_view english[] = {
    "the", "an", "re", "er", "on", "ti", "es", "or", "te", "of", "ed", "is", "it",  "al", "ar",  "st",  "to",
    "nt",  "ng", "se", "ha", "as", "ou", "io", "le", "ve", "co", "me", "de", "hi",  "ri", "ro",  "ic",  "ne",
    "ea",  "ra", "ce", "li", "ch", "ll", "be", "ma", "si", "om", "ur", "qu", "way", "b",  "ing", "tion"};
constexpr std::string_view german[] = {"der", "ein", "sch",  "ich", "ge",   "ver", "un",   "be",
                                       "en",  "ung", "heit", "ü",   "ä",    "ö",   "ß",    "zu",
                                       "auf", "mit", "st",   "er",  "lich", "te",  "an",   "nd",
                                       "Wa",  "re",  "lo",   "ka",  "mü",   "grö", "haus", "weg"};
constexpr std::string_view russian[] = {"пре", "на", "по", "ст", "но", "ро", "ко", "ть",
                                        "ен",  "ов", "ни", "ра", "во", "ос", "то", "не",
                                        "ли",  "ка", "ва", "ла", "ре", "ий", "ё",  "ще"};
constexpr std::string_view japanese[] = {"東京", "日本",   "の",       "は",   "を",   "です", "ます",
                                         "人",   "時間",   "コーヒー", "今日", "行き", "見る", "山",
                                         "川",   "大きな", "と",       "が",   "学校", "語"};

Syllables syllables_of(Language language) {
  switch (language) {
    case Language::german:
      return german;
    case Language::russian:
      return russian;
    case Language::japanese:
      return japanese;
    default:
      return english;
  }
}

class Writer {
 public:
  explicit Writer(const Text& text) : random_(text.seed), spaced_(text.language != Language::japanese) {
    const auto syllables = syllables_of(text.language);
    for (std::size_t rank = 0; rank < vocabulary; ++rank) {
      std::string word;
      // Frequent words are short.
      const auto parts = 1 + random_() % 2 + (rank > 200 ? random_() % 3 : 0);
      for (std::size_t part = 0; part < parts; ++part) {
        word += syllables[random_() % syllables.size()];
      }
      words_.push_back(std::move(word));
    }
  }

  void sentence(std::string& out) {
    const auto count = 4 + random_() % 18;
    for (std::size_t word = 0; word < count; ++word) {
      const std::size_t before = out.size();
      out += words_[rank()];
      if (word == 0 && out[before] >= 'a' && out[before] <= 'z') {
        out[before] = static_cast<char>(out[before] - 'a' + 'A');
      }
      between(out, word + 1 == count);
    }
  }

 private:
  // The chance of a word goes with one over its rank.
  std::size_t rank() {
    const double chance = static_cast<double>(random_() >> 11) * 0x1.0p-53;
    return std::min(vocabulary - 1, static_cast<std::size_t>(std::pow(vocabulary, chance)) - 1);
  }

  void between(std::string& out, bool is_end) {
    const auto dice = random_() % 100;
    if (!spaced_) {
      out += is_end ? "。\n" : dice < 8 ? "、" : "";
    } else if (is_end) {
      out += dice < 70 ? ". " : dice < 80 ? "? " : dice < 88 ? "!\n" : ".\r\n\r\n";
    } else {
      out += dice < 85   ? " "
             : dice < 93 ? ", "
             : dice < 95 ? " — "
             : dice < 96 ? "’s "
             : dice < 97 ? "'t "
             : dice < 98 ? " 1,250.75 "
             : dice < 99 ? "-"
                         : " “quoted” ";
    }
  }

  std::mt19937_64 random_;
  bool spaced_;
  std::vector<std::string> words_;
};

// Not in the middle of a character.
std::size_t end_within(std::string_view text, std::size_t bytes) {
  while (bytes > 0 && bytes < text.size() && (static_cast<unsigned char>(text[bytes]) & 0xc0) == 0x80) {
    --bytes;
  }
  return std::min(bytes, text.size());
}

}  // namespace

void write_text(const Text& text, const std::function<void(std::string_view)>& write) {
  Writer writer(text);
  std::string piece;
  for (std::size_t left = text.bytes; left > 0;) {
    piece.clear();
    while (piece.size() < std::min(piece_bytes, left)) {
      writer.sentence(piece);
    }
    const std::size_t taken = piece.size() <= left ? piece.size() : end_within(piece, left);
    write(std::string_view(piece).substr(0, taken));
    left = piece.size() <= left ? left - taken : 0;
  }
}

}  // namespace waybill::bench
