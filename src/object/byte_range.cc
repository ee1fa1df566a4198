#include "object/byte_range.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <string>

namespace waybill::object {
namespace {

constexpr uint64_t number_max = std::numeric_limits<uint64_t>::max();

// The two numbers around the hyphen; at least one is there.
struct Ends {
  std::optional<uint64_t> first;
  std::optional<uint64_t> last;
};

// Numbers beyond 64 bits stand for the largest: they are behind the end of any content.
std::optional<uint64_t> read_number(std::string_view digits) {
  uint64_t number = 0;
  for (const char c : digits) {
    if (c < '0' || c > '9') {
      return std::nullopt;
    }
    const auto digit = static_cast<uint64_t>(c - '0');
    number = number > (number_max - digit) / 10 ? number_max : number * 10 + digit;
  }
  return digits.empty() ? std::nullopt : std::optional(number);
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t";
  const auto first = text.find_first_not_of(blanks);
  return first == std::string_view::npos ? std::string_view()
                                         : text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

bool takes_unit(std::string_view& text) {
  constexpr std::string_view unit = "bytes=";
  const auto matches = [](char given, char wanted) { return given == wanted || given == wanted - 'a' + 'A'; };
  if (text.size() < unit.size() ||
      !std::equal(unit.begin(), unit.end() - 1, text.begin(),
                  [&](char wanted, char given) { return matches(given, wanted); }) ||
      text[unit.size() - 1] != '=') {
    return false;
  }
  text.remove_prefix(unit.size());
  return true;
}

std::optional<Ends> read_ends(std::string_view text) {
  text = trimmed(text);
  if (!takes_unit(text)) {
    return std::nullopt;
  }
  text = trimmed(text);
  const auto hyphen = text.find('-');
  if (hyphen == std::string_view::npos) {
    return std::nullopt;
  }
  const auto before = text.substr(0, hyphen);
  const auto behind = text.substr(hyphen + 1);
  const Ends ends{read_number(before), read_number(behind)};
  const bool is_read = (before.empty() || ends.first) && (behind.empty() || ends.last);
  if (!is_read || (!ends.first && !ends.last) || (ends.first && ends.last && *ends.last < *ends.first)) {
    return std::nullopt;
  }
  return ends;
}

}  // namespace

RangeDecision decide_range(std::string_view header, uint64_t content_bytes) {
  const auto ends = read_ends(header);
  if (!ends) {
    return {RangeKind::whole, {0, content_bytes}};
  }
  if (!ends->first) {
    const uint64_t length = std::min(*ends->last, content_bytes);
    return length == 0 ? RangeDecision{RangeKind::unsatisfiable, {}}
                       : RangeDecision{RangeKind::part, {content_bytes - length, length}};
  }
  if (*ends->first >= content_bytes) {
    return {RangeKind::unsatisfiable, {}};
  }
  const uint64_t last = std::min(ends->last.value_or(number_max), content_bytes - 1);
  return {RangeKind::part, {*ends->first, last - *ends->first + 1}};
}

Result<ByteRange> read_copy_range(std::string_view header, uint64_t content_bytes) {
  const auto ends = read_ends(header);
  if (!ends || !ends->first || !ends->last) {
    return invalid(
        "The x-amz-copy-source-range value must be of the form bytes=first-last where first and last are the "
        "zero-based offsets of the first and last bytes to copy");
  }
  if (*ends->last >= content_bytes) {
    return invalid("Range specified is not valid for source object of size: " +
                   std::to_string(content_bytes));
  }
  return ByteRange{*ends->first, *ends->last - *ends->first + 1};
}

}  // namespace waybill::object
