#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "object/byte_range.h"

// How long the parts were that an object came in, as a short text: "8388608*12,517".
//
//   sizes := run *("," run)
//   run   := bytes ["*" how many of them in a row]
namespace waybill::bucket {

std::string part_sizes(std::span<const uint64_t> sizes);

struct PartPlace {
  object::ByteRange range;
  int part_count = 0;
};

// Where the part of that number lies, which counts from 1; nothing where there is none.
std::optional<PartPlace> find_part(std::string_view sizes, int number);

int count_parts(std::string_view sizes);

}  // namespace waybill::bucket
