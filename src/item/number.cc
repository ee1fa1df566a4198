#include "item/number.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <optional>

#include "item/number_text.h"

namespace waybill::item {

namespace {

using Coefficient = unsigned __int128;

constexpr int digits_max = 38;
constexpr int magnitude_max = 125;  // the power of ten of the leading digit
constexpr int magnitude_min = -130;

constexpr unsigned char ordered_zero = 0x80;
constexpr unsigned char ordered_positive = 0xC0;
constexpr unsigned char ordered_negative = 0x40;

constexpr std::array<Coefficient, digits_max + 1> make_powers() {
  std::array<Coefficient, digits_max + 1> powers{};
  powers[0] = 1;
  for (std::size_t i = 1; i < powers.size(); ++i) {
    powers[i] = powers[i - 1] * 10;
  }
  return powers;
}

constexpr auto power_of_ten = make_powers();

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

int count_digits(Coefficient value) {
  int digits = 1;
  while (digits <= digits_max && value >= power_of_ten[static_cast<std::size_t>(digits)]) {
    ++digits;
  }
  return digits;
}

// The digits of a coefficient, most significant first.
struct Digits {
  char text[digits_max + 1];
  int count = 0;

  explicit Digits(Coefficient value) {
    count = count_digits(value);
    // Two halves that fit 64 bits each: division of 128-bit numbers is slow.
    constexpr uint64_t half = 10'000'000'000'000'000'000U;
    auto low = static_cast<uint64_t>(value % half);
    auto high = static_cast<Coefficient>(value / half);
    int at = count;
    for (int i = 0; i < 19 && at > 0; ++i) {
      text[--at] = static_cast<char>('0' + low % 10);
      low /= 10;
    }
    while (at > 0) {
      text[--at] = static_cast<char>('0' + static_cast<int>(high % 10));
      high /= 10;
    }
  }
};

// What most numbers are: a whole one above zero, in normal form, that fits 64 bits.
struct Whole {
  static constexpr std::size_t digits_max = 19;

  std::string_view digits;  // without the zeros at the end
  int zeros;

  static std::optional<Whole> of(std::string_view text) {
    if (text.empty() || text.size() > digits_max || text == "0" || !std::ranges::all_of(text, is_digit)) {
      return std::nullopt;
    }
    const std::size_t end = text.find_last_not_of('0') + 1;
    return Whole{text.substr(0, end), static_cast<int>(text.size() - end)};
  }
};

Error not_a_number(std::string_view text) {
  std::string message = "The parameter cannot be converted to a numeric value";
  if (!text.empty()) {
    message.append(": ").append(text);
  }
  return invalid(std::move(message));
}

Error too_many_digits() {
  return invalid("Attempting to store more than 38 significant digits in a Number");
}

Error overflow() {
  return invalid("Number overflow. Attempting to store a number with magnitude larger than supported range");
}

Error underflow() {
  return invalid(
      "Number underflow. Attempting to store a number with magnitude smaller than supported range");
}

// The high bit of each byte that is a point; exact up to and including the first.
constexpr uint64_t points_in(uint64_t word) {
  constexpr uint64_t ones = 0x0101010101010101ULL;
  const uint64_t zero_if_point = word ^ (ones * '.');
  return (zero_if_point - ones) & ~zero_if_point & (ones * 0x80);
}

template <typename Word>
uint64_t load(const char* bytes) {
  Word word = 0;
  std::memcpy(&word, bytes, sizeof(word));
  return word;
}

bool has_point(std::string_view text) {
  const char* const first = text.data();
  const char* const end = first + text.size();
  if (text.size() < 4) {
    return std::any_of(first, end, [](char c) { return c == '.'; });
  }
  if (text.size() < 8) {
    return points_in(load<uint32_t>(first) | load<uint32_t>(end - 4) << 32) != 0;
  }
  uint64_t found = points_in(load<uint64_t>(end - 8));
  for (const char* at = first; end - at > 8; at += 8) {
    found |= points_in(load<uint64_t>(at));
  }
  return found != 0;
}

// The service stores two digits a byte, in pairs that do not straddle the decimal point: the pair that the
// digit of this power of ten is in.
int pair_of(int power) {
  return power >= 0 ? power / 2 : -((1 - power) / 2);
}

// One byte for a pair, one for the exponent, one for the sign of a negative number.
unsigned size_between(int leading, int last, bool negative) {
  return static_cast<unsigned>(pair_of(leading) - pair_of(last) + 1) + 1 + (negative ? 1 : 0);
}

// The digits of a normal text, the last of which, behind a point, is not 0.
[[gnu::noinline]] unsigned size_with_point(const char* first, const char* end, bool negative) {
  const char* const point = std::find(first, end, '.');
  const char* leading = *first == '0' ? point + 1 : first;
  while (*leading == '0') {
    ++leading;
  }
  const auto power = static_cast<int>(point - leading) - (leading < point ? 1 : 0);
  return size_between(power, static_cast<int>(point - end) + 1, negative);
}

}  // namespace

bool is_surely_normal(std::string_view text) {
  if (text.starts_with('-')) {
    text.remove_prefix(1);
    if (text == "0") {
      return false;
    }
  }
  // So many digits fit wherever the point stands.
  if (text.empty() || text.size() > static_cast<std::size_t>(digits_max)) {
    return false;
  }
  std::size_t whole = 0;
  while (whole < text.size() && is_digit(text[whole])) {
    ++whole;
  }
  if (whole == 0 || (text[0] == '0' && whole > 1)) {
    return false;
  }
  if (whole == text.size()) {
    return true;
  }
  return text[whole] == '.' && text.size() > whole + 1 && text.back() != '0' &&
         std::all_of(text.begin() + static_cast<std::ptrdiff_t>(whole) + 1, text.end(), is_digit);
}

unsigned size_of_normal(std::string_view text) {
  const bool negative = text.front() == '-';
  const char* const first = text.data() + (negative ? 1 : 0);
  const char* const end = text.data() + text.size();
  if (has_point(text)) {
    return size_with_point(first, end, negative);
  }
  const char* behind_last = end;
  while (behind_last != first && behind_last[-1] == '0') {
    --behind_last;
  }
  if (behind_last == first) {
    return 1;
  }
  // pair_of for powers that are not negative.
  const auto pairs = (end - first - 1) / 2 - (end - behind_last) / 2 + 1;
  return static_cast<unsigned>(pairs) + 1 + (negative ? 1 : 0);
}

Result<Decimal> Decimal::parse(std::string_view text) {
  NumberText scan;
  if (!read_number_text(text, scan)) {
    return not_a_number(text);
  }
  if (scan.significant == 0) {
    return Decimal();
  }
  const int magnitude = scan.exponent + scan.significant - 1;
  if (magnitude > magnitude_max) {
    return overflow();
  }
  if (magnitude < magnitude_min) {
    return underflow();
  }
  if (scan.significant > digits_max) {
    return too_many_digits();
  }
  Decimal number;
  number.coefficient_ = scan.coefficient;
  number.exponent_ = scan.exponent;
  number.negative_ = scan.negative;
  return number;
}

Decimal Decimal::from_normal(std::string_view text) {
  if (const auto whole = Whole::of(text)) {
    Decimal number;
    for (const char digit : whole->digits) {
      number.coefficient_ =
          static_cast<uint64_t>(number.coefficient_) * 10 + static_cast<uint64_t>(digit - '0');
    }
    number.exponent_ = whole->zeros;
    return number;
  }
  NumberText scan;
  read_number_text(text, scan);
  Decimal number;
  number.coefficient_ = scan.coefficient;
  number.exponent_ = scan.coefficient == 0 ? 0 : scan.exponent;
  number.negative_ = scan.negative;
  return number;
}

void Decimal::append_text(std::string& out) const {
  if (negative_) {
    out.push_back('-');
  }
  const Digits digits(coefficient_);
  const int whole = digits.count + exponent_;  // how many digits stand before the point
  if (exponent_ >= 0) {
    out.append(digits.text, static_cast<std::size_t>(digits.count));
    out.append(static_cast<std::size_t>(exponent_), '0');
  } else if (whole > 0) {
    out.append(digits.text, static_cast<std::size_t>(whole));
    out.push_back('.');
    out.append(digits.text + whole, static_cast<std::size_t>(digits.count - whole));
  } else {
    out.append("0.");
    out.append(static_cast<std::size_t>(-whole), '0');
    out.append(digits.text, static_cast<std::size_t>(digits.count));
  }
}

void Decimal::append_ordered(std::string& out) const {
  if (coefficient_ == 0) {
    out.push_back(static_cast<char>(ordered_zero));
    return;
  }
  const unsigned char flip = negative_ ? 0xff : 0x00;
  const auto put = [&](int byte) { out.push_back(static_cast<char>(byte ^ flip)); };
  const Digits digits(coefficient_);
  out.push_back(static_cast<char>(negative_ ? ordered_negative : ordered_positive));
  put(exponent_ + digits.count - 1 - magnitude_min);
  for (int i = 0; i < digits.count; i += 2) {
    const int tens = digits.text[i] - '0';
    const int ones = i + 1 < digits.count ? digits.text[i + 1] - '0' : 0;
    put(tens * 10 + ones + 1);
  }
  put(0);
}

void Decimal::append_ordered(std::string& out, std::string_view normal) {
  const auto whole = Whole::of(normal);
  if (!whole) {
    from_normal(normal).append_ordered(out);
    return;
  }
  char bytes[2 + (Whole::digits_max + 1) / 2 + 1];
  char* at = bytes;
  *at++ = static_cast<char>(ordered_positive);
  *at++ = static_cast<char>(static_cast<int>(normal.size()) - 1 - magnitude_min);
  for (std::size_t i = 0; i < whole->digits.size(); i += 2) {
    const int tens = whole->digits[i] - '0';
    const int ones = i + 1 < whole->digits.size() ? whole->digits[i + 1] - '0' : 0;
    *at++ = static_cast<char>(tens * 10 + ones + 1);
  }
  *at++ = 0;
  out.append(bytes, static_cast<std::size_t>(at - bytes));
}

Decimal Decimal::read_ordered(const char*& at) {
  Decimal number;
  const auto sign = static_cast<unsigned char>(*at++);
  if (sign == ordered_zero) {
    return number;
  }
  number.negative_ = sign == ordered_negative;
  const unsigned char flip = number.negative_ ? 0xff : 0x00;
  const auto take = [&] { return static_cast<unsigned char>(*at++) ^ flip; };
  const int magnitude = take() + magnitude_min;
  int digits = 0;
  for (int pair = take(); pair != 0; pair = take()) {
    const auto two = static_cast<unsigned>(pair - 1);
    if (digits + 2 > digits_max + 1 || (two % 10 == 0 && *at == static_cast<char>(flip))) {
      number.coefficient_ = number.coefficient_ * 10 + two / 10;
      digits += 1;
    } else {
      number.coefficient_ = number.coefficient_ * 100 + two;
      digits += 2;
    }
  }
  number.exponent_ = magnitude - digits + 1;
  return number;
}

// Trailing zeros go into the exponent; then the number must fit.
Result<Decimal> Decimal::checked(Decimal number) {
  if (number.coefficient_ == 0) {
    return Decimal();
  }
  while (number.coefficient_ % 10 == 0) {
    number.coefficient_ /= 10;
    ++number.exponent_;
  }
  const int digits = count_digits(number.coefficient_);
  const int magnitude = number.exponent_ + digits - 1;
  if (magnitude > magnitude_max) {
    return overflow();
  }
  if (magnitude < magnitude_min) {
    return underflow();
  }
  if (digits > digits_max) {
    return too_many_digits();
  }
  return number;
}

Result<Decimal> Decimal::add(const Decimal& a, const Decimal& b) {
  if (a.is_zero() || b.is_zero()) {
    return a.is_zero() ? b : a;
  }
  const Decimal& high = a.exponent_ >= b.exponent_ ? a : b;
  const Decimal& low = a.exponent_ >= b.exponent_ ? b : a;
  const int shift = high.exponent_ - low.exponent_;
  // The last digit of `low` stands in the result, so a `high` that does not fit 128 bits when brought to
  // the same exponent makes a result of more than 38 digits.
  if (shift > digits_max) {
    return too_many_digits();
  }
  const Coefficient factor = power_of_ten[static_cast<std::size_t>(shift)];
  constexpr Coefficient coefficient_max = std::numeric_limits<Coefficient>::max() - power_of_ten[digits_max];
  if (high.coefficient_ > coefficient_max / factor) {
    return too_many_digits();
  }
  const Coefficient aligned = high.coefficient_ * factor;
  Decimal sum;
  sum.exponent_ = low.exponent_;
  if (high.negative_ == low.negative_) {
    sum.coefficient_ = aligned + low.coefficient_;
    sum.negative_ = high.negative_;
  } else {
    const bool high_is_larger = aligned >= low.coefficient_;
    sum.coefficient_ = high_is_larger ? aligned - low.coefficient_ : low.coefficient_ - aligned;
    sum.negative_ = high_is_larger ? high.negative_ : low.negative_;
  }
  return checked(sum);
}

Result<Decimal> Decimal::subtract(const Decimal& a, const Decimal& b) {
  Decimal negated = b;
  negated.negative_ = !b.is_zero() && !b.negative_;
  return add(a, negated);
}

int Decimal::compare(const Decimal& a, const Decimal& b) {
  if (a.is_zero() || b.is_zero() || a.negative_ != b.negative_) {
    const int left = a.is_zero() ? 0 : a.negative_ ? -1 : 1;
    const int right = b.is_zero() ? 0 : b.negative_ ? -1 : 1;
    return left - right < 0 ? -1 : left - right > 0 ? 1 : 0;
  }
  const int sign = a.negative_ ? -1 : 1;
  const int a_digits = count_digits(a.coefficient_);
  const int b_digits = count_digits(b.coefficient_);
  const int a_magnitude = a.exponent_ + a_digits;
  const int b_magnitude = b.exponent_ + b_digits;
  if (a_magnitude != b_magnitude) {
    return a_magnitude < b_magnitude ? -sign : sign;
  }
  // Same magnitude: bring both to 38 digits and compare those.
  const Coefficient left = a.coefficient_ * power_of_ten[static_cast<std::size_t>(digits_max - a_digits)];
  const Coefficient right = b.coefficient_ * power_of_ten[static_cast<std::size_t>(digits_max - b_digits)];
  return left == right ? 0 : left < right ? -sign : sign;
}

bool Decimal::to_int64(int64_t& value) const {
  Coefficient whole = coefficient_;
  if (exponent_ > 0) {
    if (count_digits(whole) + exponent_ > 18) {
      return false;
    }
    whole *= power_of_ten[static_cast<std::size_t>(exponent_)];
  } else if (-exponent_ >= digits_max) {
    whole = 0;
  } else {
    whole /= power_of_ten[static_cast<std::size_t>(-exponent_)];
  }
  if (whole > static_cast<Coefficient>(std::numeric_limits<int64_t>::max())) {
    return false;
  }
  value = static_cast<int64_t>(whole);
  if (negative_) {
    value = -value;
  }
  return true;
}

unsigned Decimal::size_bytes() const {
  if (coefficient_ == 0) {
    return 1;
  }
  return size_between(exponent_ + count_digits(coefficient_) - 1, exponent_, negative_);
}

}  // namespace waybill::item
