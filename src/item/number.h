#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

// Exact decimals with 38 significant digits, as DynamoDB has them.
//
// Normal form of the text: no exponent, no leading '+', no leading zeros but one before the point, no
// trailing zeros behind it, no "-0". Two numbers are equal exactly when their normal forms are.
namespace waybill::item {

// Whether `text` is a number in normal form that is in range. False says nothing: the numbers that are
// usual are recognised, and the rest is for Decimal::parse.
bool is_surely_normal(std::string_view text);

// What Decimal::size_bytes says of a number whose text is in normal form.
unsigned size_of_normal(std::string_view text);

class Decimal {
 public:
  // Reads any notation the service takes ("1", "-0.10", "1E+3", ".5"). Errors carry the service's texts:
  // not a number; more than 38 significant digits; magnitude over 9.99…E+125 or under 1E-130.
  static Result<Decimal> parse(std::string_view text);

  // Reads a text that is in normal form already.
  static Decimal from_normal(std::string_view text);

  void append_text(std::string& out) const;

  // Appends bytes that sort as the numbers do; self-delimiting. The inverse is read_ordered.
  //
  //   ordered  := 0x80                               zero
  //             | 0xC0 exponent pair* 0x00           positive
  //             | 0x40 and the rest complemented     negative
  //   exponent := one byte, the power of ten of the leading digit + 130
  //   pair     := two digits of the coefficient from the front, as a number 0 to 99, + 1
  void append_ordered(std::string& out) const;
  // The same of a number whose text is in normal form.
  static void append_ordered(std::string& out, std::string_view normal);
  static Decimal read_ordered(const char*& at);

  // Fails with the service's overflow text where the result does not fit 38 digits or the range.
  static Result<Decimal> add(const Decimal& a, const Decimal& b);
  static Result<Decimal> subtract(const Decimal& a, const Decimal& b);

  static int compare(const Decimal& a, const Decimal& b);

  bool is_zero() const { return coefficient_ == 0; }
  bool is_negative() const { return negative_; }

  // Whole seconds towards zero where the value fits an int64; used for times.
  bool to_int64(int64_t& value) const;

  // Bytes as the service counts them.
  unsigned size_bytes() const;

 private:
  static Result<Decimal> checked(Decimal number);

  // The value is ±coefficient × 10^exponent; a coefficient that is not 0 does not end in the digit 0.
  unsigned __int128 coefficient_ = 0;
  int exponent_ = 0;
  bool negative_ = false;
};

}  // namespace waybill::item
