#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"

// The words in which a text is refused. Offsets count from 0.
namespace waybill::text {

inline Error refuse_binary(uint64_t offset) {
  return invalid("the file is not a text: byte " + std::to_string(offset) +
                 " is a control code that no text has; upload plain text, best in UTF-8");
}

inline Error refuse_bytes(const std::string& encoding, uint64_t offset) {
  return invalid("the text is not valid " + encoding + " at byte " + std::to_string(offset) +
                 "; correct it there, or save the text as UTF-8");
}

inline Error refuse_cut_short(const std::string& encoding, uint64_t offset) {
  return invalid("the text ends within a character of " + encoding + ", which begins at byte " +
                 std::to_string(offset) + "; upload it whole");
}

inline Error refuse_undecided(uint64_t offset) {
  return invalid("the encoding of the text cannot be told: from byte " + std::to_string(offset) +
                 " on it is neither UTF-8 nor like any other encoding; save the text as UTF-8");
}

inline Error refuse_encoding(const std::string& name, uint64_t offset) {
  return invalid("the text is in the encoding " + name + " from byte " + std::to_string(offset) +
                 " on, which cannot be read here; save the text as UTF-8");
}

}  // namespace waybill::text
