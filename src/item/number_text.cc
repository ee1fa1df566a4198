#include "item/number_text.h"

#include <algorithm>
#include <cstddef>

namespace waybill::item {

namespace {

constexpr int digits_max = 38;
constexpr int exponent_seen_max = 1'000'000;  // larger exponents in a text are all the same: out of range

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// Takes the digits of "123.450" in; zeros are held back until another digit shows that they count.
class Mantissa {
 public:
  explicit Mantissa(NumberText& scan) : scan_(scan) {}

  void take(char digit, bool behind_point) {
    any_ = true;
    if (behind_point) {
      ++digits_behind_point_;
    }
    if (digit == '0') {
      if (scan_.significant > 0) {
        ++zeros_;
      }
      return;
    }
    push_zeros();
    push(digit - '0');
    last_digit_behind_point_ = digits_behind_point_;
    zeros_ = 0;
  }

  void finish() {
    // Zeros at the end of the whole part move the exponent; behind the point they are nothing.
    scan_.exponent = digits_behind_point_ == 0 ? zeros_ : whole_zeros() - last_digit_behind_point_;
  }

  bool any() const { return any_; }
  void point() { zeros_at_point_ = zeros_; }

 private:
  int whole_zeros() const { return last_digit_behind_point_ == 0 ? zeros_at_point_ : 0; }

  void push_zeros() {
    for (; zeros_ > 0; --zeros_) {
      push(0);
    }
  }

  void push(int digit) {
    ++scan_.significant;
    if (scan_.significant <= digits_max) {
      scan_.coefficient = scan_.coefficient * 10 + static_cast<unsigned>(digit);
    }
  }

  NumberText& scan_;
  bool any_ = false;
  int zeros_ = 0;
  int zeros_at_point_ = 0;
  int digits_behind_point_ = 0;
  int last_digit_behind_point_ = 0;
};

bool scan_exponent(std::string_view text, std::size_t at, int& exponent) {
  bool negative = false;
  if (at < text.size() && (text[at] == '+' || text[at] == '-')) {
    negative = text[at++] == '-';
  }
  if (at == text.size()) {
    return false;
  }
  int value = 0;
  for (; at < text.size(); ++at) {
    if (!is_digit(text[at])) {
      return false;
    }
    value = std::min(value * 10 + (text[at] - '0'), exponent_seen_max);
  }
  exponent += negative ? -value : value;
  return true;
}

}  // namespace

bool read_number_text(std::string_view text, NumberText& scan) {
  std::size_t at = 0;
  if (at < text.size() && (text[at] == '+' || text[at] == '-')) {
    scan.negative = text[at++] == '-';
  }
  Mantissa mantissa(scan);
  bool behind_point = false;
  for (; at < text.size(); ++at) {
    if (is_digit(text[at])) {
      mantissa.take(text[at], behind_point);
    } else if (text[at] == '.' && !behind_point) {
      behind_point = true;
      mantissa.point();
    } else {
      break;
    }
  }
  if (!mantissa.any()) {
    return false;
  }
  mantissa.finish();
  if (at == text.size()) {
    return true;
  }
  if (text[at] != 'e' && text[at] != 'E') {
    return false;
  }
  return scan_exponent(text, at + 1, scan.exponent);
}

}  // namespace waybill::item
