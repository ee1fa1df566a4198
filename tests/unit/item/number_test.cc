#include "item/number.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <random>

namespace waybill::item {
namespace {

std::string normal(std::string_view text) {
  const auto number = Decimal::parse(text);
  if (!number) {
    return number.error().message;
  }
  std::string out;
  number->append_text(out);
  return out;
}

std::string ordered(std::string_view text) {
  std::string out;
  Decimal::parse(text)->append_ordered(out);
  return out;
}

const std::string too_many = "Attempting to store more than 38 significant digits in a Number";
const std::string overflow =
    "Number overflow. Attempting to store a number with magnitude larger than supported range";
const std::string underflow =
    "Number underflow. Attempting to store a number with magnitude smaller than supported range";

TEST(NumberTest, BringsEveryNotationToItsNormalForm) {
  EXPECT_EQ(normal("0"), "0");
  EXPECT_EQ(normal("-0.000"), "0");
  EXPECT_EQ(normal("0E400"), "0");
  EXPECT_EQ(normal("+1"), "1");
  EXPECT_EQ(normal("00.50"), "0.5");
  EXPECT_EQ(normal(".5"), "0.5");
  EXPECT_EQ(normal("5."), "5");
  EXPECT_EQ(normal("1e5"), "100000");
  EXPECT_EQ(normal("1200.0"), "1200");
  EXPECT_EQ(normal("10.050"), "10.05");
  EXPECT_EQ(normal("12.5E-3"), "0.0125");
  EXPECT_EQ(normal("-123.456e2"), "-12345.6");
  EXPECT_EQ(normal("1E125"), "1" + std::string(125, '0'));
  EXPECT_EQ(normal("1E-130"), "0." + std::string(129, '0') + "1");
}

TEST(NumberTest, RefusesWhatIsOutOfRangeOrNoNumber) {
  EXPECT_EQ(normal("1E126"), overflow);
  EXPECT_EQ(normal("-1E126"), overflow);
  EXPECT_EQ(normal("1E999999999999999"), overflow);
  EXPECT_EQ(normal("1E-131"), underflow);
  EXPECT_EQ(normal("1E-999999999999999"), underflow);
  EXPECT_EQ(normal(std::string(38, '9')), std::string(38, '9'));
  EXPECT_EQ(normal("1" + std::string(37, '0') + "1"), too_many);
  EXPECT_EQ(normal("123456789012345678901234567890123456780000000"),
            "123456789012345678901234567890123456780000000");
  EXPECT_EQ(normal(""), "The parameter cannot be converted to a numeric value");
  for (const char* text :
       {"abc", " 1", "1 ", "1e", "1e+", ".", "-", "0x1", "NaN", "Infinity", "1_000", "1.2.3"}) {
    EXPECT_EQ(normal(text), std::string("The parameter cannot be converted to a numeric value: ") + text);
  }
}

TEST(NumberTest, CountsBytesAsTheServiceDoes) {
  EXPECT_EQ(Decimal::parse("0")->size_bytes(), 1U);
  EXPECT_EQ(Decimal::parse("1")->size_bytes(), 2U);
  EXPECT_EQ(Decimal::parse("100")->size_bytes(), 2U);
  EXPECT_EQ(Decimal::parse("-12")->size_bytes(), 3U);
  EXPECT_EQ(Decimal::parse("123")->size_bytes(), 3U);
  EXPECT_EQ(Decimal::parse("1.5")->size_bytes(), 3U);
  EXPECT_EQ(Decimal::parse("3.14159")->size_bytes(), 5U);
  EXPECT_EQ(Decimal::parse("0.05")->size_bytes(), 2U);
  EXPECT_EQ(Decimal::parse("10")->size_bytes(), 2U);
}

// Any notation, most often close to a normal form.
std::string random_notation(std::mt19937_64& random) {
  static constexpr std::string_view signs[] = {"", "", "", "-", "-", "+"};
  std::string text(signs[random() % std::size(signs)]);
  const auto digits = [&](std::size_t count_max) {
    for (std::size_t count = random() % (count_max + 1); count > 0; --count) {
      text.push_back(random() % 3 == 0 ? '0' : static_cast<char>('0' + random() % 10));
    }
  };
  digits(random() % 4 == 0 ? 45 : 6);
  if (random() % 2 == 0) {
    text.push_back('.');
    digits(random() % 4 == 0 ? 45 : 6);
  }
  if (random() % 8 == 0) {
    text.append(random() % 2 == 0 ? "E-" : "e").append(std::to_string(random() % 130));
  }
  if (random() % 50 == 0) {
    text.push_back(static_cast<char>(random() % 128));
  }
  return text;
}

TEST(NumberTest, WhatIsSurelyNormalStaysAsItIs) {
  EXPECT_TRUE(is_surely_normal("0"));
  EXPECT_TRUE(is_surely_normal("-1759665601077"));
  EXPECT_TRUE(is_surely_normal("100"));
  EXPECT_TRUE(is_surely_normal("0.9812"));
  EXPECT_TRUE(is_surely_normal(std::string(38, '9')));
  for (const auto* text :
       {"", "-", "-0", "00", "01", "+1", "1.", ".5", "1.0", "1e2", "1.2.3", "1 ", "0.", "-.5", "--1", "1-"}) {
    EXPECT_FALSE(is_surely_normal(text)) << text;
  }
  std::mt19937_64 random(20251005);
  int seen = 0;
  for (int i = 0; i < 200'000; ++i) {
    const std::string text = random_notation(random);
    if (is_surely_normal(text)) {
      ++seen;
      ASSERT_EQ(normal(text), text);
    }
  }
  EXPECT_GT(seen, 20'000);
}

TEST(NumberTest, TheSizeOfANormalTextIsThatOfItsNumber) {
  std::mt19937_64 random(20251006);
  int seen = 0;
  for (int i = 0; i < 200'000; ++i) {
    const auto number = Decimal::parse(random_notation(random));
    if (!number) {
      continue;
    }
    ++seen;
    std::string text;
    number->append_text(text);
    ASSERT_EQ(size_of_normal(text), number->size_bytes()) << text;
  }
  EXPECT_GT(seen, 50'000);
}

TEST(NumberTest, TurnsIntoWholeSeconds) {
  int64_t seconds = 0;
  EXPECT_TRUE(Decimal::parse("1700000000.9")->to_int64(seconds));
  EXPECT_EQ(seconds, 1700000000);
  EXPECT_TRUE(Decimal::parse("-5")->to_int64(seconds));
  EXPECT_EQ(seconds, -5);
  EXPECT_TRUE(Decimal::parse("1E-130")->to_int64(seconds));
  EXPECT_EQ(seconds, 0);
  EXPECT_TRUE(Decimal::parse("17E8")->to_int64(seconds));
  EXPECT_EQ(seconds, 1700000000);
  EXPECT_FALSE(Decimal::parse("1E30")->to_int64(seconds));
  EXPECT_FALSE(Decimal::parse("99999999999999999999")->to_int64(seconds));
}

// A slow and simple model: every digit from 10^126 down to 10^-170 in an array.
class Fixed {
 public:
  static constexpr int top = 128;
  static constexpr int size = 300;

  explicit Fixed(std::string_view text) {
    std::size_t point = text.find('.');
    const std::string_view digits_text = text.substr(text[0] == '-' ? 1 : 0);
    negative = text[0] == '-';
    point = digits_text.find('.');
    const auto whole = static_cast<int>(point == std::string_view::npos ? digits_text.size() : point);
    int at = top - whole + 1;
    for (const char c : digits_text) {
      if (c != '.') {
        digits[static_cast<std::size_t>(at++)] = c - '0';
      }
    }
  }

  static int compare_magnitude(const Fixed& a, const Fixed& b) {
    return a.digits == b.digits ? 0 : a.digits < b.digits ? -1 : 1;
  }

  static int compare(const Fixed& a, const Fixed& b) {
    if (a.negative != b.negative) {
      return a.negative ? -1 : 1;
    }
    return a.negative ? -compare_magnitude(a, b) : compare_magnitude(a, b);
  }

  static Fixed add(const Fixed& a, const Fixed& b) {
    Fixed out("0");
    const bool same = a.negative == b.negative;
    const Fixed& large = compare_magnitude(a, b) >= 0 ? a : b;
    const Fixed& small = compare_magnitude(a, b) >= 0 ? b : a;
    int carry = 0;
    for (int i = size - 1; i >= 0; --i) {
      const auto k = static_cast<std::size_t>(i);
      int digit =
          same ? large.digits[k] + small.digits[k] + carry : large.digits[k] - small.digits[k] + carry;
      carry = digit > 9 ? 1 : digit < 0 ? -1 : 0;
      digit -= carry * 10;
      out.digits[k] = digit;
    }
    out.negative = large.negative;
    return out;
  }

  // The normal form, or the service's error.
  std::string text() const {
    int first = 0;
    while (first < size && digits[static_cast<std::size_t>(first)] == 0) {
      ++first;
    }
    if (first == size) {
      return "0";
    }
    int last = size - 1;
    while (digits[static_cast<std::size_t>(last)] == 0) {
      --last;
    }
    if (top - first > 125) {
      return overflow;
    }
    if (top - first < -130) {
      return underflow;
    }
    if (last - first + 1 > 38) {
      return too_many;
    }
    std::string out = negative ? "-" : "";
    for (int i = std::min(first, top); i <= std::max(last, top); ++i) {
      if (i == top + 1) {
        out.push_back('.');
      }
      out.push_back(static_cast<char>('0' + digits[static_cast<std::size_t>(i)]));
    }
    return out;
  }

  std::array<int, size> digits{};
  bool negative = false;
};

std::string random_number(std::mt19937_64& random) {
  const auto count = 1 + random() % 38;
  std::string text = random() % 2 == 0 ? "-" : "";
  for (std::size_t i = 0; i < count; ++i) {
    text.push_back(static_cast<char>('0' + random() % 10));
  }
  const int spread = random() % 4 == 0 ? 80 : 6;
  const auto exponent = static_cast<int>(random() % static_cast<unsigned>(2 * spread)) - spread;
  return text + "E" + std::to_string(exponent);
}

TEST(NumberTest, AgreesWithASimpleModel) {
  const uint64_t seed = std::random_device{}();
  std::printf("seed %llu\n", static_cast<unsigned long long>(seed));
  std::mt19937_64 random(seed);
  for (int i = 0; i < 20'000; ++i) {
    const auto a_parsed = Decimal::parse(random_number(random));
    const auto b_parsed = Decimal::parse(random_number(random));
    ASSERT_TRUE(a_parsed && b_parsed);
    const std::string a = [&] {
      std::string t;
      a_parsed->append_text(t);
      return t;
    }();
    const std::string b = [&] {
      std::string t;
      b_parsed->append_text(t);
      return t;
    }();
    const auto sum = Decimal::add(*a_parsed, *b_parsed);
    const auto difference = Decimal::subtract(*a_parsed, *b_parsed);
    std::string sum_text;
    std::string difference_text;
    sum ? sum->append_text(sum_text) : void(sum_text = sum.error().message);
    difference ? difference->append_text(difference_text)
               : void(difference_text = difference.error().message);
    Fixed minus_b(b);
    minus_b.negative = b != "0" && !minus_b.negative;
    ASSERT_EQ(sum_text, Fixed::add(Fixed(a), Fixed(b)).text()) << a << " + " << b;
    ASSERT_EQ(difference_text, Fixed::add(Fixed(a), minus_b).text()) << a << " - " << b;
    const int expected = Fixed::compare(Fixed(a), Fixed(b));
    ASSERT_EQ(Decimal::compare(*a_parsed, *b_parsed), expected) << a << " <=> " << b;
    const int by_bytes = ordered(a).compare(ordered(b));
    ASSERT_EQ(by_bytes < 0 ? -1 : by_bytes > 0 ? 1 : 0, expected) << a << " <=> " << b;
  }
}

TEST(NumberTest, OrderedBytesReadBack) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 20'000; ++i) {
    const auto number = Decimal::parse(random_number(random));
    std::string bytes;
    std::string text;
    number->append_ordered(bytes);
    number->append_text(text);
    const char* at = bytes.data();
    std::string back;
    Decimal::read_ordered(at).append_text(back);
    ASSERT_EQ(back, text);
    ASSERT_EQ(at, bytes.data() + bytes.size());
  }
}

// Whole numbers of all lengths, most of them with zeros in them and at their ends, and others.
TEST(NumberTest, WhatIsReadFromNormalFormIsWhatWasParsed) {
  std::mt19937_64 random(8);
  for (int i = 0; i < 40'000; ++i) {
    std::string text;
    if (i % 2 == 0) {
      text = normal(random_number(random));
    } else {
      text.push_back(static_cast<char>('1' + random() % 9));
      for (std::size_t left = random() % 24; left > 0; --left) {
        text.push_back(static_cast<char>('0' + (random() % 2 == 0 ? 0 : random() % 10)));
      }
    }
    const auto parsed = Decimal::parse(text);
    ASSERT_TRUE(parsed) << text;
    const auto read = Decimal::from_normal(text);
    std::string back;
    read.append_text(back);
    ASSERT_EQ(back, text);
    ASSERT_EQ(Decimal::compare(read, *parsed), 0) << text;
    ASSERT_EQ(read.size_bytes(), parsed->size_bytes()) << text;
    std::string bytes;
    Decimal::append_ordered(bytes, text);
    ASSERT_EQ(bytes, ordered(text)) << text;
  }
}

}  // namespace
}  // namespace waybill::item
