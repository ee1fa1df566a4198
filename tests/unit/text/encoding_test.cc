#include <gtest/gtest.h>
#include <unicode/ucnv.h>

#include <random>
#include <string>

#include "text/detect.h"
#include "text/intake.h"
#include "text/reference.h"

namespace waybill::text {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view french =
    "Le cœur a ses raisons que la raison ne connaît point. Été comme hiver, les élèves de l’école voisine "
    "traversent la forêt près du château où, jadis, un évêque âgé avait caché son trésor.\r\n";
constexpr std::string_view russian =
    "Все счастливые семьи похожи друг на друга, каждая несчастливая семья несчастлива по-своему. "
    "Всё смешалось в доме Облонских.\n";
constexpr std::string_view japanese =
    "吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。カタカナとひらがなを使います。\n";
constexpr std::string_view chinese = "我们今天去北京，一路上看见了很多有意思的东西。第一章完。\n";

std::string repeated(std::string_view text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) {
    all += text;
  }
  return all;
}

std::string encoded(std::string_view utf8, const char* name) {
  const auto text = icu::UnicodeString::fromUTF8({utf8.data(), static_cast<int32_t>(utf8.size())});
  std::string bytes(utf8.size() * 4 + 16, '\0');
  UErrorCode code = U_ZERO_ERROR;
  UConverter* const converter = ucnv_open(name, &code);
  const int32_t length = ucnv_fromUChars(converter, bytes.data(), static_cast<int32_t>(bytes.size()),
                                         text.getBuffer(), text.length(), &code);
  EXPECT_TRUE(U_SUCCESS(code)) << name;
  ucnv_close(converter);
  bytes.resize(static_cast<std::size_t>(length));
  return bytes;
}

// The text as UTF-8, fed in pieces.
Result<std::string> decoded(std::string_view bytes, std::size_t piece_bytes) {
  Intake intake;
  std::string text;
  for (std::size_t at = 0; at < bytes.size(); at += piece_bytes) {
    WAYBILL_TRY(intake.feed(bytes.substr(at, piece_bytes), text));
  }
  WAYBILL_TRY(intake.finish(text));
  return text;
}

void expect_text(std::string_view bytes, std::string_view text) {
  for (const std::size_t piece_bytes :
       {std::size_t{1}, std::size_t{3}, std::size_t{1000}, bytes.size() + 1}) {
    const auto result = decoded(bytes, piece_bytes);
    ASSERT_TRUE(result.has_value()) << result.error().message;
    ASSERT_EQ(*result, text);
  }
}

void expect_refused(std::string_view bytes, std::string_view message) {
  for (const std::size_t piece_bytes :
       {std::size_t{1}, std::size_t{3}, std::size_t{1000}, bytes.size() + 1}) {
    const auto result = decoded(bytes, piece_bytes);
    ASSERT_FALSE(result.has_value()) << *result;
    EXPECT_EQ(result.error().kind, ErrorKind::invalid);
    EXPECT_EQ(result.error().message, message);
  }
}

TEST(Encoding, ByteOrderMarks) {
  const std::string text = repeated(french, 3) + "𝐀😀";
  expect_text("\xef\xbb\xbf" + text, text);
  expect_text("\xff\xfe" + encoded(text, "UTF-16LE"), text);
  expect_text("\xfe\xff" + encoded(text, "UTF-16BE"), text);
  expect_text("\xff\xfe\0\0"sv, "");
  expect_text(std::string("\xff\xfe\0\0"sv) + encoded(text, "UTF-32LE"), text);
  expect_text(std::string("\0\0\xfe\xff"sv) + encoded(text, "UTF-32BE"), text);
  expect_text("", "");
}

TEST(Encoding, Utf16WithoutMark) {
  for (const auto text : {"Hi"sv, "hello world"sv, french, russian, japanese, chinese}) {
    const std::string all = std::string(text) + (text == "Hi" ? "" : "and \U0001f600");
    expect_text(encoded(all, "UTF-16LE"), all);
    expect_text(encoded(all, "UTF-16BE"), all);
  }
  // Longer than what is looked at.
  const std::string all = repeated(chinese, 4000);
  EXPECT_EQ(*decoded(encoded(all, "UTF-16BE"), 999), all);
}

TEST(Encoding, Utf8) {
  const std::string text = repeated(russian, 400) + std::string(japanese) + "😀";
  expect_text(text, text);
  // What is not ASCII comes late.
  const std::string late = repeated("plain English text\n", 10'000) + "é ü 漢";
  EXPECT_EQ(*decoded(late, 1000), late);
  EXPECT_EQ(*decoded(late, late.size()), late);
  expect_text("é", "é");
}

TEST(Encoding, Utf8ThatTurnsWrong) {
  const std::string begin = repeated(russian, 10);
  const auto wrong_at = [](std::size_t offset) {
    return "the text is not valid UTF-8 at byte " + std::to_string(offset) +
           "; correct it there, or save the text as UTF-8";
  };
  expect_refused(begin + "\xff more", wrong_at(begin.size()));
  expect_refused(begin + "\xc3( more", wrong_at(begin.size()));
  expect_refused(begin + "\xed\xa0\x80", wrong_at(begin.size()));
  expect_refused(begin + "\xf4\x90\x80\x80", wrong_at(begin.size()));
  expect_refused(begin + "\xe0\x80\x80", wrong_at(begin.size()));
  const std::string late = repeated(russian, 1000);
  const auto result = decoded(late + "\xe9t\xe9", 777);
  EXPECT_EQ(result.error().message, wrong_at(late.size()));
  expect_refused(
      "\xef\xbb\xbf"
      "caf\xe9 noir",
      wrong_at(6));
  const std::string cut = begin.substr(0, begin.size() - 1) + "\xd0";
  EXPECT_EQ(decoded(repeated(russian, 1000) + "\xd0", 100).error().message,
            "the text ends within a character of UTF-8, which begins at byte " + std::to_string(late.size()) +
                "; upload it whole");
  EXPECT_FALSE(decoded(cut, 5));
}

TEST(Encoding, LoneSurrogates) {
  expect_refused(
      "\xff\xfe"
      "a\0\0\xd8"
      "b\0"sv,
      "the text is not valid UTF-16LE at byte 4; correct it there, or save the text as UTF-8");
  expect_refused("\xfe\xff\0a\xdc\x01\0b"sv,
                 "the text is not valid UTF-16BE at byte 4; correct it there, or save the text as UTF-8");
  expect_refused(
      "\xff\xfe"
      "a\0\0\xd8"sv,
      "the text ends within a character of UTF-16LE, which begins at byte 4; upload it whole");
  expect_refused(
      "\xff\xfe"
      "a\0b"sv,
      "the text ends within a character of UTF-16LE, which begins at byte 4; upload it whole");
  expect_refused("\xff\xfe\0\0\0\xd8\0\0"sv,
                 "the text is not valid UTF-32LE at byte 4; correct it there, or save the text as UTF-8");
  expect_refused("\0\0\xfe\xff\0\x11\0\0"sv,
                 "the text is not valid UTF-32BE at byte 4; correct it there, or save the text as UTF-8");
}

TEST(Encoding, Legacy) {
  expect_text(encoded(repeated(french, 5), "windows-1252"), repeated(french, 5));
  expect_text(encoded(repeated(russian, 5), "KOI8-R"), repeated(russian, 5));
  expect_text(encoded(repeated(russian, 5), "windows-1251"), repeated(russian, 5));
  expect_text(encoded(repeated(japanese, 5), "Shift_JIS"), repeated(japanese, 5));
  expect_text(encoded(repeated(japanese, 5), "EUC-JP"), repeated(japanese, 5));
  expect_text(encoded(repeated(japanese, 5), "ISO-2022-JP"), repeated(japanese, 5));
  expect_text(encoded(repeated(chinese, 5), "GB18030"), repeated(chinese, 5));
  expect_text(encoded(repeated("這是一個繁體中文的句子，我們用它來測試編碼。\n", 5), "Big5"),
              repeated("這是一個繁體中文的句子，我們用它來測試編碼。\n", 5));
}

TEST(Encoding, LegacyThatComesLateOrIsLong) {
  const std::string english = repeated("plain English text\r\n", 5000);
  EXPECT_EQ(*decoded(english + encoded(repeated(french, 5), "windows-1252"), 4096),
            english + repeated(french, 5));
  const std::string long_text = repeated(japanese, 3000);
  EXPECT_EQ(*decoded(encoded(long_text, "Shift_JIS"), 4097), long_text);
}

TEST(Encoding, FiguresOfLegacyText) {
  EXPECT_EQ(figures_of(encoded(repeated(russian, 9), "KOI8-R")), Reference::figures(repeated(russian, 9)));
  EXPECT_EQ(figures_of(encoded(repeated(japanese, 9), "Shift_JIS")),
            Reference::figures(repeated(japanese, 9)));
  EXPECT_EQ(figures_of(encoded(repeated(french, 9), "windows-1252")),
            Reference::figures(repeated(french, 9)));
}

TEST(Encoding, LegacyThatTurnsWrong) {
  const std::string begin = encoded(repeated(japanese, 50), "Shift_JIS");
  const auto wrong = decoded(begin + "\xfd\xfe\xff", 100);
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().message, "the text is not valid windows-31j at byte " +
                                       std::to_string(begin.size()) +
                                       "; correct it there, or save the text as UTF-8");
  const auto control = decoded(begin + "abc\x01", 100);
  ASSERT_FALSE(control);
  EXPECT_NE(control.error().message.find("byte " + std::to_string(begin.size() + 3) + " "), std::string::npos)
      << control.error().message;
  const auto cut = decoded(begin + "\x82", 100);
  ASSERT_FALSE(cut);
  EXPECT_NE(cut.error().message.find("begins at byte " + std::to_string(begin.size()) + ";"),
            std::string::npos)
      << cut.error().message;
}

TEST(Encoding, BinaryIsRefused) {
  const auto binary_at = [](std::size_t offset) {
    return "the file is not a text: byte " + std::to_string(offset) +
           " is a control code that no text has; upload plain text, best in UTF-8";
  };
  expect_refused("abc\0def"sv, binary_at(3));
  expect_refused("\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\1\0"sv, binary_at(8));
  expect_refused("PK\3\4\x14\0\0\0\x08\0"sv, binary_at(5));
  expect_refused("\0\0\0\0"sv, binary_at(0));
  expect_refused(
      "\x7f"
      "ELF\2\1\1\0\0\0\0\0"sv,
      binary_at(7));
  expect_refused(
      "\xff\xfe"
      "a\0\0\0b\0"sv,
      binary_at(4));
  const std::string long_text = repeated(russian, 1000);
  EXPECT_EQ(decoded(long_text + '\0', 1000).error().message, binary_at(long_text.size()));
  const std::string long_ascii = repeated("plain English text\n", 10'000);
  EXPECT_EQ(decoded(long_ascii + '\0', 1000).error().message, binary_at(long_ascii.size()));
  std::mt19937_64 random(1);
  for (int i = 0; i < 50; ++i) {
    std::string noise(100'000, '\0');
    std::generate(noise.begin(), noise.end(), [&] { return static_cast<char>(random()); });
    EXPECT_FALSE(decoded(noise, 5000));
  }
}

// A mark of UTF-16 says nothing where it is not at the beginning, though uchardet believes it.
TEST(Encoding, UndecidedIsRefused) {
  expect_refused(
      "ab\xfe\xff\xfe\xff\xfe"sv,
      "the encoding of the text cannot be told: from byte 2 on it is neither UTF-8 nor like any other "
      "encoding; save the text as UTF-8");
  expect_refused(
      "ab\xff\xfe"
      "cd"sv,
      "the encoding of the text cannot be told: from byte 2 on it is neither UTF-8 nor like any other "
      "encoding; save the text as UTF-8");
}

TEST(Encoding, ControlsOfLegacyTextsAreRefused) {
  expect_refused(
      "abc \x81\x8d\x8f\x90\x9d\xff\xfe\xfd"sv,
      "the file is not a text: byte 4 is a control code that no text has; upload plain text, best in "
      "UTF-8");
}

}  // namespace
}  // namespace waybill::text
