#pragma once

#include <cstdint>
#include <string>

namespace waybill::text {

enum class ByteOrder : unsigned char { little, big };

struct Encoding {
  enum class Family : unsigned char { utf8, utf16, utf32, legacy };

  Family family = Family::utf8;
  ByteOrder order = ByteOrder::little;  // of utf16 and utf32
  std::string name;                     // of legacy ones

  bool operator==(const Encoding&) const = default;
};

}  // namespace waybill::text
